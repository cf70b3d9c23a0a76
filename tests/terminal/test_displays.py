"""What a person sees of a study, with and without a terminal."""

from __future__ import annotations

import time
from io import StringIO

import pytest
from assay.design.folder import EngineUse, Failure, Interval, PhaseStart, Progress
from assay.front.terminal.live import LiveProgress
from assay.front.terminal.loading import LoadDisplay
from assay.front.terminal.progress import PlainProgress
from assay.measurement.run.progress import RunProgress
from rich.console import Console

FAILURE = Failure(kind="ServerLost", message="the server went away", detail="InnoDB: [oops]")


def drive(progress: RunProgress) -> None:
    """A study of two runs, the second of which fails."""
    progress.begin(runs=3, done=1, loading_s=2.0, run_s=3.0)
    progress.step("loading the dataset")
    progress.event(Progress(phase="load", done=5, total=10, unit="rows", elapsed_s=0.1))
    for number, failure in ((2, None), (3, FAILURE)):
        progress.run_started(f"b01-0{number}-x=[1]", number)
        progress.step("threads 8")
        progress.event(PhaseStart(phase="warmup", start_ns=0))
        progress.event(
            Interval(
                phase="measure",
                index=0,
                start_ns=0,
                end_ns=10**9,
                in_flight=0,
                queued=0,
                labels={},
                engine=EngineUse(),
                transactions=1234,
                errors={1213: 2},
            )
        )
        progress.run_finished(f"b01-0{number}-x=[1]", headline="threads 8: 1,234 tps", failure=failure)
    progress.note("a note about [brackets]")
    progress.end()


def shown(kind: type[LiveProgress] | type[PlainProgress], *, terminal: bool) -> str:
    out = StringIO()
    drive(kind(Console(file=out, force_terminal=terminal, width=100)))
    return out.getvalue()


@pytest.mark.parametrize("kind", [LiveProgress, PlainProgress])
def test_every_run_and_every_reason_is_shown(kind: type[LiveProgress] | type[PlainProgress]) -> None:
    text = shown(kind, terminal=kind is LiveProgress)
    for said in ("b01-02-x=[1]", "1,234 tps", "the server went away", "InnoDB: [oops]", "[brackets]"):
        assert said in text


def test_a_log_has_a_line_for_each_step_that_lasts_and_again_how_far_it_is() -> None:
    out = StringIO()
    progress = PlainProgress(Console(file=out, width=100), first_s=0.05, every_s=0.15)
    progress.begin(runs=1, done=0, loading_s=2.0, run_s=3.0)
    progress.step("starting the server")  # over before it is worth a line
    progress.step("loading the dataset [x]")
    progress.event(Progress(phase="load", done=5, total=10, unit="rows", elapsed_s=0.1))
    limit = time.monotonic() + 20
    while out.getvalue().count("loading") < 3 and time.monotonic() < limit:
        time.sleep(0.02)
    progress.step("")
    progress.end()
    said = [line.strip() for line in out.getvalue().splitlines()]
    assert said[0] == "1 run; about 5 s to go"
    assert said[1].startswith("loading the dataset [x], load 50%  (5 of 10 rows)")
    assert said[2].startswith(said[1] + ", ")  # how long it has taken
    assert not [line for line in said if "starting" in line]
    lines = len(said)
    progress.step("judging the results")  # follows the runs
    while "judging" not in out.getvalue() and time.monotonic() < limit:
        time.sleep(0.02)
    progress.end()
    assert out.getvalue().splitlines()[lines].strip() == "judging the results"


def test_pipes_get_no_escape_codes() -> None:
    assert "\x1b" not in shown(PlainProgress, terminal=False)


@pytest.mark.parametrize(("terminal", "lines"), [(False, 10), (True, None)])
def test_a_load_says_how_far_it_is(
    terminal: bool, lines: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal in place; elsewhere in lines on standard error, apart from what the command answers."""
    out = StringIO()
    with LoadDisplay(Console(file=out, force_terminal=terminal, width=100)) as display:
        for done in range(0, 1001, 10):
            display.show(Progress(phase="load", done=done, total=1000, unit="rows", elapsed_s=0.1))
    text = out.getvalue() if terminal else capsys.readouterr().err
    assert "rows" in text
    assert terminal or out.getvalue() == ""
    assert lines is None or len(text.splitlines()) == lines


def test_what_was_done_before_is_said_on_a_terminal_too() -> None:
    for kind in (LiveProgress, PlainProgress):
        assert "3 runs, 1 of them done before; about " in shown(kind, terminal=kind is LiveProgress)
