"""Matplotlib, imported into the fork server when a source first mentions it, so that no run pays for it again.

It takes about as long as half of torch's import, and most sources do not draw: hence neither at the start nor in every
run that does. Drawing is to memory only (Agg); there is no screen.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import threading
import time

WORD = "matplotlib"
SECONDS = 60.0
"""What the import may take on a busy machine, building the list of fonts included."""


def warm() -> None:
    """Import it and draw once. Nothing when that was done, or when it is not installed. Leaves one thread."""
    if "matplotlib" in sys.modules:
        return
    os.environ["MPLCONFIGDIR"] = "/tmp"  # it wants a folder to write to, and does without if it cannot
    with contextlib.suppress(Exception):  # a run that draws will meet the same fault, and be shown it
        import matplotlib.pyplot as plt

        figure = plt.figure()
        figure.gca().plot([0, 1], [0, 1])
        figure.savefig(io.BytesIO(), format="png")
        plt.close("all")
    del os.environ["MPLCONFIGDIR"]
    deadline = time.monotonic() + 10.0
    while threading.active_count() > 1 and time.monotonic() < deadline:
        time.sleep(0.01)  # the timer that would have warned of slow fonts is on its way out
    gc.collect()
    gc.freeze()
