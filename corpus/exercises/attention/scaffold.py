"""Calls with memory layouts that a caller may well have."""


def strided(function, q, k, v):
    """function on the same numbers, none of the three inputs contiguous."""
    return function(*(x.transpose(-2, -1).contiguous().transpose(-2, -1) for x in (q, k, v)))
