"""The GPU as far as it can be tried without one: choice, refusal, one at a time, memory watched, tensors carried."""

from __future__ import annotations

import ctypes
import fcntl
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.config import load_config
from interviewer.domain import Exercise
from interviewer.errors import OperatorError
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox import gpu as gpu_module
from interviewer.sandbox.devices import Carrier
from interviewer.sandbox.gpu import LOCK, Gpu, alone, choose, find, watch
from interviewer.sandbox.launch import probe
from interviewer.sandbox.limits import Limits

torch = pytest.importorskip("torch")

THERE = Gpu(ctypes.CDLL(None), ctypes.c_void_p())
ONE = "def check_one(sut):\n    assert sut.one() == 1\n"


@pytest.mark.parametrize(
    ("asked", "backend", "gpu", "expected"),
    [
        ("cpu", "process", THERE, "cpu"),
        ("auto", "process", None, "cpu"),
        ("auto", "process", THERE, "cuda"),
        ("cuda", "process", THERE, "cuda"),
        ("auto", "namespaces", THERE, "cuda"),
        ("cuda", "bubblewrap", THERE, "cuda"),
        ("auto", "landlock", THERE, "cpu"),
        ("auto", "docker", THERE, "cpu"),
    ],
)
def test_the_device_is_what_is_asked_for_and_there(asked: str, backend: str, gpu: Gpu | None, expected: str) -> None:
    """`auto` never fails; walls that let no run reach the GPU keep it on the CPU."""
    assert choose(asked, backend, gpu) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("backend", "gpu", "message"), [("process", None, "no GPU here"), ("landlock", THERE, "lets no run reach")]
)
def test_cuda_that_cannot_be_had_is_refused(backend: str, gpu: Gpu | None, message: str) -> None:
    """In words that say what to do, never by a silent CPU run."""
    with pytest.raises(OperatorError, match=message) as caught:
        choose("cuda", backend, gpu)
    assert "VIVA_DEVICE" in (caught.value.hint or "")


@pytest.mark.skipif(find() is not None, reason="there is a GPU")
def test_a_check_on_a_gpu_that_is_not_there(make_exercise: Callable[..., Exercise]) -> None:
    """Through the whole sandbox: `cuda` is refused, `auto` runs on the CPU and says so."""
    with TorchSandbox(device="cuda") as sandbox, pytest.raises(OperatorError, match="cuda was asked for"):
        sandbox.check(make_exercise(ONE), "def one():\n    return 1")
    with TorchSandbox(device="auto") as sandbox:
        result = sandbox.check(make_exercise(ONE), "def one():\n    return 1")
    assert (result.verdict, result.device, result.on_gpu) == ("passed", "cpu", ())


class Meter(Gpu):
    """A GPU that only tells how much of it is used: more at each look."""

    def __init__(self, step: int) -> None:
        self.step, self.told = step, 0

    def used(self) -> int:
        self.told += self.step
        return self.told


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_both_results_are_told_apart(make_exercise: Callable[..., Exercise], monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch cannot reach the GPU that is said to be there: `auto` stands by the CPU's result, `cuda` does not."""
    monkeypatch.setattr("interviewer.sandbox.gpu.find", lambda: Meter(0))
    checks = "import torch\ndef check_one(sut):\n    assert sut.one(torch.ones(1)) == 1\n"
    for device, verdict in (("auto", "passed"), ("cuda", "failed")):
        with TorchSandbox(device=device, backend="process") as sandbox:  # type: ignore[arg-type]
            result = sandbox.check(make_exercise(checks), "def one(x):\n    return x")
        assert (result.verdict, result.checks[0].outcome, result.on_gpu[0].outcome) == (verdict, "passed", "failed")
        assert result.device == ("cuda" if device == "cuda" else "cpu")


def test_taking_too_much_of_it_ends_the_run(
    make_exercise: Callable[..., Exercise], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From outside, whatever the code does about it."""
    monkeypatch.setattr("interviewer.sandbox.gpu.find", lambda: Meter(3 << 30))
    checks = "def check_one(sut):\n    assert sut.one() == 1\n"
    code = "import os, time\ndef one():\n    if os.environ['CUDA_VISIBLE_DEVICES']: time.sleep(8)\n    return 1\n"
    with TorchSandbox(device="cuda", backend="process") as sandbox:
        result = sandbox.check(make_exercise(checks), code)
    assert (result.verdict, result.reason, result.device) == ("memory", "gpu_memory", "cuda")
    assert result.seconds < 4


def test_the_setting_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """VIVA_DEVICE takes three words."""
    monkeypatch.setenv("VIVA_DEVICE", "cuda")
    assert load_config().device == "cuda"
    monkeypatch.setenv("VIVA_DEVICE", "tpu")
    with pytest.raises(OperatorError, match="VIVA_DEVICE"):
        load_config()


def test_the_gpu_is_held_by_one_run_at_a_time(tmp_path: Path) -> None:
    """The second waits, and gives up with a reason."""
    with alone(1.0, tmp_path), pytest.raises(TimeoutError), alone(0.1, tmp_path):
        pass
    with alone(0.0, tmp_path):
        pass


def test_the_lock_keeps_other_processes_out_too(tmp_path: Path) -> None:
    """It is a file's lock, gone with whoever held it."""
    path = tmp_path / LOCK.format(uid=os.getuid())
    fd = os.open(path, os.O_CREAT | os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    threading.Timer(0.2, os.close, (fd,)).start()
    started = time.monotonic()
    with alone(5.0, tmp_path):
        assert time.monotonic() - started > 0.1


def test_memory_is_watched_from_outside() -> None:
    """What was used before the run does not count."""
    used = [100]
    look = watch(lambda: used[0], limit=50)
    assert look() == ""
    used[0] = 150
    assert look() == ""
    used[0] = 151
    assert look() == "gpu_memory"


def test_cuda_needs_address_space_without_end() -> None:
    """The driver reserves tens of gigabytes of it; the CPU's limits stay."""
    assert Limits().for_device("cpu") == Limits()
    cuda = Limits().for_device("cuda")
    assert cuda.address_space > 1 << 40
    assert cuda.gpu and not Limits().gpu
    assert cuda.call_seconds >= 30
    assert Limits(call_seconds=99.0).for_device("cuda").call_seconds == 99.0


def test_tensors_are_carried_there_and_back() -> None:
    """Tried with torch's device without memory, which takes the same way."""
    carrier = Carrier("meta")
    there = carrier.there((torch.ones(2), [{"x": torch.zeros(1)}, 3]))
    assert there[0].device.type == "meta"
    assert there[1][0]["x"].device.type == "meta"
    assert there[1][1] == 3
    assert Carrier("cpu").there(there) is there


def test_a_change_over_there_is_seen_here() -> None:
    """So that damage to inputs is found on a GPU as well."""
    carrier, x, y = Carrier("cpu"), torch.ones(2), torch.ones(2)
    moved = x.clone()
    carrier.device = "elsewhere"
    carrier._carried = [(x, moved, moved._version), (y, y.clone(), 0)]
    moved += 1
    carrier.back(None)
    assert x.tolist() == [2.0, 2.0]
    assert y.tolist() == [1.0, 1.0]


def test_the_fork_server_has_not_touched_cuda(sandbox: TorchSandbox) -> None:
    """A child that inherits a context could not use it; it asks through NVML and sees no device."""
    code = "import os, torch\nprint(torch.cuda.is_initialized(), os.environ['PYTORCH_NVML_BASED_CUDA_CHECK'],"
    code += " repr(os.environ['CUDA_VISIBLE_DEVICES']), torch.cuda.is_available())"
    assert sandbox.run(code).stdout == "False 1 '' False\n"


TRY = """
import os
def one():
    path = "/dev/nvidia0"
    said = ["seen" if os.path.exists(path) else "absent"]
    for mode in (os.O_RDONLY, os.O_RDWR):
        try:
            fd = os.open(path, mode)
        except OSError as error:
            said.append(type(error).__name__)
            continue
        said.append("open")
        os.close(fd)
    return said + [os.environ["CUDA_VISIBLE_DEVICES"]]
"""


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A device that does nothing, by the name of the driver's first, and a GPU that is said to be there."""
    path = str(tmp_path / "nvidia0")
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        Path(path).chmod(0o666)
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    monkeypatch.setattr("interviewer.sandbox.gpu.find", lambda: Meter(0))
    monkeypatch.setattr("interviewer.sandbox.gpu.nodes", lambda: (path,))
    return path


@pytest.mark.parametrize("backend", ["namespaces", "bubblewrap"])
def test_a_run_on_the_gpu_reaches_its_devices_and_no_other_run_does(
    make_exercise: Callable[..., Exercise], node: str, backend: str
) -> None:
    """Inside the walls they can be opened for writing in that run alone."""
    if (fault := probe(backend)) is not None:
        pytest.skip(fault)
    passes = make_exercise("def check_one(sut):\n    assert sut.one()\n")
    tells = TRY.replace("def one", "def tell") + (
        "\ndef one():\n    said = tell()\n    if said[-1]:\n        raise ValueError(' '.join(said))\n    return 1\n"
    )
    with TorchSandbox(device="cuda", backend=backend) as sandbox:
        on_gpu = sandbox.check(passes, tells)
        assert on_gpu.checks[0].outcome == "passed"
        assert "seen open open 0" in on_gpu.on_gpu[0].message, on_gpu
        on_cpu = sandbox.run(f"{TRY}\nprint(*one())")
    assert on_cpu.stdout.split()[2] == "PermissionError"


@pytest.mark.parametrize("backend", ["namespaces", "bubblewrap"])
def test_without_a_gpu_wanted_no_device_is_there(node: str, backend: str) -> None:
    """Not even to be seen."""
    if (fault := probe(backend)) is not None:
        pytest.skip(fault)
    with TorchSandbox(device="cpu", backend=backend) as sandbox:
        assert sandbox.run(f"{TRY}\nprint(*one())").stdout.startswith("absent")


def test_the_drivers_devices_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbered ones and the two for control and memory; no folder."""
    for name in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm", "nvidia-modeset"):
        (tmp_path / name).touch()
    (tmp_path / "nvidia-caps").mkdir()
    monkeypatch.setattr(
        "interviewer.sandbox.gpu.NODES", tuple(p.replace("/dev", str(tmp_path)) for p in gpu_module.NODES)
    )
    found = [Path(path).name for path in gpu_module.nodes()]
    assert found == ["nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"]
