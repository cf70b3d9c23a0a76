"""Reads the text that fio 3 prints after a run (`--output-format=normal`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.base.errors import InputError
from assay.design.folder import Printed, PrintedFigure
from assay.design.study.storage import LATENCIES_MS
from assay.experiments.adopt.adopted import Adopted, LoadPoint
from assay.experiments.adopt.fio_json import TOOL, UNKNOWN_OF_FILES
from assay.experiments.adopt.fio_runs import HEAD, OPTIONS, STATUS, VERSION, fio_runs
from assay.experiments.adopt.lines import Line, Text, cut_short

_N = r"([\d.]+[kMGT]?)"
_POWERS = "kMGT"
_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12}
_SIZE = r"[kKMGTP]?i?(?:B|bit)"
_TO_MS = {"nsec": Decimal("0.000001"), "usec": Decimal("0.001"), "msec": Decimal(1)}

_SIDE = re.compile(
    rf"\s*(?P<side>read|write|trim): IOPS={_N}, BW=(?P<bw>[\d.]+)(?P<unit>{_SIZE})/s \(.*?\)"
    rf"\((?P<io>[\d.]+)(?P<io_unit>{_SIZE})/(?P<ms>\d+)msec\)(?:;.*)?"
)
_TIMES = re.compile(
    r"\s*(?P<what>slat|clat|lat|sync) \((?P<unit>[num]sec)\):"
    rf" min=\s*{_N}, max=\s*{_N}, avg=\s*{_N}, stdev=\s*{_N}"
)
_RANKS = re.compile(r"\s*(?P<what>slat|clat|lat|sync) percentiles \((?P<unit>[num]sec)\):")
_RANK = re.compile(r"(\d+\.\d+)th=\[\s*(\d+)\]")
_BANDWIDTH = re.compile(
    rf"\s*bw \(\s*(?P<unit>{_SIZE})/s\s*\): min=\s*{_N}, max=\s*{_N}, per=\s*[\d.]+%,"
    rf" avg=\s*{_N}, stdev=\s*{_N},"
    r" samples=\s*\d+"
)
_IOPS = re.compile(rf"\s*iops\s+: min=\s*{_N}, max=\s*{_N}, avg=\s*{_N}, stdev=\s*{_N}, samples=\s*\d+")
_SHARES = re.compile(r"\s*lat \((?P<unit>[num]sec)\)\s+: (?P<all>(?:(?:>=)?\d+=[\d.]+%(?:, )?)+)")
_SHARE = re.compile(r"(>=)?(\d+)=([\d.]+)%")
_CPU = re.compile(r"\s*cpu\s+: usr=([\d.]+)%, sys=([\d.]+)%, ctx=(\d+), majf=(\d+), minf=(\d+)")
_LEVELS = re.compile(r"\s*(?P<what>IO depths|submit|complete)\s+: (?P<all>.*)")
_LEVEL = re.compile(r"(>=)?(\d+)=([\d.]+)%")
_ISSUED = re.compile(r"\s*issued rwts: total=(\d+),(\d+),\d+,(\d+) short=(\d+),(\d+),.*")
_DEPTH = re.compile(r"\s*latency\s+: target=\d+, window=\d+, percentile=[\d.]+%, depth=(\d+)")
_ERRORS = re.compile(r"\s*errors\s+: total=(\d+), first_error=(\d+)/<(.*)>")
_SILENT = re.compile(
    r"\s*(?:fsync/fdatasync/sync_file_range:|zbd.*"
    r"|(?:READ|WRITE|TRIM|MIXED): bw=.*|Starting \d+ (?:process|thread)(?:e?s)?(?: and \d+ \w+)?|\.\.\."
    r"|.*: Laying out IO files? \(.*\)|clock setaffinity failed.*|Jobs: \d+ \(f=.*)"
)
"""Lines without news: the totals of a group repeat those of its jobs."""
_NAMES = {"IO depths": "depth", "submit": "submitted", "complete": "collected"}
_PARTS = {"slat": "_submit", "clat": "_completion", "lat": "", "sync": ""}
_KEPT = {"50.00": "p50", "95.00": "p95", "99.00": "p99", "99.90": "p99_9"}
_SPREAD = ("min", "max", "mean", "stdev")


def recognises(text: str) -> bool:
    """Returns whether a text has the head of a job as fio prints it."""
    return "(groupid=" in text and any(HEAD.fullmatch(line) for line in text.splitlines())


def read(text: Text) -> list[Adopted]:
    """Returns every group of jobs of every run in fio's text. Raises InputError for another version, a failed
    job, and a text that is cut short.
    """
    version = next((line for line in text.lines if VERSION.fullmatch(line.text.strip())), None)
    if version is None:
        raise InputError(
            f"{text.file}: expected a line with fio's version, as in fio-3.33, before the results",
            hint="give the whole output, from its first line on",
        )
    found = text.each_run(fio_runs(text), lambda lines: _run(text.file, lines, version))
    return [one for groups in found for one in groups]


def _run(file: str, lines: Sequence[Line], version: Line) -> list[Adopted]:
    """Returns the groups of one run. `version` is the file's first line with one, for a run without."""
    version = next((line for line in lines if VERSION.fullmatch(line.text.strip())), version)
    found = VERSION.fullmatch(version.text.strip())
    if found is None or not found[1].startswith("3."):
        raise version.wrong("fio-3.N")
    version.take()
    options: dict[str, re.Match[str]] = {}
    for line in lines:
        if said := OPTIONS.fullmatch(line.text.strip()):
            line.take()
            options[said["name"]] = said
        elif STATUS.fullmatch(line.text.strip()) or _SILENT.fullmatch(line.text.rstrip()):
            line.take()
    jobs = list(_jobs(lines))
    if not any(STATUS.fullmatch(line.text.strip()) for line in lines):
        raise cut_short(file, lines, '"Run status group 0 (all jobs):"')
    groups: dict[str, list[_Job]] = {}
    for job in jobs:
        groups.setdefault(job.group, []).append(job)
    disks = list(_disk(lines))
    return [
        _group(found[1], members, options, disks if len(groups) == 1 else []) for members in groups.values()
    ]


@dataclass
class _Job:
    """One job, or several that report together."""

    head: Line
    name: str
    group: str
    count: str
    figures: list[PrintedFigure] = field(default_factory=list)
    depth: str | None = None
    sides: dict[str, PrintedFigure] = field(default_factory=dict)  # IOPS by direction
    bandwidths: dict[str, PrintedFigure] = field(default_factory=dict)
    runtimes: dict[str, PrintedFigure] = field(default_factory=dict)
    totals: dict[str, PrintedFigure] = field(default_factory=dict)


def _jobs(lines: Sequence[Line]) -> Iterator[_Job]:
    job: _Job | None = None
    side = rank = ""
    unit = "msec"
    for line in lines:
        text = line.text.rstrip()
        head = HEAD.fullmatch(text)
        if head or STATUS.fullmatch(text.strip()):
            if job is not None:
                yield _complete(job, lines)
            job, side, rank = None, "", ""
        if head:
            if head["error"] != "0":
                raise line.wrong("a job without an error (err= 0)")
            line.take()
            job = _Job(line, head["name"], head["group"], head["jobs"])
            continue
        if job is None or not text.strip():
            continue
        if (said := _RANKS.fullmatch(text)) is not None:
            line.take()
            rank, unit = said["what"], said["unit"]
        elif rank and text.strip().startswith("|"):
            job.figures += _ranked(line, side, rank, unit)
        elif (said := _SIDE.fullmatch(text)) is not None:
            side, rank = said["side"], ""
            _begin_side(job, line, said)
        else:
            known = list(_statistic(job, line, side))
            rank = rank if not known and line.is_left_over else ""
            job.figures += known
    if job is not None:
        yield _complete(job, lines)


def _complete(job: _Job, lines: Sequence[Line]) -> _Job:
    if not job.sides or job.depth is None:
        missing = "its reads or writes" if not job.sides else "its line with the depth"
        raise cut_short(job.head.file, lines, f"{missing} of the job {job.name}")
    return job


def _scaled(text: str) -> Decimal:
    """Returns a number with fio's suffix: 12.3k is 12300."""
    bare = text.rstrip("kMGT")
    return Decimal(bare).scaleb(_DECIMAL[text[len(bare) :]])


def _figure(
    line: Line, name: str, unit: str, text: str, by: Decimal = Decimal(1), how: str = ""
) -> PrintedFigure:
    line.take()
    value = _scaled(text) * by
    return PrintedFigure(
        name=name,
        unit=unit,
        value=float(value),
        text=text,
        file=line.file,
        place=f"line {line.number}",
        how=how,
    )


def _in_mib(line: Line, name: str, unit: str, text: str, prefix: str) -> PrintedFigure:
    """Returns a size or a bandwidth in MiB. `prefix` is its unit: KiB, MB with kb_base=1000, Mibit with
    unit_base=1.
    """
    bare = prefix.removesuffix("bit").removesuffix("B")
    power = _POWERS.index(bare[0].replace("K", "k")) + 1 if bare else 0
    by = Decimal(1024 if bare.endswith("i") else 1000) ** power / 2**20 / (8 if prefix.endswith("bit") else 1)
    how = "" if prefix == "MiB" else f"{prefix} in MiB"
    return _figure(line, name, unit, text, by, how)


def _begin_side(job: _Job, line: Line, said: re.Match[str]) -> None:
    name = said["side"]
    job.sides[name] = _figure(line, f"{name}_iops", "/s", said[2])
    job.bandwidths[name] = _in_mib(line, f"{name}_mib_per_s", "MiB/s", said["bw"], said["unit"])
    job.runtimes[name] = _figure(
        line, "elapsed_s", "s", said["ms"], Decimal("0.001"), "msec / 1000, the longest"
    )
    job.figures += [
        job.sides[name],
        job.bandwidths[name],
        _in_mib(line, f"{name}_mib", "MiB", said["io"], said["io_unit"]),
    ]


def _in_ms(line: Line, name: str, text: str, unit: str) -> PrintedFigure:
    return _figure(line, name, "ms", text, _TO_MS[unit], "" if unit == "msec" else f"{unit} in ms")


def _ranked(line: Line, side: str, what: str, unit: str) -> Iterator[PrintedFigure]:
    line.take()
    for rank, text in _RANK.findall(line.text):
        if rank in _KEPT:
            of = "sync" if what == "sync" else f"{side}{_PARTS[what]}"
            yield _in_ms(line, f"{of}_{_KEPT[rank]}_ms", text, unit)


def _statistic(job: _Job, line: Line, side: str) -> Iterator[PrintedFigure]:
    """Yields the figures of a line below the head of a direction or of a job; none of a line in an unknown
    form, which stays left over.
    """
    text = line.text.rstrip()
    if said := _TIMES.fullmatch(text):
        of = "sync" if said["what"] == "sync" else f"{side}{_PARTS[said['what']]}"
        for what, number in zip(_SPREAD, said.groups()[2:], strict=True):
            yield _in_ms(line, f"{of}_{what}_ms", number, said["unit"])
    elif said := _BANDWIDTH.fullmatch(text):
        for what, number in zip(_SPREAD, said.groups()[1:], strict=True):
            yield _in_mib(line, f"{side}_bandwidth_{what}", "MiB/s", number, said["unit"])
    elif said := _IOPS.fullmatch(text):
        for what, number in zip(_SPREAD, said.groups(), strict=True):
            yield _figure(line, f"{side}_iops_{what}", "/s", number)
    elif said := _SHARES.fullmatch(text):
        yield from _shares(line, said["unit"], said["all"])
    elif said := _CPU.fullmatch(text):
        names = ("worker_user_pct", "worker_system_pct", "context_switches", "major_faults", "minor_faults")
        for name, number in zip(names, said.groups(), strict=True):
            yield _figure(line, name, "%" if name.endswith("_pct") else "", number)
    elif said := _LEVELS.fullmatch(text):
        for more, level, share in _LEVEL.findall(said["all"]):
            named = f"{level}_up" if more else level
            yield _figure(line, f"{_NAMES[said['what']]}_{named}_pct", "%", share)
    elif said := _ISSUED.fullmatch(text):
        line.take()
        reads, writes, _, short_reads, short_writes = said.groups()
        for name, total, short in (("read", reads, short_reads), ("write", writes, short_writes)):
            if name in job.sides:
                job.totals[name] = _figure(line, f"{name}_issued", "", total)
                yield job.totals[name]
                yield _figure(line, f"{name}_short", "", short)
    elif said := _DEPTH.fullmatch(text):
        line.take()
        job.depth = said[1]
    elif said := _ERRORS.fullmatch(text):
        yield _figure(line, "errors", "", said[1])


def _shares(line: Line, unit: str, shares: str) -> Iterator[PrintedFigure]:
    line.take()
    for more, edge, share in _SHARE.findall(shares):
        edge_ms = float(Decimal(edge) * _TO_MS[unit])
        if more:
            yield _figure(line, "latency_beyond_pct", "%", share)
        elif edge_ms in LATENCIES_MS:
            yield _figure(line, f"latency_below_{edge_ms:g}_ms_pct", "%", share)


_DISK = re.compile(
    r"\s*(?P<name>\S+): ios=(\d+)/(\d+), (?:sectors=\d+/\d+, )?merge=(\d+)/(\d+),"
    r" ticks=(\d+)/(\d+), in_queue=(\d+), util=([\d.]+)%(?:, aggr.*)?"
)


def _disk(lines: Sequence[Line]) -> Iterator[PrintedFigure]:
    """Yields the work of the disk, where one alone is listed."""
    found = [(line, said) for line in lines if (said := _DISK.fullmatch(line.text.rstrip()))]
    for line, _ in found:
        line.take()
    if len(found) != 1:
        return
    ((line, said),) = found
    names = (
        ("disk_read_ios", ""),
        ("disk_write_ios", ""),
        ("disk_read_merges", ""),
        ("disk_write_merges", ""),
        ("disk_read_ticks_ms", "ms"),
        ("disk_write_ticks_ms", "ms"),
        ("disk_queue_ms", "ms"),
        ("disk_util_pct", "%"),
    )
    for (name, unit), text in zip(names, said.groups()[1:], strict=True):
        yield _figure(line, name, unit, text)


def _group(
    version: str, jobs: Sequence[_Job], options: Mapping[str, re.Match[str]], disks: Sequence[PrintedFigure]
) -> Adopted:
    settings = {"job": ", ".join(dict.fromkeys(job.name for job in jobs))}
    if len(jobs) == 1:
        settings["jobs"] = jobs[0].count
        if said := options.get(jobs[0].name):
            settings |= {name: said[name] for name in ("rw", "bs", "ioengine")}
    figures = list(jobs[0].figures) if len(jobs) == 1 else []
    if len(jobs) > 1:
        for job in jobs:
            if len(job.sides) == 1:
                ((name, rate),) = job.sides.items()
                figures.append(_renamed(rate, f"{job.name}.iops"))
                figures.append(_renamed(job.bandwidths[name], f"{job.name}.mib_per_s"))
    figures += _totals(jobs)
    figures += disks
    depths = {job.depth for job in jobs}
    depth = depths.pop() if len(depths) == 1 else None
    return Adopted(
        tool=TOOL,
        version=version,
        kind="storage",
        workload=TOOL,
        printed=Printed(figures=figures),
        load=None if depth is None else LoadPoint("iodepth", float(depth)),
        settings=settings,
        unknown=(*UNKNOWN_OF_FILES, "histogram", "seconds"),
    )


def _renamed(one: PrintedFigure, name: str) -> PrintedFigure:
    return PrintedFigure(
        name=name, unit=one.unit, value=one.value, text=one.text, file=one.file, place=one.place, how=one.how
    )


def _totals(jobs: Sequence[_Job]) -> Iterator[PrintedFigure]:
    rates = [one for job in jobs for one in job.sides.values()]
    bandwidths = [one for job in jobs for one in job.bandwidths.values()]
    for name, parts in (("iops", rates), ("mib_per_s", bandwidths)):
        if len(parts) == 1:
            yield _renamed(parts[0], name)
            continue
        total = sum((Decimal(str(one.value)) for one in parts), Decimal(0))
        yield PrintedFigure(
            name=name,
            unit=parts[0].unit,
            value=float(total),
            text="",
            file=parts[0].file,
            place=parts[0].place,
            how=" + ".join(one.text for one in parts),
        )
    yield max((one for job in jobs for one in job.runtimes.values()), key=lambda one: one.value)
    totals = [one for job in jobs for one in job.totals.values()]
    if len(totals) == 1:
        yield _renamed(totals[0], "transactions")
