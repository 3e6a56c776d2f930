"""Kills itself in the middle of a call."""
import os
import signal


def softmax(x, dim):
    os.kill(os.getpid(), signal.SIGKILL)
    os.abort()
