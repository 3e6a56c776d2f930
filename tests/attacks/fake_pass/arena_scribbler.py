"""A thread that keeps overwriting the shared memory: a value must not change between the check and the use."""
import gc
import mmap
import threading


def scribble():
    arenas = [thing for thing in gc.get_objects() if isinstance(thing, mmap.mmap)]
    frames = [thing.arena for thing in gc.get_objects() if type(thing).__name__ == "Channel"]
    for arena in [*arenas, *frames]:
        for _ in range(200):
            arena[: 1 << 16] = b"\x7f" * (1 << 16)


threading.Thread(target=scribble, daemon=True).start()


def softmax(x, dim):
    return x
