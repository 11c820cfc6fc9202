"""Becomes a service: applies to this process what systemd would apply for a unit, and runs its ExecStart.

What a test machine cannot set up, or what is set up for the whole test already, is in `ELSEWHERE`; a setting that is
known neither there nor here is an error, so that none is left out unnoticed.
"""

import contextlib
import ctypes
import os
import pwd
import resource
import subprocess
from pathlib import Path

from unit import Unit

libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
NAMESPACES = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]
MS_RDONLY, MS_NOSUID, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 8, 32, 4096, 16384, 1 << 18
PR_CAPBSET_DROP, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 24, 8, 38, 47
CAPABILITIES = {"CAP_NET_BIND_SERVICE": 10}
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
ALLOW, EQ, NE, GT, MASKED = 0x7FFF0000, 4, 1, 6, 7
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}

# The stand-in for systemctl does the first line; the second is the network of the test, which has the loopback device
# only; the last needs another kernel interface than a process can use for itself.
ELSEWHERE = {
    "Type", "ExecStart", "Restart", "RestartSec", "RestartPreventExitStatus", "TimeoutStartSec", "TimeoutStopSec",
    "IPAddressDeny", "IPAddressAllow", "MemoryMax", "TasksMax",
    "ProtectKernelModules", "ProtectKernelLogs", "ProtectClock", "ProtectHostname", "RemoveIPC", "KeyringMode",
    "SystemCallArchitectures", "SystemCallErrorNumber", "StateDirectoryMode",
}
HERE = {
    "User", "LimitNOFILE", "LimitCORE", "UMask", "StateDirectory", "ReadWritePaths", "BindPaths", "ProtectHome", "ProtectSystem",
    "PrivateMounts", "PrivateTmp", "PrivateDevices", "ProtectProc", "ProcSubset", "ProtectKernelTunables",
    "ProtectControlGroups", "RestrictAddressFamilies", "CapabilityBoundingSet", "AmbientCapabilities",
    "NoNewPrivileges", "PrivateUsers", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality",
    "MemoryDenyWriteExecute", "SystemCallFilter",
}


def check(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    check(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()),
          f"mount {target}")


class Service:
    """The process that becomes a service."""

    def __init__(self, unit: Unit) -> None:
        unknown = set(unit.settings) - ELSEWHERE - HERE
        if unknown:
            raise SystemExit(f"the tests do not know {sorted(unknown)}")
        self.unit = unit
        self.user = pwd.getpwnam(unit.one("User", "root"))

    def run(self) -> None:
        """Never returns."""
        unit, user = self.unit, self.user
        limit = int(unit.one("LimitNOFILE", "1024"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        core = int(unit.one("LimitCORE", "0"))
        resource.setrlimit(resource.RLIMIT_CORE, (core, core))
        filters = self.filters()  # while it can still read files and start programs
        self.enter_file_system()
        os.chdir("/")
        os.umask(int(unit.one("UMask", "0022"), 8))
        os.setgroups([])
        self.enter_user_namespace()
        kept = [CAPABILITIES[name] for name in unit.words("CapabilityBoundingSet")]
        for number in range(64):
            if number not in kept:
                libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # fails after the last that the kernel knows
        check(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "keeping capabilities")
        os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
        os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
        self.set_capabilities([CAPABILITIES[name] for name in unit.words("AmbientCapabilities")])
        if unit.is_on("NoNewPrivileges"):
            check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
        for loaded in filters:
            loaded.load()
        command = unit.command()
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8",
                       "NOTIFY_SOCKET": os.environ["NOTIFY_SOCKET"], "USER": user.pw_name, "HOME": user.pw_dir}
        os.execve(command[0], command, environment)

    # Files

    def enter_file_system(self) -> None:
        unit = self.unit
        check(libc.unshare(CLONE_NEWNS), "unshare")
        mount("none", "/", flags=MS_REC | MS_PRIVATE)
        writable = [f"/var/lib/{name}" for name in unit.words("StateDirectory")]
        for path in writable:
            self.make_state(Path(path))
        writable += unit.words("ReadWritePaths") + unit.words("BindPaths")
        for path in writable:
            mount(path, path, flags=MS_BIND | MS_REC)
        if unit.is_on("PrivateTmp"):
            for path in ("/tmp", "/var/tmp"):
                mount("tmpfs", path, "tmpfs", data="mode=1777")
        if unit.is_on("PrivateDevices"):
            self.replace_devices()
        self.hide_homes(unit.words("BindPaths"))
        if unit.one("ProtectSystem") == "strict":
            self.protect(writable)
        options = [f"hidepid={unit.one('ProtectProc')}"] if unit.one("ProtectProc") else []
        options += [f"subset={unit.one('ProcSubset')}"] if unit.one("ProcSubset") else []
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NOEXEC, ",".join(options))

    def make_state(self, path: Path) -> None:
        """systemd makes the folder, and gives it to the user with all that is in it if it has another owner."""
        path.mkdir(parents=True, exist_ok=True)
        if path.stat().st_uid != self.user.pw_uid:
            for part in [path, *path.rglob("*")]:
                os.lchown(part, self.user.pw_uid, self.user.pw_gid)
        path.chmod(int(self.unit.one("StateDirectoryMode", "0755"), 8))

    def replace_devices(self) -> None:
        names = ["null", "zero", "full", "random", "urandom", "tty"]
        kept = Path("/run/devices")
        kept.mkdir(exist_ok=True)
        mount("/dev", str(kept), flags=MS_BIND)
        mount("tmpfs", "/dev", "tmpfs", data="mode=755")
        for name in names:
            Path("/dev", name).touch()
            mount(str(kept / name), f"/dev/{name}", flags=MS_BIND)
        check(libc.umount2(str(kept).encode(), 2), "umount")

    def hide_homes(self, bound: list[str]) -> None:
        how = self.unit.one("ProtectHome")
        if how not in ("yes", "tmpfs"):
            return
        handles = {path: os.open(path, os.O_PATH) for path in bound}
        for home in filter(os.path.isdir, ("/home", "/root", "/run/user")):
            mount("tmpfs", home, "tmpfs", data="mode=000" if how == "yes" else "mode=755")
        for path, handle in handles.items():
            os.makedirs(path, exist_ok=True)
            mount(f"/proc/self/fd/{handle}", path, flags=MS_BIND)

    def protect(self, writable: list[str]) -> None:
        """Everything is read-only but what the service writes to, and what systemd leaves to other settings."""
        kept = ("/proc", "/dev", "/tmp", "/var/tmp", *writable)
        points = [line.split()[4].replace("\\040", " ") for line in open("/proc/self/mountinfo")]
        for point in points:
            if not any(point == path or point.startswith(path + "/") for path in kept):
                with contextlib.suppress(FileNotFoundError):  # a mount below another one
                    mount("none", point, flags=MS_REMOUNT | MS_BIND | MS_RDONLY)

    # Users

    def enter_user_namespace(self) -> None:
        """Maps root and the user to themselves, and nobody else."""
        if not self.unit.is_on("PrivateUsers"):
            return
        mine, ours = os.getpid(), (self.user.pw_uid, self.user.pw_gid)
        ready, go = os.pipe(), os.pipe()
        helper = os.fork()
        if helper == 0:
            os.read(ready[0], 1)
            for name, number in zip(("uid_map", "gid_map"), ours):
                Path(f"/proc/{mine}/{name}").write_text(f"0 0 1\n{number} {number} 1\n")
            os.write(go[1], b"!")
            os._exit(0)
        check(libc.unshare(CLONE_NEWUSER), "a user namespace")
        os.write(ready[1], b"!")
        os.read(go[0], 1)
        os.waitpid(helper, 0)

    def set_capabilities(self, numbers: list[int]) -> None:
        """The capabilities of this process from now on, also after it has become another program."""
        mask = sum(1 << number for number in numbers)
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        sets = (ctypes.c_uint32 * 6)(mask, mask, mask, 0, 0, 0)
        check(libc.capset(header, sets), "capset")
        for number in numbers:
            check(libc.prctl(PR_CAP_AMBIENT, 2, number, 0, 0), "an ambient capability")

    # System calls

    def filters(self) -> "list[Filter]":
        """Each setting is a filter of its own, as systemd makes them."""
        unit = self.unit
        made = []
        if unit.is_on("RestrictNamespaces"):
            rules = [("unshare", EPERM, []), ("setns", EPERM, []), ("clone3", ENOSYS, [])]
            made.append(Filter(ALLOW, rules + [("clone", EPERM, [(0, MASKED, flag, flag)]) for flag in NAMESPACES]))
        if names := unit.words("RestrictAddressFamilies"):
            others = set(range(46)) - {FAMILIES[name] for name in names}
            made.append(Filter(ALLOW, [("socket", EAFNOSUPPORT, [(0, EQ, number, 0)]) for number in others]
                               + [("socket", EAFNOSUPPORT, [(0, GT, 45, 0)])]))
        if unit.is_on("MemoryDenyWriteExecute"):
            made.append(Filter(ALLOW, [("mmap", EPERM, [(2, MASKED, 6, 6)]), ("mprotect", EPERM, [(2, MASKED, 4, 4)]),
                                       ("pkey_mprotect", EPERM, [(2, MASKED, 4, 4)])]))
        if unit.is_on("RestrictRealtime"):
            made.append(Filter(ALLOW, [("sched_setscheduler", EPERM, [(1, EQ, policy, 0)]) for policy in (1, 2, 6)]))
        if unit.is_on("RestrictSUIDSGID"):
            places = [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("mkdir", 1), ("mkdirat", 2), ("open", 2),
                      ("openat", 3)]
            made.append(Filter(ALLOW, [(name, EPERM, [(place, MASKED, bit, bit)])
                                       for name, place in places for bit in (0o4000, 0o2000)]))
        if unit.is_on("LockPersonality"):
            made.append(Filter(ALLOW, [("personality", EPERM, [(0, NE, 0, 0)])]))
        if values := unit.settings.get("SystemCallFilter"):
            made.append(Filter(EPERM, only=allowed_calls(values)))  # the last: it forbids further filters
        return made


def allowed_calls(values: list[str]) -> set[str]:
    """The system calls of an allow list: groups are added, and taken away after a `~`."""
    calls = group("@default")
    for value in values:
        names = value.removeprefix("~").split()
        chosen = set().union(*(group(name) if name.startswith("@") else {name} for name in names))
        calls = calls - chosen if value.startswith("~") else calls | chosen
    return calls


def group(name: str) -> set[str]:
    """The system calls of a group, as the systemd of this machine has it."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    members = {line.strip() for line in text.splitlines()[1:]}
    members = {member for member in members if member and not member.startswith("#")}
    return set().union(*(group(member) if member.startswith("@") else {member} for member in members))


class Argument(ctypes.Structure):
    """`struct scmp_arg_cmp`."""

    _fields_ = [("place", ctypes.c_uint), ("operator", ctypes.c_int), ("first", ctypes.c_uint64),
                ("second", ctypes.c_uint64)]


Rule = tuple[str, int, list[tuple[int, int, int, int]]]


class Filter:
    """A filter of system calls, by libseccomp."""

    library = ctypes.CDLL("libseccomp.so.2")

    def __init__(self, otherwise: int, rules: list[Rule] | None = None, only: set[str] | None = None) -> None:
        library = self.library
        library.seccomp_init.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(self.action(otherwise))))
        for name, error, conditions in [*(rules or []), *((name, ALLOW, []) for name in only or ())]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number < 0:
                continue  # a call of another machine, or of a later kernel
            compared = (Argument * max(1, len(conditions)))(*(Argument(*condition) for condition in conditions))
            library.seccomp_rule_add_array(self.context, ctypes.c_uint32(self.action(error)), number, len(conditions),
                                           compared)

    def action(self, error: int) -> int:
        return ALLOW if error == ALLOW else 0x00050000 | error

    def load(self) -> None:
        if code := self.library.seccomp_load(self.context):
            raise OSError(-code, f"a filter of system calls: {os.strerror(-code)}")
