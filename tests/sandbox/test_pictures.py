"""What counts as a picture, and what a run that draws brings back."""

from __future__ import annotations

import base64
import importlib.util
import struct
import zlib

import pytest

from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.pictures import MAX_BYTES, MAX_PICTURES, MAX_SIDE, NotAPicture, checked, decoded, encoded

needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="no matplotlib")


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))


def png(width: int = 1, height: int = 1, *extra: bytes, colour: int = 0) -> bytes:
    header = struct.pack("!IIBBBBB", width, height, 8, colour, 0, 0, 0)
    pixels = zlib.compress(b"\0\0")
    parts = (chunk(b"IHDR", header), *extra, chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_a_small_png_is_one() -> None:
    assert checked(png()) == png()


def test_everything_but_pixels_is_removed() -> None:
    """Texts, profiles, unknown parts, and whatever follows the end."""
    noisy = png(1, 1, chunk(b"tEXt", b"Comment\0<script>"), chunk(b"iCCP", b"x"), chunk(b"zzZz", b"y")) + b"<html>"
    assert checked(noisy) == png()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "signature"),
        (b"GIF89a", "signature"),
        (b"<svg onload=alert(1)>", "signature"),
        (png()[:-5], "cut short"),
        (png()[:20], "cut short"),
        (b"\x89PNG\r\n\x1a\n", "whole"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""), "whole"),
        (png().replace(b"IDAT", b"IDAX"), "damaged"),
        (png(MAX_SIDE + 1, 1), "pixels"),
        (png(0, 1), "pixels"),
        (png(1, 0xFFFFFFFF), "pixels"),
        (png(colour=7), "unknown"),
        (png(1, 1, chunk(b"zzZz", b"x" * MAX_BYTES)), "kB"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, why: str) -> None:
    """By signature, structure, checksums, dimensions and size."""
    with pytest.raises(NotAPicture, match=why):
        checked(data)


def test_an_untrusted_list_gives_only_pictures() -> None:
    """Other types, damaged files and those over the count are left out."""
    assert encoded([png(), b"x", 5, None, "text"]) == (base64.b64encode(png()).decode(),)
    assert len(encoded([png()] * 20)) == MAX_PICTURES
    assert encoded({"a": png()}) == encoded(None) == ()
    assert decoded(["!!", 3, base64.b64encode(b"<svg>").decode()]) == decoded("abc") == ()


@needs_matplotlib
def test_figures_left_open_and_saved_come_back(sandbox: TorchSandbox) -> None:
    """One left open, one saved and closed; the one that is both comes once."""
    source = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig('same.png')\nplt.figure(); plt.plot([3, 1])\n"
        "plt.figure(); plt.bar([1], [2]); plt.savefig('a.png'); plt.close()\n"
    )
    result = sandbox.run(source)
    assert result.verdict == "passed", result
    assert len(result.pictures) == 3
    assert all(checked(base64.b64decode(picture)) for picture in result.pictures)


@needs_matplotlib
def test_figures_are_bounded_in_number_and_size(sandbox: TorchSandbox) -> None:
    """A large one is drawn smaller; one that stays too large is left out, and its place says so."""
    source = (
        "import matplotlib.pyplot as plt, torch\nplt.figure(figsize=(30, 30)); plt.plot([1, 2])\n"
        "plt.figure(figsize=(100, 100))\nfor _ in range(9): plt.figure()\n"
    )
    result = sandbox.run(source)
    assert 1 < len(result.pictures) <= MAX_PICTURES
    assert "too large to show" in result.stdout


@needs_matplotlib
def test_a_run_that_raises_still_shows_its_figures(sandbox: TorchSandbox) -> None:
    """They are often why somebody drew them."""
    result = sandbox.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n1 / 0\n")
    assert (result.verdict, result.raised, len(result.pictures)) == ("failed", "ZeroDivisionError: division by zero", 1)


def test_forged_pictures_do_not_arrive(sandbox: TorchSandbox) -> None:
    """Files that only have the name, links and folders."""
    source = (
        "import os\nopen('a.png', 'wb').write(b'<svg>')\nos.symlink('/etc/passwd', 'b.png')\nos.mkdir('c.png')\n"
        "open('d.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(9))\n"
    )
    result = sandbox.run(source)
    assert result.verdict == "passed", result
    assert result.pictures == ()


@pytest.mark.parametrize(
    "forged", ["[b'x' * 2**20] * 9", "5", "[5, None, 'x', [b'x']]", "{b'x': 1}", "1 / 0", "os._exit(1)"]
)
def test_whatever_the_code_says_its_figures_are(sandbox: TorchSandbox, forged: str) -> None:
    """It runs in the process that collects them: what it makes of that is looked at, not believed."""
    source = f"import sys, os\nsys.modules['viva_sandbox.show'].figures = lambda: {forged}\nprint('ran')"
    result = sandbox.run(source)
    assert (result.verdict, result.stdout, result.pictures) == ("passed", "ran\n", ())


def test_a_hidden_check_brings_no_pictures(sandbox: TorchSandbox) -> None:
    """Only what a candidate asked to see is drawn."""
    assert sandbox.run("print(1)").pictures == ()
