"""Runs a candidate's PyTorch code where it can do no harm and cannot fake a result.

    runner.py      the parent: deadlines, the verdict, results. No torch here
    zygote.py      a warm torch process that forks two children for a run
    pool.py        who runs when; metrics.py what came of it; gpu.py the device
    child.py       the candidate's process: serves calls, knows no test
    judge.py       the judge's process: holds the tests, runs no candidate code
    protocol.py    data between the two, strictly decoded; channel.py moves it, values.py turns it into tensors

Importing this package starts nothing and imports no torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .limits import Limits as Limits
    from .pool import Ticket as Ticket
    from .runner import TorchSandbox as TorchSandbox

__all__ = ["Limits", "Ticket", "TorchSandbox"]


def __getattr__(name: str) -> Any:
    """Load the public names on first use: the zygote imports this package without what the parent needs."""
    if name == "TorchSandbox":
        from .runner import TorchSandbox

        return TorchSandbox
    if name == "Limits":
        from .limits import Limits

        return Limits
    if name == "Ticket":
        from .pool import Ticket

        return Ticket
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
