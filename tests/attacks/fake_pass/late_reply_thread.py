"""A thread that keeps sending answers of its own beside the real ones."""
import json
import os
import struct
import threading
import time


def spam():
    number = 0
    while True:
        header = json.dumps(["t", [["i", hex(number)], "ok", True]]).encode()
        try:
            os.write(3, struct.pack("!IQQB", len(header), 0, 0, 0) + header)
        except OSError:
            return
        number += 1
        time.sleep(0.001)


threading.Thread(target=spam, daemon=True).start()


def softmax(x, dim):
    time.sleep(0.05)
    return x
