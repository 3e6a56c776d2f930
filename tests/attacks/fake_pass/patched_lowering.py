"""Replaces the code that turns its values into data."""
import sys

for name, module in list(sys.modules.items()):
    if name.endswith(".child"):
        module.lower = lambda value, keep, depth=0: None


def softmax(x, dim):
    return x
