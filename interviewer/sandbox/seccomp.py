"""A system-call filter, assembled here as BPF: no library needed.

A list of what is denied, not of what is allowed: torch, OpenMP and glibc use too many calls for a stable list of those.
Stops: new processes and programs, sockets of every family (the kernel's Landlock does not cover path-named Unix sockets
or UDP), ptrace and reading other processes' memory, mounts and namespaces, io_uring (which would open sockets behind
this filter), bpf, perf, keys, modules, SysV shared memory, memfd, and on x86-64 the x32 calls. Does not stop: files
(Landlock, mounts), signals to processes in sight (pid namespace, Landlock), resource use (rlimits), bugs in what is
allowed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from dataclasses import dataclass

from . import system

ARCHES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Machine -> (audit number, column in the tables). The aarch64 column has not been run."""

ALWAYS: dict[str, tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "personality": (135, 92),
    "mknod": (133, -1),
    "mknodat": (259, 33),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
WITHOUT_FORK: dict[str, tuple[int, int]] = {
    "fork": (57, -1),
    "vfork": (58, -1),
    "setsid": (112, 157),
    "setpgid": (109, 154),
}
WITHOUT_EXEC: dict[str, tuple[int, int]] = {"execve": (59, 221), "execveat": (322, 281)}
METADATA: dict[str, tuple[int, int]] = {
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
"""What changes a file without opening it. Landlock has no right for these: denied where host files are in sight."""
TO_OTHERS: dict[str, tuple[int, int]] = {"tkill": (200, 130), "pidfd_send_signal": (424, 424)}
TO_ITSELF: dict[str, tuple[int, int]] = {
    "kill": (62, 129),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
"""Signals, where other processes are in sight: those that name their receiver may go to the sender alone."""
PRLIMIT = (302, 261)
CLONE, CLONE3 = (56, 220), (435, 435)
SOCKET, SOCKETPAIR, IOCTL = (41, 198), (53, 199), (16, 29)

CLONE_THREAD = 0x00010000
NAMESPACE_FLAGS = (
    system.CLONE_NEWNS
    | system.CLONE_NEWCGROUP
    | system.CLONE_NEWUTS
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUSER
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
)
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
TIOCSTI, TIOCLINUX = 0x5412, 0x541C


@dataclass(frozen=True)
class Permissions:
    """What a profile may do beyond computing."""

    fork: bool = False
    exec: bool = False
    families: tuple[int, ...] = ()
    """Socket families that may be opened. They lead nowhere: the network namespace is empty."""


PROFILES = {
    "base": Permissions(),
    "workers": Permissions(fork=True, families=(AF_UNIX,)),
    "dist": Permissions(fork=True, families=(AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)),
    "compile": Permissions(fork=True, exec=True, families=(AF_UNIX,)),
}

# BPF: load word, jump if equal / at least / any bit set, return
_LD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _deny(number: int, error: int) -> bytes:
    """With the call's number loaded: return `error` if it is `number`."""
    return _op(_JEQ, number, 0, 1) + _op(_RET, _ERRNO | error)


def _argument(index: int) -> bytes:
    """Load the low half of an argument."""
    return _op(_LD, _ARGUMENTS + 8 * index)


def _when(number: int, body: bytes) -> bytes:
    """Run `body`, which must return, if the loaded call is `number`."""
    return _op(_JEQ, number, 0, len(body) // 8) + body


def _clone(number: int, permissions: Permissions) -> bytes:
    forbidden = _op(_JSET, NAMESPACE_FLAGS, 0, 1) + _op(_RET, _ERRNO | errno.EPERM)
    threads_only = b"" if permissions.fork else _op(_JSET, CLONE_THREAD, 1, 0) + _op(_RET, _ERRNO | errno.EPERM)
    return _when(number, _argument(0) + forbidden + threads_only + _op(_RET, _ALLOW))


def _one_of(number: int, argument: int, allowed: tuple[int, ...], error: int) -> bytes:
    body = _argument(argument)
    for value in allowed:
        body += _op(_JEQ, value, 0, 1) + _op(_RET, _ALLOW)
    return _when(number, body + _op(_RET, _ERRNO | error))


def program(permissions: Permissions, machine: str, *, metadata: bool = True, only_self: int | None = None) -> bytes:
    """The filter as BPF instructions, eight bytes each. `metadata`: whether chmod and the like are allowed.

    `only_self` is a process id: the only one that may then be sent a signal or given limits.
    """
    if machine not in ARCHES:
        raise OSError(f"no system-call filter for {machine}")
    audit, column = ARCHES[machine]
    denied = ALWAYS | ({} if permissions.fork else WITHOUT_FORK) | ({} if permissions.exec else WITHOUT_EXEC)
    denied |= {} if metadata else METADATA
    denied |= {} if only_self is None else TO_OTHERS
    code = _op(_LD, _ARCH) + _op(_JEQ, audit, 1, 0) + _op(_RET, _KILL) + _op(_LD, _NUMBER)
    if machine == "x86_64":
        code += _op(_JGE, 0x40000000, 0, 1) + _op(_RET, _ERRNO | errno.ENOSYS)
    for numbers in denied.values():
        if numbers[column] >= 0:
            code += _deny(numbers[column], errno.EPERM)
    code += _deny(CLONE3[column], errno.ENOSYS)  # so that libraries fall back to clone, whose flags can be seen
    code += _clone(CLONE[column], permissions)
    if only_self is not None:
        for numbers in TO_ITSELF.values():
            code += _one_of(numbers[column], 0, (only_self,), errno.EPERM)
        code += _one_of(PRLIMIT[column], 0, (0, only_self), errno.EPERM)
    code += _one_of(SOCKET[column], 0, permissions.families, errno.EACCES)
    code += _one_of(SOCKETPAIR[column], 0, (AF_UNIX,), errno.EACCES)
    terminal = _argument(1)
    for request in (TIOCSTI, TIOCLINUX):
        terminal += _deny(request, errno.EPERM)
    code += _when(IOCTL[column], terminal + _op(_RET, _ALLOW))
    return code + _op(_RET, _ALLOW)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def apply(profile: str, *, metadata: bool, only_self: int | None = None) -> None:
    """Filter this process and its descendants for good. Needs no_new_privs."""
    code = program(PROFILES[profile], platform.machine(), metadata=metadata, only_self=only_self)
    filter_ = _Program(len(code) // 8, code)
    arguments = (ctypes.c_ulong(2), ctypes.byref(filter_), ctypes.c_ulong(0), ctypes.c_ulong(0))
    system.checked(system.LIBC.prctl(system.PR_SET_SECCOMP, *arguments), "seccomp filter")
