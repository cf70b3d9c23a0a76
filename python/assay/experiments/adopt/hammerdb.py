"""Reads TPROC-C results of HammerDB: its log, and the JSON of its jobs (`jobs ID result`, `… timing`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.design.folder import Printed, PrintedFigure
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "HammerDB"
_RESULT = re.compile(r".*TEST RESULT : System achieved (\d+) NOPM from (\d+) (.+?) TPM.*")
_USERS = re.compile(r".*?(\d+) (?:Active )?Virtual Users configured.*")
_BEGIN = re.compile(
    r".*(?:Hammerdb Log @|Beginning rampup time|Vuser 1:RUNNING|Virtual Users configured|HammerDB CLI).*"
    r'|\s*\[?\s*"[0-9A-F]{16,}",?.*'
)
_VERSION = re.compile(r"HammerDB CLI v?(\d\S*)")
_TIMES = {
    "ramp_up_min": re.compile(r".*Beginning rampup time of (\d+) minutes.*"),
    "measure_min": re.compile(r".*Timing test period of (\d+) in minutes.*"),
}
_SILENT = re.compile(
    r"(?:Vuser \d+:)?(?:RUNNING|Rampup \d+ minutes? complete.*|Rampup complete, .*|\d+\s+\.\.\.,"
    r"|FINISHED SUCCESS|Test complete, .*|Initializing.*|Processing \d+ transactions.*"
    r"|Ssl_cipher.*|DBVersion:.*)|ALL VIRTUAL USERS COMPLETE|Hammerdb Log @ .*|Timestamp @ .*"
    r"|Vuser \d+ created.*"
    r"|\d+ Virtual Users Created.*|Benchmark Run jobid=.*|hammerdb>.*|HammerDB CLI .*|Copyright .*"
    r"|\s*\"[0-9A-F]{16,}\",?|\s*\"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\",?|Type \"help\" .*"
)
"""Lines without a figure and without news; of a virtual user that failed it is news."""
_PROCEDURE = re.compile(r'\s*(?:>+ PROC: (\w+)|"([A-Z]+)": \{)\s*')
_TIMING = re.compile(
    r'"(elapsed_ms|calls|min_ms|avg_ms|max_ms|total_ms|p99_ms|p95_ms|p50_ms|sd|ratio_pct)":\s*"?([\d.]+)"?,?'
)
_LOG_TIMING = re.compile(r"(CALLS|MIN|AVG|MAX|TOTAL|P99|P95|P50|SD|RATIO): ([\d.]+)(?:ms|%)?")
_KINDS = {
    "NEWORD": "new_order",
    "PAYMENT": "payment",
    "DELIVERY": "delivery",
    "SLEV": "stock_level",
    "OSTAT": "order_status",
}
_FIGURES = {
    "calls": ("count", ""), "min": ("min_ms", "ms"), "avg": ("mean_ms", "ms"), "max": ("max_ms", "ms"),
    "p50": ("p50_ms", "ms"), "p95": ("p95_ms", "ms"), "p99": ("p99_ms", "ms"), "ratio": ("share_pct", "%"),
}  # fmt: skip


def recognises(text: str) -> bool:
    """Returns whether a text has the result of a TPROC-C run."""
    return "TEST RESULT : System achieved" in text and "NOPM" in text


def read(text: Text) -> list[Adopted]:
    """Returns every run in a log. Raises InputError for one that is cut short."""
    runs: list[list[Line]] = [[]]
    ended = False
    for line in text.lines:
        is_result = _RESULT.fullmatch(line.text) is not None
        if ended and (is_result or _BEGIN.fullmatch(line.text)):
            runs.append([])
            ended = False
        ended = ended or is_result
        runs[-1].append(line)
    return text.each_run(runs, lambda lines: _run(text.file, lines))


@dataclass
class _Reading:
    database: str = ""
    version: str = ""
    users: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    procedure: str = ""


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    found = _Reading()
    for line in lines:
        _line(found, line)
    known = {one.name: one for one in found.figures}
    if "nopm" not in known:
        raise cut_short(file, lines, '"TEST RESULT : System achieved … NOPM"')
    nopm, tpm = known["nopm"], known["tpm"]
    per_second = PrintedFigure(
        name="tps",
        unit="/s",
        value=tpm.value / 60,
        text="",
        file=file,
        place=tpm.place,
        how=f"{tpm.text} / 60",
    )
    return Adopted(
        tool=TOOL,
        version=found.version,
        kind="server",
        workload="hammerdb-tproc-c",
        printed=Printed(
            figures=[nopm, tpm, per_second, *(one for one in found.figures if one not in (nopm, tpm))]
        ),
        load=LoadPoint("threads", float(found.users)) if found.users else None,
        settings=found.settings | {"database": found.database},
        unknown=(*UNKNOWN, "histogram", "seconds", *(() if found.version else ("version",))),
    )


def _line(found: _Reading, line: Line) -> None:
    text = line.text.strip()
    if said := _RESULT.fullmatch(text):
        found.database = said[3]
        found.figures += [line.figure("nopm", "/min", said[1]), line.figure("tpm", "/min", said[2])]
    elif said := _USERS.fullmatch(text):
        line.take()
        found.users = said[1]
    elif said := next((one for pattern in _TIMES.values() if (one := pattern.fullmatch(text))), None):
        line.take()
        name = next(name for name, pattern in _TIMES.items() if pattern.fullmatch(text))
        found.settings[name] = said[1]
    elif said := _PROCEDURE.fullmatch(text):
        line.take()
        procedure = said[1] or said[2]
        found.procedure = _KINDS.get(procedure, procedure.lower())
    elif found.procedure and (said := _TIMING.fullmatch(text)):
        _timing(found, line, said[1].removesuffix("_ms").removesuffix("_pct"), said[2])
    elif found.procedure and (several := _LOG_TIMING.findall(text)):
        for name, number in several:
            _timing(found, line, name.lower(), number)
    elif _SILENT.fullmatch(text):
        line.take()
        if said := _VERSION.match(text):
            found.version = said[1]


def _timing(found: _Reading, line: Line, name: str, text: str) -> None:
    """Takes a time of a stored procedure, in ms."""
    line.take()
    if name in _FIGURES:
        figure, unit = _FIGURES[name]
        found.figures.append(line.figure(f"{found.procedure}.{figure}", unit, text))
