"""What one run may use, and the part of it that rlimits enforce."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

MB = 1 << 20
MAX_SOURCE = 256 * 1024
"""Bytes of UTF-8 a candidate's source may have."""


@dataclass(frozen=True)
class Limits:
    """Caps on one run. Times in seconds, sizes in bytes."""

    wall_seconds: float = 30.0
    """The whole run, both processes."""
    call_seconds: float = 10.0
    """One call into the candidate's code, loading it included."""
    cpu_seconds: int = 20
    """Processor time of each of the two processes; sleeping does not count."""
    address_space: int = 4096 * MB
    """Virtual memory of each process. Under 2 GB torch itself has no room."""
    memory: int = 2048 * MB
    """What the candidate's processes may occupy together, their files in memory included: where there are cgroups."""
    file_size: int = 32 * MB
    open_files: int = 64
    processes: int = 64
    """Processes and threads together, where the run has a user id or a user namespace of its own."""
    scratch: int = 64 * MB
    """Size of the run's private /tmp and, apart from it, /dev/shm."""
    scratch_files: int = 2000
    arena: int = 256 * MB
    """Shared memory for tensors between the two processes: inputs and result of one call together."""
    stdout_kept: int = 64 * 1024
    stdout_total: int = 4 * MB
    """After this much output the pipe is closed and printing raises BrokenPipeError."""
    gpu: bool = False
    """Whether the run may reach the GPU's devices."""
    gpu_memory: int = 8192 * MB
    """What a run on a GPU may add to the GPU's used memory, looked at from outside ten times a second."""

    def for_device(self, device: str) -> Self:
        """These limits; for CUDA without one on address space, of which its driver reserves tens of gigabytes, and with
        the time, memory and descriptors that a context takes."""
        if device != "cuda":
            return self
        raised = {name: max(getattr(self, name), least) for name, least in CUDA.items()}
        return replace(self, gpu=True, address_space=1 << 46, **raised)

    def for_profile(self, profile: str) -> Self:
        """These limits, raised to the least that the profile can work with. A compiler needs minutes and room."""
        return replace(
            self, **{name: max(getattr(self, name), least) for name, least in LEAST.get(profile, {}).items()}
        )


CUDA: dict[str, int] = {
    "wall_seconds": 60,
    "call_seconds": 30,
    "cpu_seconds": 60,
    "memory": 6144 * MB,
    "open_files": 256,
}
"""Limit -> what a run on a GPU gets at least."""

LEAST: dict[str, dict[str, int]] = {
    "workers": {"open_files": 256},
    "dist": {"open_files": 256},
    "compile": {
        "wall_seconds": 120,
        "call_seconds": 100,
        "cpu_seconds": 100,
        "address_space": 8192 * MB,
        "memory": 4096 * MB,
        "file_size": 512 * MB,
        "open_files": 512,
        "scratch": 1024 * MB,
        "scratch_files": 20_000,
    },
}
"""Profile -> limit -> the smallest value with which the profile's features run."""


def apply_rlimits(limits: Limits, *, own_user: bool) -> None:
    """Set the process's rlimits, hard ones too, so that they cannot be raised again.

    Stops: processor hogs (even those that ignore signals), allocation past the address space, large files, many open
    files, core dumps, and with `own_user` fork and thread bombs. Does not stop: sleeping (the wall deadline does),
    filling a disk with many files (the sized tmpfs does), memory in tmpfs (its size does).
    """
    import resource  # there is none on Windows, where this module is imported for its defaults

    caps = {
        resource.RLIMIT_CPU: (limits.cpu_seconds, limits.cpu_seconds + 1),
        resource.RLIMIT_AS: (limits.address_space, limits.address_space),
        resource.RLIMIT_FSIZE: (limits.file_size, limits.file_size),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
    }
    if own_user:
        caps[resource.RLIMIT_NPROC] = (limits.processes, limits.processes)
    for which, wanted in caps.items():
        ceiling = resource.getrlimit(which)[1]
        soft, hard = wanted if ceiling == resource.RLIM_INFINITY else (min(cap, ceiling) for cap in wanted)
        resource.setrlimit(which, (soft, hard))
