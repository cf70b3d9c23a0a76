"""Measures what one generator, one host and one run more cost a fleet: `python -m benchmarks.fleet_scale`.

Generators are simulated: each of 64 repeats the events that one real engine wrote, and all are merged as a
coordinator merges them. Of runs, the measures are simulated, in a store with packs of the store's own size.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import msgspec
from assay.base.format.job import Job, Load, Phases
from assay.base.inner_path import InnerPath
from assay.design.folder import Event, Interval, ResultsFolder, decode_event, read_events
from assay.measurement.fleet.contract import Share
from assay.measurement.fleet.merging import Merger, line_of
from assay.measurement.fleet.shares import split
from assay.results.store import open_store
from assay.results.store.costs import PER_QUERY
from assay.results.store.packing import TOGETHER
from assay.results.store.parts import (
    MEASURES,
    STUDY,
    VERSION,
    Index,
    Part,
    new_folder,
    part_of,
    stamps,
    write_index,
)
from assay.system.engine import Interrupts, jobs, null_server, run_job

GENERATORS = 64
_MEASURES, _STILL = 54, 385
"""Number of measures of one rung on MariaDB, and number of its costs of counters that no query has moved."""
_FILES, _AT_TOP, _LOOKS = 31, 6, 5
"""Files of a run with two generators, and those in its own folder; looks of which the fastest counts."""
_QUERY = "SELECT treatment, median(value) FROM measures WHERE measure = 'm007' GROUP BY treatment"


class Simulated:
    """A generator of which only the events matter."""

    pid = None

    def __init__(self, share: Share) -> None:
        self.share = share


def recorded(path: Path, seconds: float) -> tuple[Job, list[Event]]:
    """Returns a job, and the events of a real engine that carried it out with intervals of 0.1 s."""
    with null_server("unix") as target:
        job = jobs.job(
            "run",
            target=target,
            workload="oltp_read_write",
            options={"tables": 1, "table_size": 1000},
            seed=7,
            load=Load(connections=16),
            phases=Phases(measure_ms=int(seconds * 1000), interval_ms=100),
        )
        run_job(job, interrupts=Interrupts(), events_path=path).require()
    return job, list(read_events(InnerPath.of(path)))


def merged(job: Job, events: Sequence[Event], generators: int) -> tuple[list[Event], float]:
    """Merges these events as if each of so many generators had said them; returns the merged events, and the
    processor seconds that decoding and merging took.
    """
    shares = [
        Share(f"g{number}", f"h{number}", 1, part)
        for number, part in enumerate(split(job, [1] * generators), start=1)
    ]
    simulated: list[Any] = [Simulated(share) for share in shares]
    lines = [line_of(event) for event in events]
    merger = Merger(simulated, dict.fromkeys((share.name for share in shares), 0))
    said: list[Event] = []
    began = _used_s()
    for line in lines:
        for share in shares:
            said += merger.hear(share.name, decode_event(line))
    for share in shares:
        said += merger.end(share.name)
    return said, _used_s() - began


def _used_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def store_of(path: Path, runs: int, together: int) -> tuple[float, float]:
    """Writes the store of so many runs with one rung each into a results folder, in parts of so many runs;
    returns its MB, and the seconds of opening it and of a query over it.

    Parts of one size have the same rows; each is a file of its own.
    """
    folder = ResultsFolder(path)
    folder.store.mkdir(parents=True)
    empty = new_folder(folder.store)
    parts = [part_of({STUDY: "0" * 32}, empty)]
    alike: dict[int, Part] = {}
    for first in range(0, runs, together):
        count = min(together, runs - first)
        place = new_folder(folder.store)
        names = {
            f"b{run // 10:06d}-{run % 10:02d}-t{run % 10}": f"{run:032x}"
            for run in range(first, first + count)
        }
        if count in alike:
            shutil.copyfile(
                folder.store / alike[count].folder / f"{MEASURES}.parquet", place / f"{MEASURES}.parquet"
            )
            parts.append(msgspec.structs.replace(part_of(names, place), moved=alike[count].moved))
            continue
        duckdb.execute(
            f"COPY ({_rows(count)}) TO '{place / MEASURES}.parquet' (FORMAT parquet, COMPRESSION zstd)"
        )
        alike[count] = part_of(names, place)
        parts.append(alike[count])
    write_index(folder.store, Index(VERSION, parts))
    size = sum(file.stat().st_blocks * 512 for file in folder.store.files())
    began = time.monotonic()
    with open_store(folder) as store:
        found = store.execute(_QUERY).fetchall()
    took = time.monotonic() - began
    assert found
    return size / 1e6, took


def look_us(path: Path, runs: int) -> float:
    """Returns the microseconds of a run that a look takes whether a file of so many runs has changed."""
    folder = ResultsFolder(path)
    names = ["run.json", *(f"f{number}" for number in range(_AT_TOP - 1))]
    for place, count in (("facts", 8), ("rungs/01-threads-16", 3), ("rungs/01-threads-16/generators/g1", 2)):
        names += [f"{place}/f{number}" for number in range(count)]
    names += [f"rungs/01-threads-16/generators/g2/f{number}" for number in range(2)]
    names += [f"samples/f{number}" for number in range(_FILES - len(names))]
    for run in range(runs):
        for name in names:
            file = folder.run(f"b{run:06d}-01-t").path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    took = []
    for _ in range(_LOOKS):
        began = time.monotonic()
        stamps(folder)
        took.append(time.monotonic() - began)
    return min(took) / runs * 1e6


def _rows(runs: int) -> str:
    """The columns of the table `measures`, sorted by measure as in a pack."""
    return (
        "SELECT printf('b%06d-%02d-t%d', r // 10, r % 10, r % 10) AS run_id, 't' || (r % 10) AS treatment,"
        " r // 10 AS block, 1::BIGINT AS rung, 64.0 AS load, printf('m%03d', m) AS measure,"
        f" CASE WHEN m < {_MEASURES // 2} THEN 'ms' ELSE '{PER_QUERY}' END AS unit,"
        f" CASE WHEN m < {_MEASURES} THEN random() ELSE 0.0 END AS value"
        f" FROM range({_MEASURES + _STILL}) AS a(m), range({runs}) AS b(r) ORDER BY measure, r"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet_scale", description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000, help="of the store in packs")
    parser.add_argument("--parts", type=int, default=4_000, help="runs of the store with a part for each")
    parser.add_argument("--looked", type=int, default=1_000, help="runs whose files are looked at")
    parser.add_argument("--seconds", type=float, default=2.0, help="of the real engine's window")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        job, events = recorded(path / "events.jsonl", options.seconds)
        intervals = [event for event in events if isinstance(event, Interval)]
        line = sum(len(line_of(one)) for one in intervals) / len(intervals)
        found: dict[str, Any] = {"interval_bytes": round(line)}
        for count in (1, 8, GENERATORS):
            _, used = merged(job, events, count)
            found[f"merge_us_a_line_{count}"] = round(used / (len(intervals) * count) * 1e6, 1)
        found["look_us_a_run"] = round(look_us(path / "looks", options.looked), 1)
        for runs, together in ((options.runs, TOGETHER**2), (options.parts, 1)):
            size, took = store_of(path / f"{runs}-{together}", runs, together)
            found |= {
                f"store_{runs}_by_{together}_mb": round(size, 1),
                f"store_{runs}_by_{together}_s": round(took, 3),
            }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
