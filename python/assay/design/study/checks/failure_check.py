"""Checks that a failing device (`[volume] fail_device`) fits the rest of its study."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from assay.design.study import device_failure
from assay.design.study.checks.problems import Problem
from assay.design.study.claims import LADDERS, Claim
from assay.design.study.model.file import StudyFile
from assay.design.study.toml_lines import Keys
from assay.design.study.values import Scalar, parse_duration_s
from assay.design.study.volume_settings import FAIL_AFTER, NEVER

_WHO, _WHEN, _REPLACED = "fail_device", "fail_after", "replace_after"


def failure_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with a failing device: times without a device, several rungs, an experiment, a window
    too short.
    """
    places = {name: _place(file, name) for name in (_WHO, _WHEN, _REPLACED)}
    if not fails_device(file):
        for name in (_WHEN, _REPLACED):
            if _levels(file, name, []):
                yield Problem(places[name], "needs a device that fails; write which, as in fail_device = 2")
        return
    if file.experiment is not None:
        yield Problem(
            places[_WHO], "cannot be combined with [experiment]: it needs a steady load; remove one of them"
        )
        return
    for kind in LADDERS:
        if len(getattr(file.load, kind) or ()) > 1:
            yield Problem(
                ("load", kind), "has several rungs, but a device fails once in a run (fail_device); write one"
            )
    fails_s = max(_lengths_s(_levels(file, _WHEN, [FAIL_AFTER])), default=0.0)
    replaces_s = _lengths_s(_levels(file, _REPLACED, [NEVER]))
    if replaces_s and (queue := _of_queues(file)):
        yield Problem(
            places[_REPLACED],
            f"cannot be combined with {queue}: the new device has its own queue; remove one of them",
        )
    needed_s = fails_s + max(replaces_s, default=0.0)
    if file.load.measure_s <= needed_s:
        what = "before the device is replaced" if file.load.measure_s > fails_s else "before the device fails"
        yield Problem(
            places[_REPLACED if file.load.measure_s > fails_s else _WHEN],
            f"the window ([load] measure, {file.load.measure_s:g} s) ends {what}, {needed_s:g} s into it;"
            " make it longer",
        )


def fails_device(file: StudyFile) -> bool:
    """Returns whether a device of some run's volume fails."""
    return any(_levels(file, _WHO, []))


def not_measured_without(claim: Claim, *, fails: bool, files: bool) -> Iterator[str]:
    """Yields sentences about measures of a claim that exist only with a failed device, and only on files."""
    for name in dict.fromkeys(term.measure for term in claim.terms):
        if name in device_failure.MEASURES and not fails:
            yield f'"{name}" is measured where a device fails; write [volume] fail_device = 2'
        elif name in device_failure.MIB_PER_SECOND and not files:
            yield f'"{name}" is measured of files; of servers there is {name.replace("_mib", "")}'


def _levels(file: StudyFile, name: str, otherwise: Sequence[Scalar]) -> Sequence[Scalar]:
    """Returns every value that a setting of the volume has in the study."""
    settings: Mapping[str, Scalar] = file.volume
    varied = [list(one.given) for one in file.varied if one.key == f"volume.{name}"]
    return varied[0] if varied else [settings[name]] if name in settings else otherwise


def _lengths_s(levels: Sequence[Scalar]) -> list[float]:
    """Returns the levels that are lengths of time, in seconds; the others are refused elsewhere."""
    found = []
    for level in levels:
        with contextlib.suppress(ValueError):
            found.append(parse_duration_s(level))
    return found


def _of_queues(file: StudyFile) -> str | None:
    """Returns the first setting of the disks' queues in the study; None without one."""
    names = [*(f"host.{name}" for name in file.host), *(one.key for one in file.varied)]
    return next((name for name in names if name.startswith("host.block.")), None)


def _place(file: StudyFile, name: str) -> Keys:
    for one in file.varied:
        if one.key == f"volume.{name}":
            return one.values_place
    return ("volume", name) if name in file.volume else ("volume", _WHO)
