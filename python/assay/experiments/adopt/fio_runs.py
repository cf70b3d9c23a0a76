"""Divides the text of fio into runs: its output is often appended to one file."""

from __future__ import annotations

import re

from assay.experiments.adopt.lines import LeftRun, Line, Text

VERSION = re.compile(r"fio-(\d\S*)")
HEAD = re.compile(
    r"(?P<name>.+): \(groupid=(?P<group>\d+), jobs=(?P<jobs>\d+)\): err=\s*(?P<error>\d+)"
    r"(?:.*?: pid=(?P<pid>\d+))?.*"
)
OPTIONS = re.compile(
    r"(?P<name>.+): \(g=\d+\): rw=(?P<rw>\S+), bs=(?P<bs>.+), ioengine=(?P<ioengine>\S+), iodepth=\d+"
)
STATUS = re.compile(r"Run status group \d+ \(all jobs\):|Disk stats \(read/write\):")
_RUNTIME = re.compile(r"/(\d+)msec\)")


def fio_runs(text: Text) -> list[list[Line]]:
    """Returns the lines of each run in a text of fio.

    A run begins with fio's version, or with the options of its jobs above it; without both, where results
    follow the totals of the run before, or groups count from the beginning again. The intermediate results
    of one run (`--status-interval`), which grow until its end, are left over but the last.
    """
    runs: list[list[Line]] = [[]]
    begun = totals = False  # of the present run: has its results, has its totals
    group = -1
    for line in text.lines:
        bare = line.text.strip()
        head = HEAD.fullmatch(line.text.rstrip())
        anew = bool(VERSION.fullmatch(bare) or OPTIONS.fullmatch(bare)) and (begun or totals)
        if head:
            anew = totals or int(head["group"]) < group
            group = int(head["group"])
        if anew:
            runs.append([])
            begun = totals = False
            group = int(head["group"]) if head else -1
        begun = begun or head is not None
        totals = totals or STATUS.fullmatch(bare) is not None
        runs[-1].append(line)
    found: list[list[Line]] = []
    for run in runs:
        if found and _goes_on(found[-1], run):
            before = found.pop()
            text.left_runs.append(
                LeftRun(before[0].number, before[-1].number, "an intermediate result of the run that follows")
            )
        if any(HEAD.fullmatch(line.text.rstrip()) for line in run):
            found.append(run)
    return found


def _goes_on(before: list[Line], run: list[Line]) -> bool:
    """Returns whether a run has the results of the one before at a later time: the same processes, without a
    version of their own.
    """
    if any(VERSION.fullmatch(line.text.strip()) for line in run):
        return False
    (first, ours), (second, theirs) = _processes(before), _processes(run)
    return bool(first) and first == second and len(ours) == len(theirs) and sum(ours) < sum(theirs)


def _processes(run: list[Line]) -> tuple[list[str], list[int]]:
    """Returns the processes of a run's jobs, and how long each direction of them ran, in ms."""
    heads = [one for line in run if (one := HEAD.fullmatch(line.text.rstrip()))]
    times = [int(one[1]) for line in run if " IOPS=" in line.text and (one := _RUNTIME.search(line.text))]
    return [one["pid"] or "" for one in heads], times
