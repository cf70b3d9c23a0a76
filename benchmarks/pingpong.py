"""Runs a bare ping-pong over epoll, the lower bound of cost, with the same message sizes and connections.

Sizes are those of the statements of sysbench's tables on the wire (bytes of packets, headers included).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.built import built
from benchmarks.child import run_child, well_ended
from benchmarks.rows import Figures

POINT = "23:203"
_RANGE, _SUM = "28:12900", "28:90"  # 100 rows of 120 characters, and one number
_BEGIN, _COMMIT, _WRITE = "10:11", "11:11", "23:11"
_UPDATE_TEXT, _INSERT = "147:11", "215:11"
READ_ONLY: Sequence[str] = (_BEGIN, *[POINT] * 10, _RANGE, _SUM, _RANGE, _RANGE, _COMMIT)
READ_WRITE: Sequence[str] = (*READ_ONLY[:-1], _WRITE, _UPDATE_TEXT, _WRITE, _INSERT, _COMMIT)
EXCHANGES = {
    "oltp_point_select": (POINT,),
    "oltp_read_only": READ_ONLY,
    "oltp_read_write": READ_WRITE,
}


def run(workload: str, connections: int, transport: str, seconds: float, server: str = "loop") -> Figures:
    """Runs the ping-pong; round trips take the place of queries, and CPU is the client's alone, in the
    measured time.

    `server` is how the other side waits: one loop, or, as MySQL and MariaDB do, a thread for each connection.
    """
    command: list[str | Path] = [
        built("assay-floor"),
        f"--connections={connections}",
        f"--transport={transport}",
        f"--server={server}",
        f"--exchange={','.join(EXCHANGES[workload])}",
        f"--time-ms={round(seconds * 1000)}",
    ]
    child = well_ended(run_child(command, limit_s=seconds * 3 + 30))
    said = json.loads(child.stdout)
    return {
        "qps": said["round_trips"] / said["elapsed_s"],
        "cpu_us_per_query": (said["user_us"] + said["system_us"]) / said["round_trips"],
    }
