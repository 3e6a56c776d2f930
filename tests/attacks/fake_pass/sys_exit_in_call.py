"""Leaves by SystemExit when it is called."""
import sys


def softmax(x, dim):
    sys.exit(0)
