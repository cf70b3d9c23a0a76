"""The text of tpcc_start, line by line beside what that program prints."""

from __future__ import annotations

import io
import re
from pathlib import Path

from assay.base.format.event import Phase
from assay.design.folder import Interval
from assay.front.compat.tpcc_mysql import ToolSettings, ToolText
from assay.testing import builders, kind_tally, run_result

THEIRS = Path(__file__).parents[1] / "fixtures" / "tpcc_start.txt"
"""What tpcc_start of 2017 printed: 1 warehouse, 4 connections, 2 s of ramp-up, 6 s in intervals of 2 s."""

KINDS = ("new_order", "payment", "order_status", "delivery", "stock_level")
NUMBER = r"\d+\.\d{3}"
SECONDS = r"\(sec\.\)"
VERDICT = r"(?: \[OK\]| \[NG\] \*)"

FORMATS = {
    "option": r"option \S+(?: \(socket\))? with value '.*'",
    "server": r"     \[server\]: .*",
    "port": r"     \[port\]: \d+",
    "db": r"     \[DBname\]: .+",
    "user": r"       \[user\]: .*",
    "pass": r"       \[pass\]: .*",
    "warehouse": r"  \[warehouse\]: \d+",
    "connection": r" \[connection\]: \d+",
    "rampup": rf"     \[rampup\]: \d+ {SECONDS}",
    "measure": rf"    \[measure\]: \d+ {SECONDS}",
    "ramp-up": r"RAMP-UP TIME\.\(\d+ sec\.\)",
    "interval": rf"[ \d]{{3}}\d, trx: \d+, 95%: {NUMBER}, 99%: {NUMBER}, max_rt: {NUMBER}"
    + rf", \d+\|{NUMBER}" * 4,
    "stopping": r"STOPPING THREADS\.+",
    "raw": r"  \[\d\] sc:\d+ lt:\d+  rt:\d+  fl:\d+ avg_rt: \d+\.\d \(\d+\)",
    "seconds": r" in \d+ sec\.",
    "sum": r"  \[\d\] sc:\d+  lt:\d+  rt:\d+  fl:\d+ ",
    "share": rf" *(?:Payment|Order-Status|Delivery|Stock-Level): \d+\.\d\d% \(>=[ \d]\d\.0%\){VERDICT}",
    "passed": rf" *(?:New-Order|Payment|Order-Status|Delivery|Stock-Level): \d+\.\d\d% {VERDICT}",
    "tpmc": rf" {{17}}{NUMBER} TpmC",
}
"""The format strings of its source as regular expressions; all other lines are said word for word."""


def shape(text: str) -> list[str]:
    """Each line by the name of its format, or as it is; lines of one format in a row count once."""
    names: list[str] = []
    for line in text.splitlines():
        name = next((name for name, form in FORMATS.items() if re.fullmatch(form, line)), line)
        if not names or names[-1] != name or name not in FORMATS:
            names.append(name)
    return names


DONE = {name: kind_tally([1.0, 2.5]) for name in KINDS}


def interval(index: int, *, length_s: float = 2.0, phase: Phase = "measure") -> Interval:
    start_ns = int(index * 2e9)
    return builders.interval(
        DONE, index=index, phase=phase, start_ns=start_ns, end_ns=start_ns + int(length_s * 1e9)
    )


def ours(*intervals: Interval, elapsed_s: float = 6.0) -> str:
    out = io.StringIO()
    settings = ToolSettings(
        server="127.0.0.1",
        port=3306,
        socket=None,
        database="tpcc",
        user="root",
        warehouses=1,
        connections=4,
        rampup_s=2,
        measure_s=6,
        interval_s=2,
        rt_unit="s",
    )
    text = ToolText(settings, out.write)
    text.begin()
    for one in intervals:
        text.interval(one)
    text.end(run_result(DONE, seconds=elapsed_s, transactions=10, warmup_s=2.0))
    return out.getvalue()


def test_every_line_is_of_the_form_that_the_tool_gives_it() -> None:
    theirs = THEIRS.read_text()
    mine = ours(interval(0, phase="warmup"), *(interval(number) for number in range(3)))
    assert shape(mine) == shape(theirs)
    assert set(FORMATS) <= set(shape(theirs))
    for form in ("interval", "raw", "sum", "share", "passed"):
        counts = [
            sum(bool(re.fullmatch(FORMATS[form], line)) for line in text.splitlines())
            for text in (mine, theirs)
        ]
        assert counts[0] == counts[1] > 0, form


def test_a_window_without_a_whole_interval_has_begun_all_the_same() -> None:
    assert "\nMEASURING START.\n\n\nSTOPPING THREADS" in ours()


def test_what_has_no_length_of_an_interval_has_no_line() -> None:
    """As the tool cuts a window that is no multiple of its interval."""
    mine = ours(interval(0), interval(1), interval(2, length_s=0.4))
    lines = [line for line in mine.splitlines() if re.fullmatch(FORMATS["interval"], line)]
    assert [line.split(",")[0] for line in lines] == ["   2", "   4"]
