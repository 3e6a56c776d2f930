"""On what machine a figure was measured."""

from __future__ import annotations

import os
import platform


def describe() -> str:
    """System, processor, cores, and how busy the machine is."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}{load}"
