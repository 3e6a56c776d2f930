"""What whoever runs the server may do about a result, for the reasons in which it is theirs. Candidates see labels."""

from __future__ import annotations

from .confine import ALLOWED

ADVICE = {
    "profile": "the exercise needs the profile {profile}, which only these backends keep safe: {backends}",
    "busy": "too many runs were waiting, or one waited too long: a larger machine, or fewer candidates",
    "broken_checks": "its checks.py is at fault: python -m interviewer.sandbox.trial <exercise folder> shows where",
    "gpu_memory": "the run took more of the GPU than its limit; other programs on that GPU count as well",
    "protocol": "the code sent what no honest program sends, or the fork server was killed: look at its source",
}
"""Reason -> what to do, in English."""


def advice(reason: str, profile: str) -> str:
    """For the operator of a run with that reason; empty where there is nothing for them to do."""
    backends = ", ".join(name for name, profiles in ALLOWED.items() if profile in profiles)
    return ADVICE.get(reason, "").format(profile=profile, backends=backends)
