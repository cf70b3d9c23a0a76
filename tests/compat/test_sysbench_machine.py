"""`assay sysbench cpu`, `memory`, `threads`, `mutex`: command line, text, JSON, sysbench's text beside it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import forked
import pytest

QUICK = {
    "cpu": ["--cpu-max-prime=500"],
    "memory": ["--memory-block-size=4K", "--memory-total-size=100T"],
    "threads": ["--thread-yields=20"],
    "mutex": ["--mutex-locks=200", "--mutex-loops=50"],
}


def ours(*words: str, code: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = forked.run("sysbench", *words, cwd=cwd, timeout=120)
    assert done.returncode == code, done.stderr
    return done


def in_json(*words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(ours(*words, "--output=json").stdout)
    return answer


# ------------------------------------------------------------------------------------ limits and figures


def test_events_and_threads_are_those_that_were_asked_for() -> None:
    found = in_json("cpu", "run", *QUICK["cpu"], "--threads=3", "--events=301", "--time=0", "--histogram")
    assert (found["test"], found["threads"], found["events"]) == ("cpu", 3, 301)
    assert found["fairness"]["events"]["mean"] == pytest.approx(301 / 3)
    times = found["latency_ms"]
    assert 0 < times["min"] <= times["p50"] * 1.001 <= times["max"] * 1.002
    assert times["sum"] == pytest.approx(times["mean"] * 301)
    assert found["complete"]
    assert found["latency_hdr"]


def test_memory_moves_its_total_and_no_more() -> None:
    found = in_json("memory", "run", "--memory-block-size=4K", "--memory-total-size=1001K", "--threads=2")
    assert (found["events"], found["bytes"]) == (250, 250 * 4096)
    nothing = in_json("memory", "run", "--memory-oper=none", "--memory-total-size=1M")
    assert nothing["events"] == 1024
    assert "bytes" not in nothing


def test_series_and_warm_up() -> None:
    found = in_json(
        "threads", "run", *QUICK["threads"], "--warmup-time=0.1", "--time=0.4", "--report-interval=0.1"
    )
    assert found["warmup"]["seconds"] == pytest.approx(0.1)
    assert [one["t_s"] for one in found["series"]] == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=0.01)
    assert sum(one["events"] for one in found["series"]) <= found["events"]


# -------------------------------------------------------------------------------------------- the text


def test_the_text_of_a_run_with_everything() -> None:
    done = ours(
        "--threads=2",
        "cpu",
        "run",
        *QUICK["cpu"],
        "--time=2",
        "--rate=200",
        "--report_interval=1",
        "--report-checkpoints=1",
        "--histogram",
        "--rand-seed=42",
    )
    head, _, rest = done.stdout.partition("Threads started!\n\n")
    assert head.endswith(
        "Running the test with following options:\nNumber of threads: 2\nTarget transaction rate: 200/sec\n"
        "Report intermediate results every 1 second(s)\nReport checkpoint(s) at 1 seconds\n"
        "Initializing random number generator from seed (42).\n\n\n"
        "Prime numbers limit: 500\n\nInitializing worker threads...\n\n"
    )
    lines = rest.splitlines()
    assert re.fullmatch(r"\[ 1s \] thds: 2 eps: \d+\.\d\d lat \(ms,95%\): \d+\.\d\d", lines[0])
    assert re.fullmatch(r"\[ 1s \] queue length: \d+ concurrency: \d", lines[1])
    assert lines[2] == "[ 1s ] Checkpoint report:"
    assert rest.count("CPU speed:\n    events per second: ") == 2
    assert rest.count("Latency histogram (values are in milliseconds)\n") == 2
    totals = [int(number) for number in re.findall(r"total number of events: +(\d+)\n", rest)]
    elapsed = [float(number) for number in re.findall(r"total time: +(\d\.\d{4})s\n", rest)]
    assert all(130 < events < 270 for events in totals), totals
    assert elapsed == pytest.approx([1, 2], abs=0.05)


def test_quiet_runs_print_nothing_and_a_run_without_percentile_says_so() -> None:
    words = ("cpu", "run", *QUICK["cpu"], "--events=5")
    assert ours(*words, "--verbosity=2").stdout == ""
    assert "CPU speed:" in ours(*words, "--verbosity=0", "--debug").stdout
    assert "         percentile stats:               disabled\n" in ours(*words, "--percentile=0").stdout


def test_old_names_and_a_file_of_options(tmp_path: Path) -> None:
    (tmp_path / "s.cfg").write_text("# ours\nthreads = 3\nevents=7\ncpu_max_prime=100\nhistogram\n")
    done = ours("cpu", "--config-file=s.cfg", "--max-requests=9", "run", cwd=tmp_path)
    assert "WARNING: --max-requests is deprecated, use --events instead" in done.stderr
    assert "Number of threads: 3\n" in done.stdout
    assert re.search(r"total number of events: +9\n", done.stdout), "the command line goes before the file"
    assert "Latency histogram" in done.stdout
    done = ours("--test=cpu", "--cpu-max-prime=100", "--num-threads=2", "--events=3", "run")
    assert "Number of threads: 2\n" in done.stdout


def test_help_and_version() -> None:
    listed = ours("memory", "help").stdout
    assert listed.startswith("sysbench 1.0.20 (using assay ")
    first = "  --memory-block-size=SIZE    bytes of the block that an event reads or writes [1K]\n"
    assert f"memory options:\n{first}" in listed
    assert ours("--version").stdout == "sysbench 1.0.20\n"


def test_an_event_that_does_not_end_is_given_up_after_a_forced_shutdown() -> None:
    endless = ("mutex", "run", "--mutex-num=1", "--mutex-locks=1000000000000")
    done = ours(*endless, "--time=0.2", "--forced-shutdown=0", code=2)
    assert "Number of unfinished transactions on forced shutdown: 1\n" in done.stdout
    assert "total number of events:              0\n" in done.stdout
    assert "did not come to the end of an event" in done.stderr


# --------------------------------------------------------------------------------- beside sysbench's own


@pytest.mark.sampled(2)
@pytest.mark.skipif(
    shutil.which("sysbench") is None, reason="sysbench is not installed: scripts/machine sysbench"
)
@pytest.mark.parametrize("test", [*QUICK, "memory none", "memory rate"])
def test_lines_and_columns_are_those_of_sysbench(test: str) -> None:
    name, _, more = test.partition(" ")
    words = [*QUICK[name], "--threads=2", "--time=2", "--report-interval=1"]
    words += {
        "none": ["--memory-oper=none", "--percentile=0"],
        "rate": ["--rate=500", "--memory-access-mode=rnd", "--memory-scope=local", "--rand-seed=3"],
    }.get(more, [])
    with subprocess.Popen(["sysbench", name, *words, "run"], stdout=subprocess.PIPE, text=True) as theirs:
        done = ours(name, *words, "run")  # at the same time: how fast they are is not compared
        printed, _ = theirs.communicate(timeout=60)
    assert theirs.returncode == 0
    assert shape(done.stdout) == shape(printed)


def shape(text: str) -> list[str]:
    """The lines of a text with figures replaced, in which every column stays: of a figure that is set to the
    right its last digit, of one that is set to the left its first.
    """
    head, *lines = text.splitlines()
    assert head.startswith("sysbench 1.0.20 (using ")
    shown = [re.sub(r" +\d[\d.]*$", lambda found: f" <{found.end()}>", _figures(line)) for line in lines]
    # How many intervals a run of two seconds has is chance: each form of their lines counts once.
    return list(dict.fromkeys(one for one in shown if one.startswith("["))) + [
        one for one in shown if not one.startswith("[")
    ]


def _figures(line: str) -> str:
    if re.match(r" {9}(min|avg|max|sum):| +\d+th percentile:", line):
        return line
    return re.sub(r"\d[\d.]*", "N", line)
