"""The vector store's life: building once, crashes, neighbours, damage. Searching is tested in contracts/."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.adapters.chroma import ChromaIndex, build_or_open, build_or_open_on_server
from interviewer.adapters.fakes import HashEmbedder
from interviewer.errors import OperatorError
from interviewer.retrieval.documents import content_hash, documents
from tests.retrieval.mini_bank import PAIRS

DOCUMENTS = documents(PAIRS)
EMBEDDER = HashEmbedder()

SLOW_BUILD = """
import sys, time
from pathlib import Path
from interviewer.adapters import chroma
from interviewer.adapters.fakes import HashEmbedder
from interviewer.retrieval.documents import documents
from tests.retrieval.mini_bank import PAIRS
chroma.BATCH = 10
def progress(done, total):
    print("progress", done, flush=True); time.sleep(float(sys.argv[2]))
index = chroma.build_or_open(documents(PAIRS), HashEmbedder(), Path(sys.argv[1]), version="v", progress=progress)
print("found", index.search("dropout", k=1)[0].question, flush=True)
"""


def open_index(folder: Path, *, version: str = "v", calls: list[int] | None = None) -> ChromaIndex:
    """Build or open; `calls` collects progress and so tells a build from an opening."""
    progress = None if calls is None else lambda done, _total: calls.append(done)
    return build_or_open(DOCUMENTS, EMBEDDER, folder, version=version, progress=progress)


def other_process(folder: Path, pause: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SLOW_BUILD, str(folder), str(pause)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def indexes(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_dir()]


def test_the_second_start_opens_what_the_first_built(tmp_path: Path) -> None:
    first: list[int] = []
    second: list[int] = []
    built = open_index(tmp_path, calls=first)
    found = built.search("dropout", k=3)
    built.close()
    assert open_index(tmp_path, calls=second).search("dropout", k=3) == found
    assert first[-1] == len(DOCUMENTS)
    assert second == []


def test_new_content_builds_a_new_index_and_removes_the_old(tmp_path: Path) -> None:
    """Also from the disk."""
    open_index(tmp_path, version="old").close()
    calls: list[int] = []
    changed = DOCUMENTS[:20]
    index = build_or_open(changed, EMBEDDER, tmp_path, version="new", progress=lambda done, _: calls.append(done))
    assert calls == [20]
    assert index.count() == 20
    assert len(indexes(tmp_path)) == 1


def test_a_failing_build_leaves_nothing_behind(tmp_path: Path) -> None:
    """An interrupt in the middle is passed on; the next start builds from the beginning."""

    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_or_open(DOCUMENTS, EMBEDDER, tmp_path, version="v", progress=interrupt)
    assert indexes(tmp_path) == []
    assert open_index(tmp_path).count() == len(DOCUMENTS)


def test_a_killed_build_is_built_again(tmp_path: Path) -> None:
    """kill -9 between two batches: the half is not used and is cleared away."""
    process = other_process(tmp_path, 30)
    assert process.stdout is not None
    assert process.stdout.readline() == "progress 10\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (half,) = indexes(tmp_path)
    index = open_index(tmp_path)
    assert index.count() == len(DOCUMENTS)
    assert half not in indexes(tmp_path)


def test_two_processes_build_once(tmp_path: Path) -> None:
    """The one that comes second waits and opens."""
    processes = [other_process(tmp_path, 0.05) for _ in range(2)]
    said = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert all(text.endswith("found dropout\n") for text in said)
    assert sorted("progress" in text for text in said) == [False, True]


@pytest.mark.parametrize("harm", ["truncate", "remove", "garbage-note"])
def test_a_damaged_index_is_built_again(tmp_path: Path, harm: str) -> None:
    """Nothing in it is worth a support call: everything comes from the bank."""
    open_index(tmp_path).close()
    (place,) = (path for path in tmp_path.iterdir() if path.is_dir())
    if harm == "truncate":
        os.truncate(place / "chroma.sqlite3", 5000)
    elif harm == "remove":
        shutil.rmtree(place)
    else:
        (tmp_path / "ready.json").write_text("{")
    index = open_index(tmp_path)
    assert index.count() == len(DOCUMENTS)
    assert index.search("dropout", k=1)


def test_a_folder_that_cannot_be_used_is_an_operator_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OperatorError, match="vector store") as caught:
        open_index(tmp_path / "file" / "index")
    assert caught.value.hint


def test_a_server_that_is_not_there_is_an_operator_error() -> None:
    with pytest.raises(OperatorError, match=r"127\.0\.0\.1:9"):
        build_or_open_on_server(DOCUMENTS, EMBEDDER, ("127.0.0.1", 9), version="v")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A Chroma server of our own on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--host", "127.0.0.1", "--port", str(port)]
    folder = tmp_path_factory.mktemp("server")
    process = subprocess.Popen([*command, "--path", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait()


def test_a_server_keeps_the_index_for_the_next_client(server: tuple[str, int]) -> None:
    """Built by the first client, opened by the second, found the same as in a folder."""
    version, calls = content_hash(DOCUMENTS, EMBEDDER.name), []
    for _ in range(2):
        index = build_or_open_on_server(
            DOCUMENTS, EMBEDDER, server, version=version, progress=lambda done, _: calls.append(done)
        )
        assert index.count() == len(DOCUMENTS)
        assert index.search("dropout", k=1, question="dropout", language="ru")[0].language == "ru"
    assert calls == [len(DOCUMENTS)]


def test_an_unfinished_build_on_a_server_is_not_used(server: tuple[str, int]) -> None:
    """A client that dies in the middle leaves a collection under another name."""

    def die(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_or_open_on_server(DOCUMENTS, EMBEDDER, server, version="dies", progress=die)
    assert build_or_open_on_server(DOCUMENTS, EMBEDDER, server, version="dies").count() == len(DOCUMENTS)
