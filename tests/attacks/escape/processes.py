"""Other processes, new processes, powers, and what was inherited."""

# ruff: noqa
import ctypes
import errno
import fcntl
import os
import resource
import signal
import subprocess
import sys

SECRET = "@SECRET@"
libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """A raw system call that must not be allowed."""
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return f"returned {result}"


def probe_fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def probe_run_a_program():
    return subprocess.run([sys.executable, "-c", ""], check=True)


def probe_exec():
    os.execv("/bin/false", ["false"])


def probe_shell():
    return os.system("true") == 0


def probe_new_session():
    os.setsid()
    return True


def probe_signal_parent():
    if os.getppid() == 0:
        return None
    os.kill(os.getppid(), 0)
    return True


def probe_signal_everybody():
    found = []
    for pid in range(1, 40_000):
        try:
            os.kill(pid, 0)
        except OSError:
            continue
        if pid != os.getpid():
            found.append(pid)
    return found


def probe_ptrace_parent():
    if libc.ptrace(16, os.getppid() or 2, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return True


def probe_read_parents_memory():
    with open(f"/proc/{os.getppid() or 2}/mem", "rb") as memory:
        memory.seek(id(None))
        return memory.read(8)


def probe_see_host_processes():
    pids = [name for name in os.listdir("/proc") if name.isdigit()]
    return len(pids) > 2


def probe_secret_in_environment():
    return SECRET in str(dict(os.environ))


def probe_secret_in_proc_environ():
    return SECRET.encode() in open("/proc/self/environ", "rb").read()


def probe_secret_in_parents_environ():
    return open(f"/proc/{os.getppid() or 2}/environ", "rb").read()


def probe_unexpected_environment():
    known = "PATH HOME PWD TMPDIR LANG MPLBACKEND CUDA_VISIBLE_DEVICES"
    prefixes = ("OMP_", "OPENBLAS_", "MKL_", "PYTORCH_", "TORCH", "KMP_", "LC_")
    return [key for key in os.environ if key not in known.split() and not key.startswith(prefixes)]


def probe_inherited_descriptors():
    found = []
    for fd in range(1024):
        try:
            fcntl.fcntl(fd, fcntl.F_GETFD)
        except OSError:
            continue
        found.append(fd)
    return found if found != [0, 1, 2, 3] else None


def probe_capabilities():
    header = ctypes.create_string_buffer(b"\x22\x05\x08\x20" + bytes(4), 8)
    data = ctypes.create_string_buffer(24)
    libc.capget(header, data)
    return bytes(data.raw) if any(data.raw) else None


def probe_privileges_by_exec():
    return libc.prctl(39, 0, 0, 0, 0) != 1


def probe_no_filter():
    return libc.prctl(21, 0, 0, 0, 0) != 2


def probe_become_root():
    os.setuid(0)
    return os.geteuid() == 0 and probe_capabilities()


def probe_raise_limits():
    for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        _, hard = resource.getrlimit(which)
        try:
            resource.setrlimit(which, (hard + 1, hard + 1))
        except (ValueError, OSError):
            continue
        return which


def probe_higher_priority():
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return True


def probe_realtime():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


def probe_new_user_namespace():
    return call(272, 0x10000000)


def probe_clone_with_namespace():
    return call(56, 0x00020000 | signal.SIGCHLD, 0, 0, 0, 0)


def probe_clone3():
    return call(435, ctypes.create_string_buffer(88), 88)


def probe_join_namespace():
    return call(308, 0, 0)


def probe_mount():
    return call(165, b"tmpfs", b"/tmp", b"tmpfs", 0, None)


def probe_unmount():
    return call(166, b"/proc", 2)


def probe_bpf():
    return call(321, 0, None, 0)


def probe_perf():
    return call(298, None, 0, -1, -1, 0)


def probe_userfaultfd():
    return call(323, 0)


def probe_keyring():
    return call(250, 0, -3, 1)


def probe_add_key():
    return call(248, b"user", b"viva", b"x", 1, -3)


def probe_memfd():
    return call(319, b"x", 0)


def probe_system_v_memory():
    return call(29, 0x56495641, 4096, 0o1666)


def probe_message_queue():
    return call(240, b"viva", 0o102, 0o600, None)


def probe_personality():
    return call(135, 0x0040000)


def probe_kernel_log():
    return call(103, 3, ctypes.create_string_buffer(64), 64)


def probe_x32_call():
    return call(0x40000000 + 39)


def probe_hostname():
    return call(170, b"planted", 7)


def probe_set_clock():
    return call(227, 0, None)


def probe_push_keystrokes():
    fcntl.ioctl(0, 0x5412, b"x")
    return True


def probe_errors_are_real():
    """Not an attack: a call that is not filtered works, so that the probes above mean something."""
    try:
        os.stat("/no-such-file-anywhere")
    except OSError as error:
        return None if error.errno == errno.ENOENT else repr(error)
    return True
