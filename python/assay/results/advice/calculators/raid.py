"""Calculates the capacity of a RAID array, and the cost of a write to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, in_words, number

_SOURCE = "Patterson, Gibson and Katz, A Case for Redundant Arrays of Inexpensive Disks (1988); md(4)"
_SPARE = "over-provisioning as makers of solid-state disks state it: spare space against used space"


@dataclass(frozen=True)
class _Level:
    least: int  # disks
    lost: Callable[[int], float]  # disks' worth of space that redundancy takes, of so many disks
    survives: Callable[[int], int]  # disks that may fail, wherever they are
    writes: Callable[[int], int]  # operations of disks for one small random write
    because: str  # why a write costs so many


_LEVELS = {
    "0": _Level(2, lambda n: 0, lambda n: 0, lambda n: 1, "the block"),
    "1": _Level(2, lambda n: n - 1, lambda n: n - 1, lambda n: n, "the block on every disk"),
    "5": _Level(3, lambda n: 1, lambda n: 1, lambda n: 4, "read and write the block and its parity"),
    "6": _Level(4, lambda n: 2, lambda n: 2, lambda n: 6, "read and write the block and its two parities"),
    "10": _Level(4, lambda n: n / 2, lambda n: 1, lambda n: 2, "the block on both disks of a pair"),
}


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    level, disks = str(given["level"]), int(number(given, "disks"))
    size, left_free = number(given, "size"), number(given, "over_provision")
    what = _LEVELS[level]
    if disks < what.least:
        raise ValueError(f"RAID {level} needs at least {what.least} disks, and {disks} are given")
    if level == "10" and disks % 2:
        raise ValueError(f"RAID 10 needs an even number of disks, and {disks} are given")
    lost, writes = what.lost(disks), what.writes(disks)
    used = size * (1 - left_free)
    usable = (disks - lost) * used
    answers = [
        Answer(
            "usable space",
            usable,
            "bytes",
            f"({disks} - {lost:g}) x {in_words(size, 'bytes')} x (1 - {left_free:g})",
            _SOURCE,
        ),
        Answer(
            "share of the raw space",
            usable / (disks * size),
            "share",
            f"{in_words(usable, 'bytes')} / ({disks} x {in_words(size, 'bytes')})",
            _SOURCE,
        ),
        Answer(
            "disks that may fail, wherever they are",
            what.survives(disks),
            "count",
            f"RAID {level} of {disks} disks",
            _SOURCE,
        ),
        Answer(
            "operations of disks for one small random write",
            writes,
            "count",
            what.because,
            _SOURCE,
        ),
    ]
    if left_free:
        answers.append(
            Answer(
                "over-provisioning added",
                left_free / (1 - left_free),
                "share",
                f"{left_free:g} / (1 - {left_free:g}): space left free against space used",
                _SPARE,
            )
        )
    if "iops" in given:
        iops = number(given, "iops")
        answers += [
            Answer(
                "random reads of the array",
                disks * iops,
                "1/s",
                f"{disks} x {in_words(iops, '1/s')}",
                _SOURCE,
            ),
            Answer(
                "random writes of the array",
                disks * iops / writes,
                "1/s",
                f"{disks} x {in_words(iops, '1/s')} / {writes}, without a write-back cache",
                _SOURCE,
            ),
        ]
    return answers


CALCULATOR = Calculator(
    name="raid",
    summary="Space, redundancy and write cost of a RAID array.",
    inputs=(
        Input("level", "count", "RAID level.", choices=tuple(_LEVELS)),
        Input("disks", "count", "Number of disks, spares left out.", least=2, most=10_000),
        Input("size", "bytes", "Size of one disk, such as 900G.", least=1),
        Input("over_provision", "share", "Share of each disk left unpartitioned.", default=0.0, most=0.9),
        Input("iops", "1/s", "Random operations a second of one disk.", optional=True, least=1),
    ),
    answers=_answers,
    example="assay calc raid --level 5 --disks 8 --size 900G --over-provision 0.15",
)
