"""The GPU as the parent sees it: whether there is one, one run at a time on it, its memory watched from outside.

The parent never makes a CUDA context: it asks the driver's management library (NVML), as nvidia-smi does. The memory
that a process takes on a GPU has no limit that the process could not lift, so it is looked at while the run goes on and
the run is ended when it takes too much.

Stops: two runs on one GPU at a time, a run that fills the GPU's memory. Does not stop: what a hostile program may do to
the driver, whose devices it speaks to. That needs a virtual machine; here a GPU is for a machine whose owner trusts the
code.
"""

from __future__ import annotations

import ctypes
import glob
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from interviewer.errors import OperatorError

Device = Literal["auto", "cpu", "cuda"]
BACKENDS = ("namespaces", "bubblewrap", "process")
"""Those in which a run can reach the driver's devices: where there are walls, a run on the GPU and no other."""
NODES = ("/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/dxg")
"""Patterns of the driver's devices; the last is that of WSL."""
LOCK = "viva-gpu-{uid}.lock"
_LIBRARIES = ("libnvidia-ml.so.1", "nvml.dll")


class Gpu:
    """The first GPU, through NVML."""

    def __init__(self, library: ctypes.CDLL, handle: ctypes.c_void_p) -> None:
        self._library = library
        self._handle = handle

    def used(self) -> int:
        """Bytes of its memory in use, by whomever."""
        memory = (ctypes.c_ulonglong * 3)()  # total, free, used
        if self._library.nvmlDeviceGetMemoryInfo(self._handle, ctypes.byref(memory)):
            raise OSError("the GPU's memory cannot be read")
        return int(memory[2])


@cache
def find() -> Gpu | None:
    """The first GPU whose driver answers, or None. Looked for once."""
    for name in _LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        handle = ctypes.c_void_p()
        if library.nvmlInit_v2() == 0 and library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(handle)) == 0:
            return Gpu(library, handle)
    return None


def nodes() -> tuple[str, ...]:
    """The driver's devices that are there. The driver makes them when it is first used; no run may make one."""
    return tuple(path for pattern in NODES for path in sorted(glob.glob(pattern)) if not os.path.isdir(path))


def choose(asked: Device, backend: str, gpu: Gpu | None) -> Literal["cpu", "cuda"]:
    """Where checks run besides the CPU. `auto` takes a GPU that is there; `cuda` without one is an OperatorError."""
    if asked == "cpu":
        return "cpu"
    fault = None
    if gpu is None:
        fault = ("there is no GPU here whose driver answers", "set VIVA_DEVICE=auto or cpu")
    elif backend not in BACKENDS:
        hint = f"set VIVA_DEVICE=cpu, or VIVA_BACKEND to one of {', '.join(BACKENDS)}"
        fault = (f"the sandbox {backend} lets no run reach the GPU", hint)
    if fault is None:
        return "cuda"
    if asked == "cuda":
        raise OperatorError(f"the device cuda was asked for, but {fault[0]}", hint=fault[1])
    return "cpu"


@contextmanager
def alone(seconds: float, folder: Path | None = None) -> Iterator[None]:
    """Hold the GPU, against other processes of this user too. TimeoutError after `seconds`."""
    import fcntl

    uid = os.getuid() if hasattr(os, "getuid") else 0
    path = (folder or Path(tempfile.gettempdir())) / LOCK.format(uid=uid)
    fd = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + seconds
    try:
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise TimeoutError("another run has the GPU") from None
                time.sleep(0.05)
        yield
    finally:
        os.close(fd)


def watch(used: Callable[[], int], limit: int) -> Callable[[], str]:
    """A reason to end the run ("gpu_memory") once the GPU's used memory grew by more than `limit` bytes, else ""."""
    before = used()

    def look() -> str:
        return "gpu_memory" if used() - before > limit else ""

    return look
