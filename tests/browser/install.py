"""Finds a Chromium for the browser tests, or installs one: the system's package manager first, then Playwright's own.

Without any, the browser tests are skipped and say so. `python tests/browser/install.py` prints what it found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Path of a Chromium, or None."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
    except Exception:  # Playwright without its driver is the same as no Playwright
        return None
    return own if Path(own).exists() else None


def install() -> None:
    """Try the ways there are on this system; each may fail quietly, `find` tells what came of it."""
    if shutil.which("apt-get"):
        sudo = [] if os.geteuid() == 0 else ["sudo", "-n"] if shutil.which("sudo") else None
        if sudo is not None and Path("/etc/debian_version").exists():
            quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for step in (["update", "-qq"], ["install", "-y", "-qq", "chromium", "fonts-noto-cjk"]):
                subprocess.run([*sudo, "apt-get", *step], env=quiet, stdout=subprocess.DEVNULL, check=False)
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> None:
    """Install where nothing is found, and say what the tests will use."""
    if find() is None:
        print("browser tests need Chromium: installing it")
        install()
    found = find()
    print(f"browser tests use {found}" if found else "no Chromium could be had: browser tests will be skipped")


if __name__ == "__main__":
    main()
