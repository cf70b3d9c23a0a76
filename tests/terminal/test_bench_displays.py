"""What a person sees of a single measurement while it is made."""

from __future__ import annotations

from io import StringIO

import pytest
from assay.design.folder import CheckOutcome, Doubt, EngineUse, Event, Hello, Interval, PhaseStart, Progress
from assay.front.terminal.bench_progress import BenchDisplay, ServerDisplay
from assay.front.terminal.safe_console import AssayConsole
from assay.front.terminal.storage_progress import StorageDisplay
from assay.system.engine import FOR_MEASURING
from bench_request import bench


def hello(build: str = "release") -> Hello:
    return Hello(
        format=1,
        version="1",
        build=build,
        pid=1,
        epoch_wall_ns=0,
        epoch_monotonic_ns=0,
        seed=1,
        threads=1,
        connections=4,
        workload="storage",
    )


def interval(phase: str, end_s: float, **counts: int) -> Interval:
    return Interval(
        phase=phase,
        index=0,
        start_ns=int((end_s - 1) * 1e9),
        end_ns=int(end_s * 1e9),
        in_flight=3,
        queued=0,
        labels={},
        engine=EngineUse(),
        **counts,
    )


EVENTS: list[Event] = [
    hello(),
    PhaseStart(phase="warmup", start_ns=0),
    interval("warmup", 1.0, transactions=50),
    PhaseStart(phase="measure", start_ns=10**9, planned_ms=2000),
    interval("measure", 2.0, transactions=100, reads=100),
    Doubt(kind="x", message="no [quiet] machine", value=1.0, limit=0.5),
    interval("drain", 3.0, transactions=7),
]


def drawn(display: BenchDisplay | StorageDisplay, out: StringIO) -> list[str]:
    with display:
        for event in EVENTS:
            display.event(event)
    return out.getvalue().splitlines()


def test_a_line_for_each_interval_of_warm_up_and_window() -> None:
    out = StringIO()
    lines = drawn(BenchDisplay(AssayConsole(file=out), bench(None)), out)
    assert lines[0].startswith("[ warm-up 1s ] threads 2  tps 50.0")
    assert lines[1].startswith("[ 1s ] threads 2  tps 100.0")
    assert lines[2:] == ["! no [quiet] machine"]


@pytest.mark.parametrize("silent", ["asked for", "another tool's text"])
def test_doubts_are_told_where_intervals_are_not(silent: str) -> None:
    out = StringIO()
    request = bench(None, report_interval=0 if silent == "asked for" else 1)
    lines = drawn(BenchDisplay(AssayConsole(file=out), request, lines=silent == "asked for"), out)
    assert lines == ["! no [quiet] machine"]


@pytest.mark.parametrize("build", sorted(FOR_MEASURING))
def test_nothing_is_told_of_a_build_for_measuring(build: str) -> None:
    out = StringIO()
    BenchDisplay(AssayConsole(file=out), bench(None)).event(hello(build))
    assert out.getvalue() == ""


def test_a_build_that_is_not_fit_and_broken_conditions_are_told() -> None:
    out = StringIO()
    display = BenchDisplay(AssayConsole(file=out), bench(None))
    display.event(hello("debug"))
    display.event(
        CheckOutcome(elapsed_s=0.1, name="a", title="all is well", violations=2, places=["id = [1]"])
    )
    display.event(CheckOutcome(elapsed_s=0.1, name="b", title="so is this", violations=0, places=[]))
    assert out.getvalue().splitlines() == [
        "The engine is a debug build: not fit for measurements.",
        "BROKEN  a: all is well",
        "        2 places, such as",
        "          id = [1]",
        "ok      b: so is this",
    ]


def test_a_load_on_files_has_lines_at_its_own_steps() -> None:
    out = StringIO()
    display = StorageDisplay(AssayConsole(file=out))
    display.stage(2, 3)
    warmup, window, doubt = drawn(display, out)
    assert warmup.startswith("2/3 [ warm-up 1s ]  4 workers")
    assert window == "2/3 [ 1s of 2s, 50% ]  4 workers  read 100 IOPS 0.0 MiB/s  in flight 3"
    assert doubt == "! no [quiet] machine"
    out = StringIO()
    assert drawn(StorageDisplay(AssayConsole(file=out), interval_s=0), out) == [doubt]


def test_a_bar_of_loading_is_over_with_the_next_step() -> None:
    out = StringIO()
    with ServerDisplay(AssayConsole(file=out, force_terminal=True, width=100)) as display:
        display.event(Progress(phase="load", done=1, total=10, unit="rows", elapsed_s=0.1))
        display.step("copying")
        before = len(out.getvalue())
        display.note("mariadb on /tmp/x")
    assert "copying …" in out.getvalue()
    assert out.getvalue()[before:] == "mariadb on /tmp/x\n"
