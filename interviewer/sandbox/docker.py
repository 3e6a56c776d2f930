"""A container around the fork server and all runs, made by docker or podman: bubblewrap's walls, built by an engine.

The container has no network, a root that cannot be written to, no capability, a user id that no account has, and bounds
on memory, processors and processes. In it lie Python and torch: the host's own, bound read-only into an image without
any file, or those of `VIVA_DOCKER_IMAGE`. The fork server calls the parent back through a socket in a bound folder,
which is taken away once it has answered; descriptors travel over it, so engine and parent must share a kernel. Each
child then adds Landlock and seccomp, as in bubblewrap.

Stops: seeing host files, processes, sockets and networks; writing anywhere but the run's own scratch folder; seeing
other runs. Does not stop: a kernel bug (run all of Viva in a virtual machine for that), or a run that fills the scratch
space which runs share (its size is bounded, and the fork server ends a run with too many files).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from . import bubblewrap, namespaces
from .limits import MB, Limits

ENGINES = ("docker", "podman")
ANSWER_SECONDS = 10.0
CODE, CONTROL = "/sandbox", "/control"
"""Where this package and the control socket lie inside."""
SCRATCH = bubblewrap.SCRATCH
FIRST_UID, UIDS = 60_706, 477
"""User ids that neither accounts nor systemd use, inside what a user's own container can map."""
OPEN_FILES = 1024
"""The fork server's, which holds some for every run; its children get what the limits say."""
LIBRARIES = 1024 * MB
"""Memory for the fork server itself, beside what the runs may take."""

_CLEAN = "import json, os, sys; os.execve(sys.executable, [sys.executable, *sys.argv[2:]], json.loads(sys.argv[1]))"
"""Leaves what image and engine put into the environment behind."""


class NoEngine(OSError):
    """No container engine answers; says which were tried and why not."""


@dataclass(frozen=True)
class Wanted:
    """What a container is to hold: an image with torch (empty: the host's own Python), and room for so many runs."""

    image: str = ""
    limits: Limits = field(default_factory=Limits)
    runs: int = 1


@dataclass(frozen=True)
class Folders:
    """What the container sees of the host: (path there, path inside), all of it read-only."""

    bound: tuple[tuple[str, str], ...]

    def words(self) -> Iterator[str]:
        for outside, inside in self.bound:
            if ":" in outside + inside:
                raise OSError(f"an engine cannot bind a path with a colon: {outside}")
            yield from ("--volume", f"{outside}:{inside}:ro")


def arguments(program: str, wanted: Wanted, *, name: str, image: str, folders: Folders) -> list[str]:
    """The engine's words up to the image. Depends on nothing but what it is given and this process's number."""
    limits, runs = wanted.limits, wanted.runs
    user = FIRST_UID + os.getpid() % UIDS
    words = [program, "run", "--rm", "--name", name, "--pull", "never", "--log-driver", "none"]
    words += ["--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    words += ["--user", f"{user}:{user}", "--ipc", "private", "--hostname", "sandbox", "--workdir", "/tmp"]
    words += ["--tmpfs", f"/tmp:rw,noexec,nosuid,nodev,mode=1777,size={limits.scratch * (runs + 1)}"]
    words += ["--shm-size", "1m"]
    processes = str(16 + (limits.processes + 1) * runs)
    words += ["--pids-limit", processes, "--ulimit", f"nproc={processes}:{processes}"]
    memory = str(LIBRARIES + (limits.memory + limits.arena) * runs + limits.scratch * (runs + 1))
    words += ["--memory", memory, "--memory-swap", memory, "--cpus", str(runs)]
    words += ["--ulimit", "core=0:0", "--ulimit", f"nofile={OPEN_FILES}:{OPEN_FILES}"]
    return [*words, *folders.words(), "--entrypoint", "python" if wanted.image else sys.executable, image]


def engine() -> str:
    """The first engine that answers. Raises NoEngine."""
    faults = []
    for name in ENGINES:
        if shutil.which(name) is None:
            faults.append(f"{name}: not installed")
            continue
        try:
            done = _ask(name, "info")
        except (OSError, subprocess.TimeoutExpired) as error:
            faults.append(f"{name}: {type(error).__name__}")
            continue
        if done.returncode == 0:
            return name
        faults.append(f"{name}: {_last(done.stderr)}")
    raise NoEngine(f"no container engine answers ({'; '.join(faults)})")


def host_folders(empty: str) -> Iterator[tuple[str, str]]:
    """The host's Python, its packages and the libraries they need. `empty` lies over what this project has in them."""
    python = bubblewrap.python_folders()
    for folder in (*namespaces.SYSTEM_FOLDERS, *python, *namespaces.ETC_FILES):
        if os.path.exists(folder) and not os.path.islink(folder):
            yield folder, folder
    shown = tuple(f"{folder}/" for folder in (*namespaces.SYSTEM_FOLDERS, *python))
    for path in dict.fromkeys(namespaces.own_code()):
        installed = Path(path).name in namespaces.OWN_PACKAGES
        if os.path.isdir(path) and path.startswith(shown) and (installed or path.startswith("/usr/")):
            yield empty, path


def skeleton() -> bytes:
    """A tar archive of folders to bind into and the few files of /etc: an image without a program."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for folder in ("tmp", "proc", "sys", "dev", "etc", "usr", CODE[1:], CONTROL[1:]):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if folder == "tmp" else 0o755  # podman copies its mode
            tar.addfile(entry)
        for folder in namespaces.SYSTEM_FOLDERS:
            if os.path.islink(folder):
                entry = tarfile.TarInfo(folder[1:])
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(folder)
                tar.addfile(entry)
        for name, text in namespaces.etc_files():
            entry = tarfile.TarInfo(f"etc/{name}")
            entry.size, entry.mode = len(text), 0o644
            tar.addfile(entry, io.BytesIO(text.encode()))
    return archive.getvalue()


class Container:
    """A started container and the socket to the fork server in it. Raises OSError when there is none to be had."""

    def __init__(self, wanted: Wanted, environment: Mapping[str, str], program: Sequence[str], seconds: float) -> None:
        """`program` is what Python is given to run inside, with CODE and the socket's path as its arguments."""
        self.engine = engine()
        self.name = f"viva-{os.getpid()}-{secrets.token_hex(4)}"
        self._folder = tempfile.mkdtemp(prefix="viva-container-")
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self.process = self._start(wanted, environment, program)
            self.control = self._answer(self.process, time.monotonic() + seconds)
        except BaseException:
            self._end()
            raise
        finally:
            self._listener.close()
            shutil.rmtree(self._folder, ignore_errors=True)  # what is bound into the container stays there

    def _start(self, wanted: Wanted, environment: Mapping[str, str], program: Sequence[str]) -> subprocess.Popen[bytes]:
        control, empty = Path(self._folder, "control"), Path(self._folder, "empty")
        for folder in (control, empty):
            folder.mkdir()
            folder.chmod(0o755)  # below a folder that is its owner's alone: on the host nobody else gets here
        path = str(control / "socket")
        self._listener.bind(path)
        os.chmod(path, 0o666)  # noqa: S103 - whatever user the engine maps; see the folder above
        self._listener.listen(1)
        bound = [(str(Path(__file__).parent), CODE), (str(control), CONTROL)]
        if not wanted.image:
            bound += host_folders(str(empty))
        image = wanted.image or self._empty_image()
        words = arguments(self.engine, wanted, name=self.name, image=image, folders=Folders(tuple(bound)))
        inside = [json.dumps(dict(environment)), *program, CODE, f"{CONTROL}/socket"]
        with open(Path(self._folder, "words"), "wb") as said:
            return subprocess.Popen(
                [*words, "-I", "-S", "-c", _CLEAN, *inside],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
            )

    def _answer(self, process: subprocess.Popen[bytes], deadline: float) -> socket.socket:
        """The socket that the fork server calls back on: the first caller, and there is only one."""
        while not select.select([self._listener], [], [], 0.05)[0]:
            if process.poll() is not None:
                raise OSError(f"{self.engine}: {_last(Path(self._folder, 'words').read_text(errors='replace'))}")
            if time.monotonic() > deadline:
                raise OSError(f"{self.engine}: the container did not answer")
        return self._listener.accept()[0]

    def _empty_image(self) -> str:
        """The image without a program, made where the engine does not have it yet."""
        archive = skeleton()
        name = f"viva-host:{hashlib.sha256(archive).hexdigest()[:12]}"
        if _ask(self.engine, "image", "inspect", name).returncode:
            done = _ask(self.engine, "import", "-", name, given=archive)
            if done.returncode:
                raise OSError(f"{self.engine} import: {_last(done.stderr)}")
        return name

    def close(self) -> None:
        """End it. The control socket must have been closed, at which the fork server ends by itself."""
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(3.0)
        self._end()

    def _end(self) -> None:
        process = self.process
        if process is not None and process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                _ask(self.engine, "rm", "--force", self.name)
            try:
                process.wait(ANSWER_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _ask(program: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program, *words], input=given, capture_output=True, timeout=ANSWER_SECONDS, check=False)


def _last(said: bytes | str) -> str:
    """The last line that a program printed."""
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return (text.strip().splitlines() or ["no answer"])[-1][:300]
