"""Sends a tensor whose header claims another shape than its bytes have."""
import sys

for name, module in list(sys.modules.items()):
    if name.endswith(".values"):
        real = module.raw
        module.raw = lambda tensor: type(real(tensor))("float32", (1 << 20, 1 << 20), b"\0" * 64)


def softmax(x, dim):
    return x
