"""Has an idle node of a Ray cluster, as on a server's host: `python -m benchmarks.ray_weight`.

It is weighed, stands still or lives as the lines of the input say, until they end. The cluster is in a
network namespace of its own, with loopback alone: Ray listens widely.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.measurement.fleet import NODE_ROLES, RayBackend, make_token, start_node, stop_node
from assay.measurement.fleet.ray.node import node_processes

from benchmarks.child import used_s

_NEWNET = 0x40000000  # <linux/sched.h>
_PORT, _ROLE = 6390, "server"
_SETTLES_S, _WEIGHED_S = 10.0, 30.0

LIVES, STANDS, WEIGH, JOINED, LOST = "lives", "stands", "weigh", "joined", "lost"
"""Lines of the input, each answered by itself once the node is so, which begins with LIVES; WEIGH is answered
by the figures as JSON, JOINED by LOST where the node is no longer the one that joined.
"""


@contextmanager
def _joined() -> Iterator[Path]:
    """A node that has joined a head beside it; yields its folder."""
    place = Path(tempfile.mkdtemp(prefix="ray"))  # sockets need a short name
    make_token(place / "token")
    head, joined = place / "h", place / "j"
    try:
        _start(place, head, None, NODE_ROLES[0])
        _start(place, joined, f"127.0.0.1:{_PORT}", _ROLE)
        time.sleep(_SETTLES_S)
        yield joined
    finally:
        stop_node(joined)
        stop_node(head)
        shutil.rmtree(place, ignore_errors=True)


def _weighed(pids: Sequence[int]) -> dict[str, float]:
    """Returns the share of a processor that the node uses for some seconds, in per cent, and the resident
    memory of its processes, in MiB, with shared pages divided among their users.
    """
    before, began = used_s(pids), time.monotonic()
    time.sleep(_WEIGHED_S)
    used, took = used_s(pids) - before, time.monotonic() - began
    return {"cpu_pct": 100 * used / took, "memory_mib": _resident_mib(pids), "processes": float(len(pids))}


def obey() -> None:
    """Weighs the node, stops all of its processes and has them go on, as the lines of the input say."""
    with _joined() as joined:
        pids = [one.pid for one in node_processes(joined)]  # found once: a switch is to be quick
        print(LIVES, flush=True)
        for line in map(str.strip, sys.stdin):
            if line == WEIGH:
                print(json.dumps(_weighed(pids)), flush=True)
                continue
            if line == JOINED:
                print(JOINED if _is_joined(joined, pids) else LOST, flush=True)
                continue
            _signal(pids, signal.SIGSTOP if line == STANDS else signal.SIGCONT)
            print(line, flush=True)
        _signal(pids, signal.SIGCONT)


def _signal(pids: Sequence[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _is_joined(joined: Path, pids: Sequence[int]) -> bool:
    """Returns whether the node still has these processes and no others, and the head counts it among those
    that live.
    """
    if sorted(pids) != sorted(one.pid for one in node_processes(joined)):
        return False
    place = joined.parent
    head = RayBackend(f"127.0.0.1:{_PORT}", place / "token", folder=place / "h")
    return [host.name for host in head.hosts_in(_ROLE)] == [joined.name]


def _start(place: Path, folder: Path, head: str | None, role: str) -> None:
    start_node(
        head=head,
        address="127.0.0.1",
        port=_PORT,
        first_port=7800 if head is None else 7900,
        labels={"assay.role": role, "assay.host": folder.name},
        token_file=place / "token",
        folder=folder,
    )


def _resident_mib(pids: Sequence[int]) -> float:
    kib = 0
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            kib += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kib / 1024


def main() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_NEWNET) != 0:
        sys.exit(f"no network of its own: {os.strerror(ctypes.get_errno())}")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    obey()


if __name__ == "__main__":
    main()
