"""Run as a program between the lab and a server: ties the server's life to the lab's, then becomes it.

    python -I -S launch.py PARENT_PID RECORD|- UID:GID|- CPU,CPU…|- [NAME=VALUE…] -- PROGRAM ARGUMENT…

A program of its own rather than code after fork: the lab has threads, and Python after such a fork can hang.
It imports nothing of ours, because `-I -S` keeps its start to some 15 ms.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def main() -> None:
    parent, record, account, cpus, *rest = sys.argv[1:]
    settings, command = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    _raise_file_limit()
    if record != "-":
        # Before there is a server: whatever kills the lab from here on, its next start knows whom to stop.
        with open("/proc/self/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123
            start_ticks = stat.read().rpartition(")")[2].split()[19]
        with open(record, "w", encoding="ascii") as out:  # noqa: PTH123
            out.write(f'{{"pid": {os.getpid()}, "start_ticks": {start_ticks}}}\n')
    if account != "-":
        uid, _, gid = account.partition(":")
        os.setgroups([])
        os.setresgid(int(gid), int(gid), int(gid))
        os.setresuid(int(uid), int(uid), int(uid))
    if cpus != "-":
        # Before the server counts them: it sizes thread pools and spin loops by what it may use.
        os.sched_setaffinity(0, {int(cpu) for cpu in cpus.split(",")})
    # After the change of user, which clears it. Sent when the thread that started us ends.
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before the line above
        sys.exit(f"the lab process {parent} has gone")
    # Only now: what a server is to load may not fit the Python that runs this.
    for setting in settings:
        name, _, value = setting.partition("=")
        os.environ[name] = value
    os.execv(command[0], command)


def _raise_file_limit() -> None:
    """As many open files as allowed (root: at least 65536): connections and tables each take one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (max(hard, 65536), hard):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), limit))
            return


if __name__ == "__main__":
    main()
