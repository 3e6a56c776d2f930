"""Writes garbage to the socket that calls come through."""
import os

os.write(3, os.urandom(4096))


def softmax(x, dim):
    return x
