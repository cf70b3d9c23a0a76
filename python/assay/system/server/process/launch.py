"""Runs as a program between the lab and another one: ties the other's life to the lab's, then becomes it
(exec).

    python -I -S launch.py parent=PID [WORD=VALUE…] -- PROGRAM ARGUMENT…

    record=FILE           gets process id and start time
    account=UID:GID       user that it runs as
    cpus=0,1              processors on which it may run
    numa=MODE:0,1         nodes of its memory: interleave, bind, preferred, local
    group=FILE            cgroup.procs of a control group that it joins; again for more
    namespace=FILE        the network namespace that it enters
    sync-delay=US         microseconds by which each fsync is delayed
    death=SIGNAL          signal that it gets when the lab dies; SIGTERM
    set=NAME=VALUE        a variable of its environment; again for more

This is a program of its own rather than code after fork: the lab has threads, and Python after such a fork
can hang. It imports only the standard library, because `-I -S` keeps its start to some 15 ms.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
CLONE_NEWNET = 0x40000000  # <linux/sched.h>
SET_MEMPOLICY = {"x86_64": 238, "aarch64": 237}  # libc has no function for it
MEMPOLICY = {"preferred": 1, "bind": 2, "interleave": 3, "local": 4}  # <linux/mempolicy.h>


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever interrupts this wants its end, not Python's words
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})  # the lab blocked them before
    rest = sys.argv[1:]
    words, command = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    told = dict(word.split("=", 1) for word in words)
    libc = ctypes.CDLL(None, use_errno=True)
    _raise_file_limit()
    if "record" in told:
        # Before there is a server: whatever kills the lab from here on, its next start knows whom to stop.
        with open("/proc/self/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123
            start_ticks = stat.read().rpartition(")")[2].split()[19]
        with open(told["record"], "w", encoding="ascii") as out:  # noqa: PTH123
            out.write(f'{{"pid": {os.getpid()}, "start_ticks": {start_ticks}}}\n')
    sync_delay = answers = None
    if "sync-delay" in told:  # before the groups, whose limits are those of the program
        sync_delay = _sync_delay()
        answers = sync_delay.answering(int(told["sync-delay"]))
    for file in (word.partition("=")[2] for word in words if word.startswith("group=")):
        with open(file, "w", encoding="ascii") as members:  # noqa: PTH123
            members.write(str(os.getpid()))
    if "namespace" in told:
        with open(told["namespace"], "rb") as namespace:  # noqa: PTH123
            if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
                sys.exit(f"{told['namespace']}: {os.strerror(ctypes.get_errno())}")
    if "account" in told:
        uid, _, gid = told["account"].partition(":")
        os.setgroups([])
        os.setresgid(int(gid), int(gid), int(gid))
        os.setresuid(int(uid), int(uid), int(uid))
    if "cpus" in told:
        # Before the server counts them: it sizes thread pools and spin loops by what it may use.
        os.sched_setaffinity(0, {int(cpu) for cpu in told["cpus"].split(",")})
    if "numa" in told:
        _set_memory_policy(libc, *told["numa"].split(":"))
    # After the change of user, which clears it. Sent when the thread that started us ends.
    death = int(told.get("death", signal.SIGTERM))
    libc.prctl(PR_SET_PDEATHSIG, death)
    if os.getppid() != int(told["parent"]):  # it died before the line above
        sys.exit(f"the lab process {told['parent']} has gone")
    # Only now: what a server is to load may not fit the Python that runs this.
    for word in words:
        name, _, setting = word.partition("=")
        if name == "set":
            variable, _, value = setting.partition("=")
            os.environ[variable] = value
    if sync_delay is not None:
        sync_delay.delay_syncs(libc, answers)
    try:
        os.execv(command[0], command)
    except OSError as error:  # not executable, or for another processor
        sys.exit(f"{command[0]} cannot be run: {error.strerror}")


def _sync_delay() -> Any:
    """Returns the module beside this file, which `-I` does not look for."""
    spec = importlib.util.spec_from_file_location(
        "sync_delay",
        os.path.join(os.path.dirname(__file__), "sync_delay.py"),  # noqa: PTH118, PTH120
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _set_memory_policy(libc: ctypes.CDLL, mode: str, nodes: str) -> None:
    """Sets the NUMA policy of the process's memory, which is kept over exec (set_mempolicy(2))."""
    numbers = [int(node) for node in nodes.split(",") if node]
    bits = 8 * ctypes.sizeof(ctypes.c_ulong)
    words = max(numbers, default=0) // bits + 1
    mask = (ctypes.c_ulong * words)(
        *(sum(1 << n % bits for n in numbers if n // bits == w) for w in range(words))
    )
    call = SET_MEMPOLICY.get(os.uname().machine)
    if call is None:
        sys.exit(f"no policy for memory can be set on {os.uname().machine}")
    # The kernel leaves the last of the bits out.
    count = words * bits + 1 if numbers else 0
    if libc.syscall(call, MEMPOLICY[mode], mask if numbers else None, ctypes.c_ulong(count)) != 0:
        sys.exit(f"policy for memory {mode} of nodes {nodes}: {os.strerror(ctypes.get_errno())}")


def _raise_file_limit() -> None:
    """Raises the limit of open files as far as allowed, under root to at least 65536.

    Each connection and each table of the server needs one.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (max(hard, 65536), hard):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), limit))
            return


if __name__ == "__main__":
    main()
