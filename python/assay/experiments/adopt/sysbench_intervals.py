"""Reads sysbench's interval reports: its own lines, and those of its hooks report_csv and report_json."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.design.folder import PrintedInterval
from assay.experiments.adopt.lines import Line

_AT = r"\[\s*(?P<end>\d+)s ?\] "
_FORMS = tuple(
    re.compile(_AT + pattern)
    for pattern in (
        r"thds: (?P<threads>\d+) tps: (?P<tps>[\d.]+) qps: (?P<qps>[\d.]+)"
        r" \(r/w/o: (?P<reads_per_s>[\d.]+)/(?P<writes_per_s>[\d.]+)/(?P<other_per_s>[\d.]+)\)"
        r" lat \(ms,\s*(?P<rank>\d+)%\): (?P<tail>[\d.]+)"
        r" err/s:? (?P<errors_per_s>[\d.]+) reconn/s: (?P<reconnects_per_s>[\d.]+)",
        r"threads: (?P<threads>\d+), tps: (?P<tps>[\d.]+), reads(?:/s)?: (?P<reads_per_s>[\d.]+),"
        r" writes(?:/s)?: (?P<writes_per_s>[\d.]+), response time: (?P<tail>[\d.]+)ms \((?P<rank>\d+)%\)"
        r"(?:, errors: (?P<errors_per_s>[\d.]+), reconnects:\s+(?P<reconnects_per_s>[\d.]+))?",
        r"reads: (?P<read_mib_per_s>[\d.]+) MiB/s writes: (?P<write_mib_per_s>[\d.]+) MiB/s"
        r" fsyncs: (?P<syncs_per_s>[\d.]+)/s latency \(ms,\s*(?P<rank>\d+)%\): (?P<tail>[\d.]+)",
    )
)
_QUEUE = re.compile(_AT + r"queue length: (?P<queue_length>\d+),? concurrency: (?P<concurrency>\d+)")
_EVENTS = re.compile(_AT + r"thds: \d+ eps: .*")  # of a test without a server
_CHECKPOINT = re.compile(_AT + r"Checkpoint report:")

_CSV_COLUMNS = (
    "end",
    "threads",
    "tps",
    "qps",
    "reads_per_s",
    "writes_per_s",
    "other_per_s",
    "tail",
    "errors_per_s",
    "reconnects_per_s",
)
_CSV = re.compile(rf"\d+(?:,\s*\d+(?:\.\d+)?){{{len(_CSV_COLUMNS) - 1}}}")
_JSON = re.compile(r'"(\w+)":\s*(?:(\d+(?:\.\d+)?)\s*,?|\{)')
_JSON_NAMES = {"time": "end", "threads": "threads", "tps": "tps", "total": "qps", "latency": "tail"} | {
    name: f"{name}_per_s" for name in ("reads", "writes", "other", "errors", "reconnects")
}
_OF_INTERVALS = ("tps", "qps", "read_mib_per_s", "write_mib_per_s")
_RANKS = ("50", "95", "99")


@dataclass
class Intervals:
    """The intervals of one run, in order. `tails` are the times at a rank that only the end of the text may
    say.
    """

    found: list[tuple[PrintedInterval, str, float]] = field(default_factory=list)
    series: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    _object: dict[str, float] = field(default_factory=dict)

    def read(self, line: Line) -> None:
        """Takes a line that belongs to an interval report, and leaves any other.

        Raises InputError for an interval that does not follow the one before, and for a checkpoint report,
        which resets the statistics.
        """
        text = line.text.strip()
        if _CHECKPOINT.fullmatch(text):
            raise line.wrong(
                "interval reports only: a checkpoint report resets the statistics",
                "import a run without --report-checkpoints",
            )
        if said := next((one for form in _FORMS if (one := form.fullmatch(text))), None):
            numbers = {name: float(one) for name, one in said.groupdict().items() if one and name != "rank"}
            self._add(line, numbers, said["rank"])
        elif queue := _QUEUE.fullmatch(text):
            line.take()
            for name in ("queue_length", "concurrency"):
                self.series.setdefault(name, []).append((float(queue["end"]), float(queue[name])))
        elif _CSV.fullmatch(text):
            self._add(line, dict(zip(_CSV_COLUMNS, map(float, text.split(",")), strict=True)), "")
        elif (said := _JSON.fullmatch(text)) and said[1] in (*_JSON_NAMES, "qps"):
            self._part(line, said)
        elif _EVENTS.fullmatch(text):
            line.take()

    def _part(self, line: Line, said: re.Match[str]) -> None:
        """Takes one line of an object that report_json prints."""
        line.take()
        if said[1] == "time":
            self._object = {}
        if said[2] is not None:
            self._object[_JSON_NAMES[said[1]]] = float(said[2])
        if self._object.keys() >= set(_JSON_NAMES.values()):
            self._add(line, self._object, "")
            self._object = {}

    def _add(self, line: Line, numbers: Mapping[str, float], rank: str) -> None:
        line.take()
        last = self.found[-1][0] if self.found else None
        begin = last.t_s + last.seconds if last else 0.0
        if numbers["end"] <= begin:
            raise line.wrong(f"an interval that ends after {begin:g} s")
        known = {name: numbers[name] for name in _OF_INTERVALS if name in numbers}
        interval = PrintedInterval(t_s=begin, seconds=numbers["end"] - begin, **known)
        self.found.append((interval, rank, numbers["tail"]))
        for name, value in numbers.items():
            if name not in ("end", "tail", *_OF_INTERVALS):
                self.series.setdefault(name, []).append((begin, value))

    def with_rank(self, rank: str) -> list[PrintedInterval]:
        """Returns the intervals. `rank` is that of their times where their own lines do not say it, such as
        "95"; empty where nothing says it, and the times are then left out.
        """
        found = []
        for one, own, tail in self.found:
            known = {
                name: value
                for name in ("tps", "qps", "read_mib_per_s", "write_mib_per_s")
                if (value := getattr(one, name)) is not None
            }
            if (own or rank) in _RANKS:
                known[f"p{own or rank}_ms"] = tail
            found.append(PrintedInterval(t_s=one.t_s, seconds=one.seconds, **known))
        return found
