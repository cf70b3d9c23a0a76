"""The times of readings in a log: by their timestamps, or by the time between two that the caller gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from assay.base.errors import InputError
from assay.experiments.adopt.lines import Line

_TIME = re.compile(r"(\d{1,2}):(\d\d):(\d\d)(?: ?([AP])M)?")
_DAY = 86_400.0


def time_of_day(text: str) -> float | None:
    """Returns the seconds of the day of the first time in a text, 23:59:59 or 11:59:59 PM; None without
    one.
    """
    found = _TIME.search(text)
    if found is None:
        return None
    hours, minutes, seconds = (int(part) for part in found.groups()[:3])
    if found[4]:
        hours = hours % 12 + (12 if found[4] == "P" else 0)
    return float(3600 * hours + 60 * minutes + seconds)


def has_gap(times: Sequence[float | None], time: float | None) -> bool:
    """Returns whether a reading at `time` belongs to another log than those before it: it comes later than
    they by three of their longest steps and a minute.
    """
    known = [one for one in times if one is not None]
    if time is None or len(known) < 3:
        return False
    longest = max((later - one) % _DAY for one, later in pairwise(known))
    return (time - known[-1]) % _DAY > 3 * longest + 60


def readings_at(lines: Sequence[Line], times: Sequence[float | None], every_s: float | None) -> list[float]:
    """Returns the seconds of each reading since the first, by its time of day or by `every_s`.

    `lines` are those of the readings, for messages. Raises InputError where neither says it, or a time goes
    backwards by less than a day.
    """
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        if every_s is None:
            raise InputError(
                f"{lines[0].file}:{lines[0].number}: its readings have no time",
                hint="say the time between two of them: --every 1",
            )
        return [every_s * number for number in range(len(times))]
    found: list[float] = []
    days = 0.0
    for line, time in zip(lines, known, strict=True):
        at = time + days - known[0]
        if found and at < found[-1]:
            days += _DAY
            at += _DAY
            if at - found[-1] > _DAY / 2:
                raise line.wrong("a reading later than the one before")
        found.append(at)
    return found
