"""What a person sees of a study, with and without a terminal."""

from __future__ import annotations

import re
import time
from io import StringIO

import pytest
from assay.design.folder import EngineUse, Failure, Interval, PhaseStart, Progress
from assay.front.terminal import AssayConsole
from assay.front.terminal.live import LiveProgress
from assay.front.terminal.loading import LoadDisplay
from assay.front.terminal.output import broken
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


def _lines(text: str, width: int) -> list[str]:
    return [" " * indent + text[start:end] for indent, start, end in broken(text, width)]


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("label", ["", "supported  "])
def test_a_sentence_breaks_between_words_at_its_indent(width: int, indent: str, label: str) -> None:
    words = f"qps[ps_mode=auto] of {3 * 'the whole interval lies outside of 12.21 ms and '}no more"
    lines = _lines(indent + label + words, width)
    assert max(map(len, lines)) <= width
    assert " ".join(line.strip() for line in lines) == label + words
    assert {len(line) - len(line.lstrip()) for line in lines[1:]} == {len(indent + label)}


@pytest.mark.parametrize("text", ["", "    ", " " * 200, "| a | b |" * 20, "http://127.0.0.1/" + "x" * 200])
def test_rows_of_markdown_and_addresses_stay_whole(text: str) -> None:
    assert "\n".join(_lines(text, 60)).rstrip() == text.rstrip()


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_the_lines_at_the_foot_fit_and_a_step_is_cut_with_a_mark(width: int) -> None:
    out = StringIO()
    progress = LiveProgress(AssayConsole(file=out, force_terminal=True, width=width))
    progress.begin(runs=12, done=0, loading_s=100.0, run_s=30.0)
    progress.run_started("b01-01-index=off", 1)
    progress.step("loading the dataset oltp_point_select: about 80,000 rows, at most 24 MiB (load 2)")
    progress.end()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert max(map(len, re.split(r"[\r\n]+", text))) <= width
    assert "run 1 of 12" in text
    assert ("… " in text or "…\n" in text) == (width < 110)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_rungs_that_do_not_fit_beside_their_run_stand_in_columns(width: int) -> None:
    out = StringIO()
    progress = LiveProgress(AssayConsole(file=out, force_terminal=True, width=width))
    rungs = [f"threads {count}: tps {count}00, p95 1.2 ms" for count in (1, 8, 32, 64)]
    progress.run_finished("b01-01-index=off", headline="; ".join(rungs), failure=None)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).splitlines()
    assert all(len(line) <= width for line in lines)
    assert [part for line in lines for part in re.findall(r"threads \d+: tps \d+, p95 1.2 ms", line)] == rungs
    assert len(lines) == {60: 5, 80: 3, 200: 3}[width]
