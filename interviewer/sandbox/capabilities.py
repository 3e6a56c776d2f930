"""Gives up root's powers.

Stops: everything that only root may do, for good, whatever is executed later. Does not stop: access to files that the
user id itself owns (mounts and Landlock do), or a kernel bug.
"""

from __future__ import annotations

import ctypes
import os
import struct

from . import system

_VERSION_3 = 0x20080522
FIRST_UID = 700_000_000
"""Start of a range of user ids that no account has: each child of root's gets one of its own."""
UIDS = 100_000


def become_nobody(number: int) -> None:
    """As root, change to a user id that only this process has; its process count and files are then its own."""
    uid = FIRST_UID + number % UIDS
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_bounding_set() -> None:
    """No program executed later can bring a capability back. Must be done while they are still held."""
    system.prctl(system.PR_CAP_AMBIENT, 4)
    for capability in range(64):
        try:
            system.prctl(system.PR_CAPBSET_DROP, capability)
        except OSError:
            if capability == 0:
                raise
            return


def drop_all() -> None:
    """Empty the three capability sets."""
    header = ctypes.create_string_buffer(struct.pack("Ii", _VERSION_3, 0), 8)
    data = ctypes.create_string_buffer(24)
    system.checked(system.LIBC.capset(header, data), "capset")
