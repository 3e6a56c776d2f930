"""File, network and signal rules of the Linux security module Landlock: unprivileged, irreversible, inherited.

Stops: opening, making or removing any file outside the given folders, TCP (from ABI 4), abstract Unix sockets and
signals to processes outside (from ABI 6), ptrace outside. Does not stop: connecting to a Unix socket by path or UDP
(seccomp does), stat and readlink, files already open, filling an allowed folder.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from . import system

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
MINIMUM = 3
"""With namespaces around it."""
ALONE = 6
"""Where Landlock is the only thing between the candidate and other processes: signals and abstract sockets count."""

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
READ = EXECUTE | READ_FILE | READ_DIR
_FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | (1 << 14) | (1 << 15)
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Number of file-system rights by ABI; later ABIs have as many as 5."""
IOCTL_DEV = 1 << 15
TCP = 0b11
SCOPES = 0b11
ALL = 0xFFFF


def abi() -> int:
    """The kernel's Landlock version; 0 when it has none."""
    result: int = system.LIBC.syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION))
    return max(result, 0)


def restrict(rules: Iterable[tuple[str, int]], *, network: bool = False, scoped: bool = True) -> None:
    """Allow only `rules`: (path, rights beneath it). A path that does not exist is skipped. Needs no_new_privs.

    TCP is denied unless `network`. `scoped` denies signals and abstract sockets to processes outside.
    """
    version = _at_least(MINIMUM)
    handled = (1 << _FS_BITS.get(version, 16)) - 1
    _enforce(version, handled, 0 if network else TCP, SCOPES if scoped else 0, rules)


def isolate() -> None:
    """Deny signals, abstract sockets and ptrace to every process outside, siblings included. Adds no file rule."""
    _enforce(_at_least(ALONE), 0, 0, SCOPES, ())


def _at_least(minimum: int) -> int:
    version = abi()
    if version < minimum:
        raise OSError(f"Landlock ABI {version}, {minimum} is needed")
    return version


def _enforce(version: int, files: int, network: int, scopes: int, rules: Iterable[tuple[str, int]]) -> None:
    size = 8 if version < 4 else 16 if version < 6 else 24
    buffer = ctypes.create_string_buffer(struct.pack("QQQ", files, network, scopes)[:size], size)
    ruleset = system.syscall(_CREATE, buffer, size, 0, what="landlock_create_ruleset")
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights & files)
        system.syscall(_RESTRICT, ruleset, 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not os.path.isdir(path):
            rights &= _FILE_ONLY
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, fd), 12)
        system.syscall(_ADD, ruleset, _PATH_BENEATH, rule, 0, what=f"landlock rule for {path}")
    finally:
        os.close(fd)
