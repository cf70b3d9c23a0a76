"""Runs the original LinkBench, and reads its text."""

from __future__ import annotations

import re
import tempfile
from datetime import datetime
from pathlib import Path

from benchmarks.child import Child, ContestantFailed, last_words, run_child, well_ended
from benchmarks.fetched import Fetched
from benchmarks.load import Endpoint

LINKBENCH = Fetched(
    "LinkBench",
    "ASSAY_PEER_LINKBENCH",
    ("target/FacebookLinkBench.jar", "config/FBWorkload.properties", "config/Distribution.dat"),
    "Clone facebookarchive/linkbench from GitHub, run mvn package -DskipTests in it, have java on PATH",
)

_CONFIG = """\
linkstore = com.facebook.LinkBench.LinkStoreMysql
nodestore = com.facebook.LinkBench.LinkStoreMysql
linktable = linktable
counttable = counttable
nodetable = nodetable
host = 127.0.0.1
port = {port}
user = root
password = {password}
dbid = {database}
workload_file = {folder}/config/FBWorkload.properties
data_file = {folder}/config/Distribution.dat
debuglevel = INFO
progressfreq = 300
displayfreq = 1800
maxsamples = 10000
req_progress_interval = 250
load_progress_interval = 50000
loaders = 10
loader_chunk_size = 2048
generate_nodes = true
requestrate = 0
max_failed_requests = 0
"""


def run(endpoint: Endpoint, phase: str, asked: dict[str, int], *, limit_s: float) -> Child:
    """Runs one phase, `-l` or `-r`, with the properties that vary."""
    folder = LINKBENCH.folder()
    fixed = _CONFIG.format(
        port=endpoint.port, password=endpoint.password, database=endpoint.database, folder=folder
    )
    with tempfile.TemporaryDirectory(prefix="assay-linkbench-") as temporary:
        config = Path(temporary) / "config.properties"
        config.write_text(fixed + "".join(f"{key} = {value}\n" for key, value in asked.items()))
        jar = str(folder / "target/FacebookLinkBench.jar")
        # Its own script gives it this heap.
        command = ["java", "-Xmx1000m", "-cp", jar, "com.facebook.LinkBench.LinkBenchDriver"]
        return well_ended(run_child([*command, "-c", str(config), phase], limit_s=limit_s))


def steady_rate(text: str) -> float:
    """Returns the operations per second while every requester was past its warm-up and none had ended.

    The rate comes from its lines of progress: its own "Requests/second" counts seconds in which requesters
    still connect.
    """
    lines = text.splitlines()
    begun = [_seconds(line) for line in lines if " warmup finished " in line]
    ended = [_seconds(line) for line in lines if " time limit of " in line]
    if not begun or not ended:
        raise ContestantFailed(f"no requester ran to its limit: {last_words(text)}")
    points = [
        (_seconds(line), int(found[1]))
        for line in lines
        if (found := re.search(r": (\d+)/\d+ requests finished", line))
    ]
    steady = [point for point in points if max(begun) <= point[0] <= min(ended)]
    if len(steady) < 2 or steady[-1][0] == steady[0][0]:
        raise ContestantFailed("its lines of progress are too few for a rate")
    (t0, n0), (t1, n1) = steady[0], steady[-1]
    return (n1 - n0) / (t1 - t0)


def operations(text: str) -> int:
    """Returns the number of operations of a run, the warm-up's included."""
    done = re.search(r"REQUEST PHASE COMPLETED\. (\d+) requests done", text)
    if done is None:
        raise ContestantFailed(last_words(text))
    return int(done[1]) + sum(int(found) for found in re.findall(r"after (\d+) warmup requests", text))


def loaded(text: str) -> tuple[int, float]:
    """Returns the links of a load, and its seconds."""
    found = re.search(r"Loaded (\d+) links .* Took ([\d.]+) seconds", text)
    if found is None:
        raise ContestantFailed(last_words(text))
    return int(found[1]), float(found[2])


def _seconds(line: str) -> float:
    """Returns the time at the start of a line, in seconds."""
    found = re.match(r"\w+\s+(\S+ \S+) \[", line)
    return datetime.strptime(found[1], "%Y-%m-%d %H:%M:%S,%f").timestamp() if found else 0.0
