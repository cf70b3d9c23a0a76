"""The text and the CSV files of LinkBench."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.base.format.event import EngineUse, Phase
from assay.design.folder import (
    ActionResult,
    Event,
    Interval,
    KindTally,
    PhaseStart,
    RunResult,
)
from assay.front.compat.linkbench import CsvStats, CsvStream, TextSettings, ToolText
from assay.front.compat.linkbench.latencies import bucket, decimal, latencies_of
from assay.testing import builders, kind_tally, run_result
from linkbench_forms import (
    LOAD,
    OPERATION,
    PROGRESS,
    REQUESTS,
    SEED,
    STATS_HEADER,
    STATS_ROW,
    STREAM_HEADER,
    STREAM_ROW,
)


def interval(index: int, kinds: dict[str, KindTally], *, phase: Phase = "measure") -> Interval:
    return builders.interval(kinds, index=index, phase=phase, in_flight=1)


def result(kinds: dict[str, KindTally], *, elapsed_s: float = 3.0) -> RunResult:
    return run_result(kinds, seconds=elapsed_s)


def text(
    *, events: int = 40, time_s: float = 30.0, files: tuple[Path, ...] = ()
) -> tuple[ToolText, io.StringIO]:
    out = io.StringIO()
    settings = TextSettings(
        files=files,
        seed_key="request_random_seed",
        seed=7,
        seed_chosen=False,
        connections=2,
        events=events,
        time_s=time_s,
        progress=10,
        nodes=1001,
    )
    return ToolText(settings, out.write, lambda: datetime(2026, 1, 2, 3, 4, 5, 678_900)), out


@pytest.mark.parametrize(
    ("time_ms", "bounds"),
    [
        (0, (0, 0.1)),
        (0.099, (0, 0.1)),
        (0.1, (0.1, 0.2)),
        (0.3, (0.3, 0.4)),
        (0.999, (0.9, 1)),
        (1, (1, 2)),
        (99.9, (99, 100)),
        (100, (100, 200)),
        (999, (900, 1000)),
        (1000, (1000, 2000)),
        (9999, (9000, 10000)),
        (10_000, (10_000, 100_000)),
        (300_000, (10_000, 100_000)),
    ],
)
def test_buckets(time_ms: float, bounds: tuple[float, float]) -> None:
    assert bucket(round(time_ms * 1e6)) == bounds


def test_percentiles_are_the_buckets_of_nearest_ranks() -> None:
    found = latencies_of(kind_tally([0.15] * 25 + [1.5] * 25 + [5.5] * 44 + [250.0] * 5 + [12_000.0]))
    assert found is not None
    assert found.bounds == ((0.1, 0.2), (1, 2), (5, 6), (200, 300), (200, 300))
    assert (found.count, round(found.max_ms)) == (100, pytest.approx(12_000, rel=1e-3))
    assert latencies_of(kind_tally([])) is None


@pytest.mark.parametrize(
    ("value", "digits", "shown"), [(0.1, 2, "0.1"), (100, 2, "100"), (226.641, 3, "226.641"), (9.0, 2, "9")]
)
def test_numbers_have_no_needless_digits(value: float, digits: int, shown: str) -> None:
    assert decimal(value, digits) == shown


def test_a_run_reads_like_the_original() -> None:
    tool, out = text(files=(Path("/x/LinkConfigMysql.properties"), Path("/x/FBWorkload.properties")))
    kinds = {"get_links_list": kind_tally([0.55] * 9), "add_node": kind_tally([1.0])}
    tool(PhaseStart(phase="measure", start_ns=0))
    tool(interval(0, {"add_node": kind_tally([1.0] * 5)}, phase="warmup"))
    for index in range(3):
        tool(interval(index, kinds))
    tool(result({"get_links_list": kind_tally([0.55] * 27), "add_node": kind_tally([1.0] * 3)}))
    lines = out.getvalue().splitlines()
    assert lines[0] == "INFO 2026-01-02 03:04:05,678 [main]: Config file: /x/LinkConfigMysql.properties"
    assert lines[1].endswith("[main]: Workload config file: /x/FBWorkload.properties")
    assert SEED.fullmatch(lines[2])
    assert all(PROGRESS.fullmatch(line) for line in lines[3:6])
    assert lines[4].endswith(
        "20/40 requests finished: 50.0% complete at 10.0 ops/sec 2.0/30 secs elapsed: 6.7% of time limit used"
    )
    # Nodes come before links, whatever the order in the event.
    assert [line.split(": ")[1].split()[0] for line in lines[6:8]] == ["ADD_NODE", "GET_LINKS_LIST"]
    assert all(OPERATION.fullmatch(line) for line in lines[6:8])
    assert "GET_LINKS_LIST count = 27  p25 = [0.5,0.6]ms  p50 = [0.5,0.6]ms " in lines[7]
    assert REQUESTS.fullmatch(lines[8])
    assert lines[8].endswith("30 requests done in 3 seconds. Requests/second = 10")
    assert len(lines) == 9


def test_a_step_of_operations_separates_lines_of_progress() -> None:
    tool, out = text(events=0, time_s=0)
    for index in range(4):
        tool(interval(index, {"add_node": kind_tally([1.0] * 4)}))
    _, *progress = out.getvalue().splitlines()
    said = [line.split(": ", 1)[1] for line in progress]
    # The limits that are not there are those of the original's own files.
    assert said == [
        "12/1000000 requests finished: 0.0% complete at 4.0 ops/sec 3.0/100000 secs elapsed:"
        " 0.0% of time limit used"
    ]


def test_a_load_reads_like_the_original() -> None:
    tool, out = text()
    rows = {"nodetable": 1000, "linktable": 13_690, "counttable": 772}
    tool(
        ActionResult(
            action="prepare",
            elapsed_s=2.5,
            rows=sum(rows.values()),
            tables=3,
            rows_by_table=rows,
            engine=EngineUse(),
        )
    )
    _, load = out.getvalue().splitlines()
    assert LOAD.fullmatch(load)
    assert "Loaded 1000 nodes (Expected 1001)." in load
    assert "Loaded 13690 links (13.69 links per node).  Took 2.5 seconds.  Links/second = 5476" in load


def test_stats_have_a_row_for_what_succeeded(tmp_path: Path) -> None:
    write = CsvStats(tmp_path / "stats.csv")
    write(interval(0, {"add_node": kind_tally([1.0])}))
    write(
        result(
            {
                "get_node": kind_tally([0.25, 0.35, 226.64]),
                "add_link": kind_tally([2.5]),
                "update_node": kind_tally([]),
            }
        )
    )
    header, *rows = (tmp_path / "stats.csv").read_text().splitlines()
    assert header == STATS_HEADER
    assert all(STATS_ROW.fullmatch(row) for row in rows)
    assert [row.split(",")[0] for row in rows] == ["GET_NODE", "ADD_LINK"]
    assert rows[0].startswith("GET_NODE,3,0.2,0.3,0.3,0.4,200,300,200,300,200,300,226.")


def test_the_stream_has_a_row_for_each_operation_and_sample(tmp_path: Path) -> None:
    write = CsvStream(tmp_path / "stream.csv", 2, lambda: 1_795_294_862.5)
    write(interval(9, {"get_node": kind_tally([3.0])}, phase="warmup"))
    for index in range(3):
        write(
            interval(
                index, {"get_node": kind_tally([1.0, 3.0], errors={1213: 1}), "add_link": kind_tally([])}
            )
        )
    write(result({}))
    header, *rows = (tmp_path / "stream.csv").read_text().splitlines()
    assert header == STREAM_HEADER
    assert all(STREAM_ROW.fullmatch(row) for row in rows)
    assert len(rows) == 20  # two samples, the second one of a single interval
    nodes = [row.split(",") for row in rows if ",GET_NODE," in row]
    assert [row[3:8] for row in nodes] == [["4", "2", "4", "2000", "4"], ["6", "3", "2", "1000", "2"]]
    assert [int(value) for value in nodes[0][9:]] == pytest.approx([1000, 1000, 1000, *[3000] * 5], rel=2e-3)
    assert next(row for row in rows if ",ADD_LINK," in row) == "0,1795294862,ADD_LINK,0,0,0,2000,0,,,,,,,,,"


@pytest.mark.parametrize("make", [CsvStats, lambda path: CsvStream(path, 1)])
def test_a_run_without_a_measurement_leaves_an_earlier_file(
    tmp_path: Path, make: Callable[[Path], Callable[[Event], None]]
) -> None:
    path = tmp_path / "earlier.csv"
    path.write_text("of the run before\n")
    write = make(path)
    write(interval(0, {"get_node": kind_tally([1.0])}, phase="warmup"))
    assert path.read_text() == "of the run before\n"


def test_a_file_that_cannot_be_written_is_said_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--csvstats: cannot write"):
        CsvStats(tmp_path / "nowhere" / "stats.csv")
