"""What a container engine is asked for, and what is said where none answers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interviewer.errors import OperatorError
from interviewer.sandbox import Limits, TorchSandbox, docker
from interviewer.sandbox.limits import MB

CONTAINER = docker.Container("viva", "/srv/viva/sandbox", "/run/viva")
LIMITS = Limits(memory=1000 * MB, arena=100 * MB, scratch=10 * MB, scratch_files=50, processes=20, open_files=64)


def asked(runs: int = 1, container: docker.Container = CONTAINER) -> list[str]:
    return docker.arguments("docker", container, LIMITS, {"LANG": "C.UTF-8"}, runs=runs)


def value(words: list[str], option: str) -> list[str]:
    return [words[n + 1] for n, word in enumerate(words) if word == option]


def test_every_wall_is_asked_for() -> None:
    """No network, nothing to write, no power to gain, no user of the host's, no image fetched."""
    words = asked()
    assert value(words, "--network") == ["none"]
    assert "--read-only" in words
    assert value(words, "--cap-drop") == ["ALL"]
    assert value(words, "--security-opt") == ["no-new-privileges"]
    assert value(words, "--user") == ["65534:65534"]
    assert value(words, "--pull") == ["never"]
    assert "--privileged" not in words
    assert all(volume.endswith(":ro") for volume in value(words, "--volume"))


def test_the_bounds_follow_the_limits_and_the_number_of_runs() -> None:
    """Swap included: the two options are one sum."""
    one, two = asked(1), asked(2)
    assert value(one, "--memory") == value(one, "--memory-swap") == [str((1024 + 1120) * MB)]
    assert value(two, "--memory") == [str((1024 + 2 * 1120) * MB)]
    assert value(two, "--pids-limit") == ["58"]
    assert value(two, "--cpus") == ["2"]
    assert all("size=20971520,nr_inodes=100" in room and "noexec" in room for room in value(two, "--tmpfs"))
    assert len(value(two, "--tmpfs")) == 2


def test_the_image_comes_after_all_options_and_before_python() -> None:
    """A runtime with a kernel of its own is asked for by name, and only then."""
    words = asked()
    assert words[:2] == ["docker", "run"]
    assert words[words.index("viva") + 1] == "python"
    assert not [word for word in words[words.index("viva") :] if word.startswith("--")]
    assert "--runtime" not in words
    assert value(asked(container=docker.Container("viva", "/a", "/b", runtime="runsc")), "--runtime") == ["runsc"]


def test_no_engine_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that was tried, and why not; the same when the backend is asked for by name."""
    monkeypatch.setattr(docker, "ENGINES", ("nowhere", "false"))
    with pytest.raises(OperatorError, match="nowhere: not installed; false: no answer") as caught:
        docker.engine()
    assert "docker or podman" in caught.value.hint
    with pytest.raises(OperatorError, match="no container engine answers"):
        TorchSandbox(backend="docker").describe()


def test_an_engine_that_answers_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that hangs is passed over. Runs in containers are still refused, in words."""
    for name, body in (("slow", "import time; time.sleep(9)"), ("quick", "pass")):
        (tmp_path / name).write_text(f"#!{sys.executable}\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(docker, "ENGINES", ("slow", "quick"))
    monkeypatch.setattr(docker, "ANSWER_SECONDS", 1.0)
    assert docker.engine() == "quick"
    assert "not supported yet" in str(docker.refuse())
