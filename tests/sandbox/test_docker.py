"""What a container engine is asked for, how the fork server in a container is reached, and what is said where none is.

An engine of the test's own runs the program on this machine, without walls, so that the transport is tried everywhere;
with a real engine the attacks are tried too (tests/attacks).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import interviewer
from interviewer.errors import OperatorError
from interviewer.sandbox import Limits, TorchSandbox, docker, launch, namespaces, runner
from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.landlock import MINIMUM, abi
from interviewer.sandbox.limits import MB

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="descriptors travel between Linux kernels")

LIMITS = Limits(memory=1000 * MB, arena=100 * MB, scratch=10 * MB, processes=20)
FOLDERS = docker.Folders((("/srv/viva/sandbox", "/sandbox"), ("/run/viva", "/control")))
ENGINE = """#!{python}
import os, sys
words = sys.argv[1:]
with open({folder!r} + "/asked", "a") as log:
    print(" ".join(words[:2]), file=log)
if words[0] == "import":
    open({folder!r} + "/imported", "wb").write(sys.stdin.buffer.read())
if words[:2] == ["image", "inspect"]:
    sys.exit(not os.path.exists({folder!r} + "/imported"))
if words[0] == "run":
    {run}
    bound = [word.split(":") for before, word in zip(words, words[1:]) if before == "--volume"]
    at = words.index("--entrypoint")
    inside = words[at + 3:]
    for outside, place, _ in bound[:2]:
        inside = [outside + word.removeprefix(place) if word.startswith(place) else word for word in inside]
    os.execv(words[at + 1], [words[at + 1], *inside])
"""


def asked(wanted: docker.Wanted) -> list[str]:
    return docker.arguments("docker", wanted, name="viva-1", image="img", folders=FOLDERS)


def value(words: list[str], option: str) -> list[str]:
    return [words[n + 1] for n, word in enumerate(words) if word == option]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only engine there is runs programs here. Its log is the file `asked`; what it ran is not confined by it."""
    yield install(tmp_path, monkeypatch)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, run: str = "pass") -> Path:
    program = folder / "podman"
    program.write_text(ENGINE.format(python=sys.executable, folder=str(folder), run=run))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setitem(launch.FOLDERS, "docker", str(folder / "runs"))
    monkeypatch.setattr(launch, "_PROBED", {"docker": None})
    return folder


def test_every_wall_is_asked_for() -> None:
    """No network, nothing to write, no power to gain, no user of the host's, no image fetched."""
    words = asked(docker.Wanted(limits=LIMITS))
    assert value(words, "--network") == ["none"]
    assert "--read-only" in words
    assert value(words, "--cap-drop") == ["ALL"]
    assert value(words, "--security-opt") == ["no-new-privileges"]
    assert value(words, "--pull") == ["never"]
    user = value(words, "--user")[0].split(":")
    assert user[0] == user[1]
    assert 60_000 < int(user[0]) < 61_184
    assert not {"--privileged", "--cap-add", "--device", "--env", "--publish"} & set(words)
    assert all(volume.endswith(":ro") for volume in value(words, "--volume"))
    assert "noexec" in value(words, "--tmpfs")[0]


def test_the_bounds_follow_the_limits_and_the_number_of_runs() -> None:
    """Swap included: the two options are one sum."""
    one, two = (asked(docker.Wanted(limits=LIMITS, runs=runs)) for runs in (1, 2))
    assert value(one, "--memory") == value(one, "--memory-swap") == [str((1024 + 1100 + 20) * MB)]
    assert value(two, "--memory") == [str((1024 + 2 * 1100 + 30) * MB)]
    assert value(two, "--pids-limit") == ["58"]
    assert "nproc=58:58" in value(two, "--ulimit")
    assert value(two, "--cpus") == ["2"]
    assert f"size={30 * MB}" in value(two, "--tmpfs")[0]


def test_python_is_the_hosts_or_the_images() -> None:
    """The image comes last; what it would have started is not started."""
    assert asked(docker.Wanted())[-3:] == ["--entrypoint", sys.executable, "img"]
    assert asked(docker.Wanted("torch"))[-3:] == ["--entrypoint", "python", "img"]


def test_only_libraries_are_bound_and_this_project_is_covered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No home and no checkout; an installed copy of this package, with its checks, has an empty folder over it."""
    packages = tmp_path / "site-packages"
    (packages / "interviewer").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])
    bound = {inside: outside for outside, inside in docker.host_folders("/empty")}
    assert bound[str(packages)] == str(packages)
    assert bound[str(packages / "interviewer")] == "/empty"
    assert str(Path(interviewer.__path__[0]).parent) not in bound
    assert "/" not in bound
    assert "/etc" not in bound


def test_a_path_that_an_engine_cannot_bind_is_named() -> None:
    """A colon would cut it in two."""
    with pytest.raises(OSError, match="colon: /srv/a:b"):
        list(docker.Folders((("/srv/a:b", "/sandbox"),)).words())


def test_the_empty_image_has_no_program() -> None:
    """Folders, links and four files of /etc that name nobody of this machine."""
    with tarfile.open(fileobj=io.BytesIO(docker.skeleton())) as tar:
        members = {member.name: member for member in tar}
    assert {name for name, member in members.items() if member.isfile()} == {
        f"etc/{name}" for name, _ in namespaces.etc_files()
    }
    assert members["tmp"].mode == 0o1777
    assert docker.skeleton() == docker.skeleton()


def test_no_engine_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that was tried, and why not; the same when the backend is asked for by name."""
    monkeypatch.setattr(docker, "ENGINES", ("nowhere", "false"))
    monkeypatch.setattr(launch, "_PROBED", {})
    with pytest.raises(docker.NoEngine, match="nowhere: not installed; false: no answer"):
        docker.engine()
    with pytest.raises(OperatorError, match="docker: no container engine answers"):
        TorchSandbox(backend="docker").describe()


def test_an_engine_that_answers_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that hangs is passed over."""
    for name, body in (("slow", "import time; time.sleep(9)"), ("quick", "pass")):
        (tmp_path / name).write_text(f"#!{sys.executable}\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(docker, "ENGINES", ("slow", "quick"))
    monkeypatch.setattr(docker, "ANSWER_SECONDS", 1.0)
    assert docker.engine() == "quick"


def test_what_the_engine_says_is_handed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its last words are the reason; nothing is left of the folder for the socket."""
    install(tmp_path, monkeypatch, run='print("no such runtime", file=sys.stderr); sys.exit(125)')
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(launch, "_PROBED", {})
    assert launch.probe("docker") == "podman: no such runtime"
    assert not list(tmp_path.glob("viva-container-*"))


def test_a_container_that_never_answers_is_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After a while, by its name."""
    install(tmp_path, monkeypatch, run="import time; time.sleep(5); sys.exit()")
    monkeypatch.setattr(docker, "ANSWER_SECONDS", 0.5)
    with pytest.raises(OSError, match="did not answer"):
        docker.Container(docker.Wanted(), {}, [], 0.3)
    assert "rm --force" in (tmp_path / "asked").read_text()


def test_the_weakest_that_is_accepted_may_be_docker(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands between bubblewrap and landlock; nothing below it is then taken."""
    assert BACKENDS.index("bubblewrap") < BACKENDS.index("docker") < BACKENDS.index("landlock")
    monkeypatch.setattr(launch, "_PROBED", {"namespaces": "no", "bubblewrap": "no", "docker": None, "landlock": None})
    choice = launch.choose(None, "docker")
    assert (choice.backend, "container" in choice.layers) == ("docker", True)
    with pytest.raises(OperatorError, match="weaker"):
        launch.choose("landlock", "docker")


walled = pytest.mark.skipif(abi() < MINIMUM if sys.platform == "linux" else True, reason="there is no Landlock")


@walled
def test_runs_and_checks_over_the_socket(engine: Path) -> None:
    """Descriptors and verdicts travel, the environment is the given one, and the image is made once."""
    with TorchSandbox(Limits(wall_seconds=20.0, call_seconds=2.0), backend="docker") as sandbox:
        result = sandbox.run("import os\nprint(6 * 7, sorted(os.environ))")
        assert (result.verdict, result.backend) == ("passed", "docker"), result
        assert result.stdout.startswith("42 ")
        assert str(engine) not in result.stdout
        assert sandbox.run("while True: pass").reason in ("wall_clock", "cpu_time")
        assert sandbox.run("open('mine', 'w').write('x')\nprint(open('mine').read())").stdout == "x\n"
        assert sandbox.run("print(open('mine').read())").reason == "exception"
        server = sandbox.pid
    assert server is not None
    assert not Path(f"/proc/{server}").exists()
    assert (engine / "asked").read_text().splitlines().count("import -") == 1
    assert not list(engine.glob("runs/*"))


@walled
def test_a_run_ends_when_the_parent_may_not_signal_it(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's user id is not the parent's: the fork server ends what nobody waits for."""

    def refused(pidfd: int, number: int) -> None:
        raise PermissionError

    mark = f"{os.getpid()}{time.monotonic_ns()}"
    with TorchSandbox(Limits(wall_seconds=20.0, call_seconds=1.0), backend="docker") as sandbox:
        sandbox.warm()
        monkeypatch.setattr(signal, "pidfd_send_signal", refused)
        result = sandbox.run(f"import ctypes\nctypes.CDLL(None).prctl(15, b'v{mark[-12:]}', 0, 0, 0)\nwhile True: pass")
        assert result.reason == "wall_clock"
        ends = time.monotonic() + 5
        while f"v{mark[-12:]}" in names() and time.monotonic() < ends:
            time.sleep(0.05)
        assert f"v{mark[-12:]}" not in names()
        assert sandbox.run("print(1)").stdout == "1\n"


def names() -> list[str]:
    """What the processes of this machine are called."""
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            found.append(path.read_text().strip())
        except OSError:
            continue
    return found


def test_the_setting_reaches_the_engine() -> None:
    """VIVA_DOCKER_IMAGE, by way of the constructor."""
    sandbox = TorchSandbox(docker_image="torch:1", concurrency=3)
    assert sandbox._container == docker.Wanted("torch:1", sandbox.limits, 3)
    assert runner.ALLOWED["docker"] == ("base",)


def test_a_real_container_bounds_memory_and_survives_it() -> None:
    """The kernel ends the run, not the fork server, and the reason is memory. Only where an engine works."""
    if (fault := launch.probe("docker")) is not None:
        pytest.skip(f"no container here: {fault}")
    small = Limits(wall_seconds=30.0, call_seconds=20.0, memory=100 * MB, arena=64 * MB, scratch=16 * MB)
    with TorchSandbox(small, backend="docker", concurrency=1) as sandbox:
        sandbox.warm()
        server = sandbox.pid
        hog = "keep = []\nwhile True: keep.append(bytearray(b'x' * (16 << 20))); print(len(keep), flush=True)"
        result = sandbox.run(hog)
        assert (result.verdict, result.reason) == ("memory", "memory"), result
        assert int(result.stdout.split()[-1]) < 100
        assert sandbox.run("print(1)").stdout == "1\n"
        assert sandbox.pid == server
