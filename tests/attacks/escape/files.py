"""Reads and writes outside the run's own scratch folder."""

# ruff: noqa
import os
import pathlib
import shutil
import sys

HOST_FILE, PROJECT, SITE_PACKAGES = "@HOST_FILE@", "@PROJECT@", "@SITE_PACKAGES@"


def probe_read_a_host_file():
    return open(HOST_FILE).read()


def probe_read_the_hosts_passwd():
    text = open("/etc/passwd").read()
    return "root:" in text


def probe_read_shadow():
    return open("/etc/shadow").read()


def probe_list_root_home():
    return [name for name in os.listdir("/root") if f"/root/{name}" not in sys.base_prefix]


def probe_list_homes():
    return os.listdir("/home")


def probe_read_logs():
    return os.listdir("/var/log")


def probe_read_the_projects_code():
    return open(f"{PROJECT}/interviewer/errors.py").read()


def probe_list_the_project():
    return os.listdir(f"{PROJECT}/interviewer")


def probe_import_the_project():
    try:
        import interviewer
    except ImportError:
        return None
    return [name for path in interviewer.__path__ for name in os.listdir(path)]


def probe_find_hidden_checks():
    found = []
    for root in {*sys.path, PROJECT, SITE_PACKAGES, "/usr/local", "/opt", "/srv"}:
        for folder, folders, files in os.walk(root):
            if folder.count("/") - root.count("/") < 2:  # third-party packages are many and large
                folders[:] = [name for name in folders if name[:4] in ("inte", "eval", "corp", "cont", "test", "viva")]
            if "checks.py" in files and ("reference.py" in files or "exercise.yaml" in files):
                found.append(folder)
    return found


def probe_read_a_block_device():
    for name in ("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg"):
        if os.path.exists(name):
            return open(name, "rb").read(1)


def probe_write_beside_a_host_file():
    pathlib.Path(HOST_FILE).with_name("planted").write_text("planted")
    return True


def probe_remove_a_host_file():
    os.rename(HOST_FILE, HOST_FILE + ".moved")
    return True


def probe_chmod_a_host_file():
    os.chmod(HOST_FILE, 0o777)
    return True


def probe_write_usr():
    open("/usr/planted", "x").close()
    os.remove("/usr/planted")
    return True


def probe_write_etc():
    open("/etc/planted", "x").close()
    os.remove("/etc/planted")
    return True


def probe_write_site_packages():
    path = f"{SITE_PACKAGES}/planted.pth"
    open(path, "x").close()
    os.remove(path)
    return True


def probe_write_torch():
    import torch

    with open(torch.__file__, "r+b"):
        return True


def probe_write_sysctl():
    with open("/proc/sys/kernel/core_pattern", "r+") as setting:
        return setting.writable()


def probe_write_sysfs():
    with open("/sys/kernel/profiling", "r+") as setting:
        return setting.writable()


def probe_symlink_out():
    os.symlink(HOST_FILE, "link")
    return open("link").read()


def probe_hardlink_out():
    os.link(HOST_FILE, "hard")
    return True


def probe_climb_from_cwd():
    return open("../" * 20 + HOST_FILE.lstrip("/")).read()


def probe_root_through_proc():
    return open("/proc/1/root" + HOST_FILE).read()


def probe_cwd_of_parent_through_proc():
    return os.listdir(f"/proc/{os.getppid()}/cwd")


def probe_chroot():
    os.chroot("/")
    return True


def probe_mknod():
    os.mknod("device", 0o600 | 0o020000, os.makedev(1, 1))
    return True


def probe_setuid_file():
    with open("suid", "wb"):
        pass
    os.chmod("suid", 0o4755)
    os.chown("suid", 0, 0)
    return True


def probe_fifo_left_behind():
    os.mkfifo(os.path.join(os.path.dirname(HOST_FILE), "fifo"))
    return True


def probe_copy_tree():
    shutil.copytree(f"{PROJECT}/interviewer", "copy")
    return True
