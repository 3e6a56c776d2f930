"""The filter's decisions, read by a small BPF interpreter: no kernel needed, so both machines can be looked at."""

from __future__ import annotations

import errno
import struct

import pytest

from interviewer.sandbox import seccomp

ALLOW, KILL = "allow", "kill"
MACHINES = ("x86_64", "aarch64")


def decide(program: bytes, audit: int, number: int, *arguments: int) -> str | int:
    """What the filter says to a call: ALLOW, KILL, or an errno."""
    call = struct.pack("iIQ6Q", number, audit, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    place = accumulator = 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("HBBI", program, 8 * place)
        place += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("I", call, value)
        elif code == 0x06:
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(value & 0xFFFF0000, value & 0xFFFF)
        else:
            held = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            place += if_true if held else if_false


def asked(profile: str, machine: str, number: int, *arguments: int) -> str | int:
    audit, _ = seccomp.ARCHES[machine]
    return decide(seccomp.program(seccomp.PROFILES[profile], machine), audit, number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", sorted(seccomp.ALWAYS))
def test_the_denied_calls_are_denied_in_every_profile(machine: str, name: str) -> None:
    """No profile opens what none needs."""
    number = seccomp.ALWAYS[name][seccomp.ARCHES[machine][1]]
    for profile in seccomp.PROFILES:
        if number >= 0:
            assert asked(profile, machine, number) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_base_makes_threads_and_no_processes(machine: str) -> None:
    """clone is told apart by its flags; clone3, whose flags cannot be seen, does not exist."""
    column = seccomp.ARCHES[machine][1]
    clone = seccomp.CLONE[column]
    assert asked("base", machine, clone, 0x003D0F00) == ALLOW
    assert asked("base", machine, clone, 17) == errno.EPERM
    assert asked("base", machine, seccomp.CLONE3[column]) == errno.ENOSYS
    assert asked("base", machine, seccomp.WITHOUT_EXEC["execve"][column]) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_workers_fork_but_do_not_execute(machine: str) -> None:
    """A profile opens only what it is for, and no profile opens namespaces."""
    column = seccomp.ARCHES[machine][1]
    assert asked("workers", machine, seccomp.CLONE[column], 17) == ALLOW
    assert asked("workers", machine, seccomp.CLONE[column], 17 | 0x10000000) == errno.EPERM
    assert asked("workers", machine, seccomp.WITHOUT_EXEC["execve"][column]) == errno.EPERM
    assert asked("compile", machine, seccomp.WITHOUT_EXEC["execve"][column]) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_base_opens_no_socket_but_a_pair(machine: str) -> None:
    """Of no family; pairs only of Unix sockets."""
    column = seccomp.ARCHES[machine][1]
    for family in range(46):
        assert asked("base", machine, seccomp.SOCKET[column], family) == errno.EACCES
    assert asked("base", machine, seccomp.SOCKETPAIR[column], seccomp.AF_UNIX) == ALLOW
    assert asked("base", machine, seccomp.SOCKETPAIR[column], seccomp.AF_INET) == errno.EACCES
    assert asked("dist", machine, seccomp.SOCKET[column], seccomp.AF_INET) == ALLOW
    assert asked("dist", machine, seccomp.SOCKET[column], 40) == errno.EACCES


def test_another_architecture_is_killed() -> None:
    """32-bit calls have other numbers; x32 calls have a bit of their own."""
    program = seccomp.program(seccomp.PROFILES["base"], "x86_64")
    assert decide(program, 0x40000003, 1) == KILL
    assert asked("base", "x86_64", 0x40000000 + 1) == errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_pass(machine: str) -> None:
    """read, write, mmap, futex and whatever is not named."""
    for number in {"x86_64": (0, 1, 9, 202, 257), "aarch64": (63, 64, 222, 98, 56)}[machine]:
        assert asked("base", machine, number) == ALLOW


def test_keystrokes_cannot_be_pushed() -> None:
    """TIOCSTI is denied, other ioctls are not."""
    assert asked("base", "x86_64", 16, 0, seccomp.TIOCSTI) == errno.EPERM
    assert asked("base", "x86_64", 16, 0, 0x5413) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_files_in_sight_cannot_be_changed_without_opening_them(machine: str) -> None:
    """Where only Landlock guards the host's files, which has no right for chmod and the like."""
    audit, column = seccomp.ARCHES[machine]
    program = seccomp.program(seccomp.PROFILES["base"], machine, metadata=False)
    for numbers in seccomp.METADATA.values():
        if numbers[column] >= 0:
            assert decide(program, audit, numbers[column]) == errno.EPERM
            assert asked("base", machine, numbers[column]) == ALLOW


def test_an_unknown_machine_is_an_error() -> None:
    """No table, no filter, no silence about it."""
    with pytest.raises(OSError, match="riscv64"):
        seccomp.program(seccomp.PROFILES["base"], "riscv64")
