"""Viva: a mock interviewer for PyTorch and deep-learning interviews.

Importing this package has no effects and loads no heavy library. Start with `interviewer.wiring.build`.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("viva-interviewer")
except PackageNotFoundError:  # a checkout that was not installed
    __version__ = "0.0.0"

__all__ = ["__version__"]
