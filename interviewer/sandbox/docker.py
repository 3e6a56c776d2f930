"""A container around the fork server: how an engine is asked for one, and what to say where none answers.

Not run: no engine was at hand, so only the arguments are tested, and `backend="docker"` is refused with a hint. Inside
a container runs would get the layers of `landlock`; the container adds a network, a root and bounds of its own.
Stops: what a container stops. Does not stop: a kernel bug; against that the engine needs a runtime with its own kernel.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.errors import OperatorError

from .limits import MB, Limits

ENGINES = ("docker", "podman")
ANSWER_SECONDS = 5.0
USER = "65534:65534"


@dataclass(frozen=True)
class Container:
    """What is run: an image that has torch, this package's folder and the folder of the control socket, on the host."""

    image: str
    package: str
    control: str
    runtime: str = ""
    """The engine's name of a runtime, for instance runsc; empty is its default."""


def arguments(
    engine: str, container: Container, limits: Limits, environment: Mapping[str, str], *, runs: int
) -> list[str]:
    """The command that starts the fork server for `runs` runs at once. Depends on nothing but what it is given."""
    per_run = limits.memory + limits.arena + 2 * limits.scratch
    words = [engine, "run", "--rm", "--init", "--interactive", "--pull", "never"]
    words += ["--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    words += ["--user", USER, "--ipc", "private", "--hostname", "sandbox", "--workdir", "/tmp", "--log-driver", "none"]
    for folder in ("/tmp", "/dev/shm"):
        room = f"rw,noexec,nosuid,nodev,size={limits.scratch * runs},nr_inodes={limits.scratch_files * runs}"
        words += ["--tmpfs", f"{folder}:{room}"]
    words += ["--pids-limit", str(16 + (limits.processes + 1) * runs)]
    memory = str(1024 * MB + per_run * runs)
    words += ["--memory", memory, "--memory-swap", memory, "--cpus", str(runs)]
    words += ["--ulimit", "core=0", "--ulimit", f"nofile={limits.open_files}:{limits.open_files}"]
    words += ["--volume", f"{container.package}:/sandbox:ro", "--volume", f"{container.control}:/control:ro"]
    if container.runtime:
        words += ["--runtime", container.runtime]
    for name, value in environment.items():
        words += ["--env", f"{name}={value}"]
    return [*words, container.image, "python", "-I", "-B", "-X", "utf8"]


def engine() -> str:
    """The first engine that answers. OperatorError where none does."""
    faults = []
    for name in ENGINES:
        if shutil.which(name) is None:
            faults.append(f"{name}: not installed")
            continue
        try:
            done = subprocess.run(
                [name, "info"], capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False, errors="replace"
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            faults.append(f"{name}: {type(error).__name__}")
            continue
        if done.returncode == 0:
            return name
        faults.append(f"{name}: {(done.stderr.strip().splitlines() or ['no answer'])[-1][:200]}")
    raise OperatorError(
        f"no container engine answers ({'; '.join(faults)})", hint="start docker or podman, or use another backend"
    )


def refuse() -> OperatorError:
    """What to say to backend="docker": which engine is missing, or that runs in containers are not connected yet."""
    try:
        found = engine()
    except OperatorError as error:
        return error
    return OperatorError(
        f"{found} answers, but runs in containers of their own are not supported yet",
        hint="run all of Viva in a container: the sandbox inside it takes the strongest backend it is allowed",
    )
