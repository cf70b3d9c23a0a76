"""Reads values as fio writes them: sizes, times, ranges, shares (fio's HOWTO, "Parameter types")."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from assay.base.format.job import (
    Blocks,
    Distribution,
    OnceDistribution,
    Range,
    Share,
    ZipfDistribution,
    Zone,
    ZonesDistribution,
)

_WHOLE = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIMES: Mapping[str, float] = {
    "d": 86400.0,
    "h": 3600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "msec": 1e-3,
    "us": 1e-6,
    "usec": 1e-6,
    "ns": 1e-9,
    "nsec": 1e-9,
}


_MOST_BYTES = 2**62
_LONGEST_S = 1e9


def whole(text: str) -> int:
    """Returns a whole number from 0, of at most 32 bits."""
    return _whole(text, 2**32 - 1)


def count(text: str) -> int:
    """Returns a whole number from 0, as large as any that JSON carries everywhere."""
    return _whole(text, 2**53 - 1)


def workers(text: str) -> int:
    """Returns a number of workers; the most are fio's own."""
    return _whole(text, 4096)


def files(text: str) -> int:
    """Returns a number of files of one job."""
    return _whole(text, 100_000)


def _whole(text: str, most: int) -> int:
    try:
        found = int(text, 0) if _WHOLE.fullmatch(text) else -1
    except ValueError:
        found = -1
    if found < 0:
        raise ValueError("expected a whole number from 0")
    if found > most:
        raise ValueError(f"expected at most {most:,}")
    return found


def number(text: str) -> float:
    """Returns a finite number."""
    try:
        found = float(text)
    except ValueError:
        raise ValueError("expected a number") from None
    if not math.isfinite(found):
        raise ValueError("expected a number")
    return found


def size(text: str) -> int:
    """Returns bytes; as in fio, `k`, `m`, `g` and `kb` are powers of 1024, and `ki`, `kib` powers of 1000."""
    found = _SIZE.fullmatch(text.strip())
    if found:
        unit = found[2].lower().removesuffix("b")
        base = 1000 if unit.endswith("i") and len(unit) > 1 else 1024
        power = _POWERS.get(unit.removesuffix("i"))
        if power is not None:
            counted = float(found[1]) * float(base) ** power
            if counted > _MOST_BYTES:
                raise ValueError("expected a size of at most 4096p")
            return round(counted)
    if re.fullmatch(r"[\d.]+%", text.strip()):
        raise ValueError("a share of the device or of the file is not supported: expected a size such as 1g")
    raise ValueError("expected a size such as 4k, 1m or 2g")


def seconds(text: str) -> float:
    """Returns seconds; a value without a unit is in seconds."""
    return _time(text, 1.0)


def microseconds(text: str) -> int:
    """Returns microseconds; a value without a unit is in microseconds."""
    return round(_time(text, 1e-6) * 1e6)


def _time(text: str, unit: float) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip(), re.IGNORECASE)
    scale = _TIMES.get(found[2].lower()) if found and found[2] else unit
    if found is None or scale is None:
        raise ValueError("expected a time such as 30, 30s, 5m or 100ms")
    if (length := float(found[1]) * scale) > _LONGEST_S:
        raise ValueError("expected a time of at most 11574d")
    return length


def switch(text: str) -> bool:
    """Returns the truth value of 0, 1, `true` or `false`."""
    words = {"0": False, "1": True, "false": False, "true": True}
    if text.lower() not in words:
        raise ValueError("expected 0 or 1")
    return words[text.lower()]


BLOCK = 4096
"""Bytes of an operation whose size is not given."""


def both(text: str) -> tuple[str, str]:
    """Returns the value for reads and the value for writes, separated by a comma; one value is for both, and
    an empty one means the default.

    A third value, for trims, is refused.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 3 and not parts[2]:
        parts.pop()
    if len(parts) > 2:
        raise ValueError("trims are not supported: give one value, or two for reads and writes")
    if not any(parts):
        raise ValueError("expected a value")
    return (parts[0], parts[-1])


def _block(text: str) -> int:
    found = size(text)
    if found < 1:
        raise ValueError("an operation must have at least 1 byte")
    return found


def block_sizes(text: str) -> tuple[Blocks, Blocks]:
    """Returns the block sizes of reads and of writes, given as `4k` or `4k,16k`."""
    if "-" in text or ":" in text:
        kind = "bssplit" if "/" in text else "bsrange"
        raise ValueError(f"expected one size for each direction; write {kind}={text}")
    read, write = both(text)
    return _block(read) if read else BLOCK, _block(write) if write else BLOCK


def block_ranges(text: str) -> tuple[Blocks, Blocks]:
    """Returns the ranges of block sizes of reads and of writes, given as `1k-4k` or two ranges."""

    def one(part: str) -> Blocks:
        if not part:
            return BLOCK
        low, dash, high = part.replace(":", "-").partition("-")
        if not dash:
            raise ValueError("expected a range such as 4k-64k")
        found = Range(from_=_block(low), to=_block(high))
        if found.to < found.from_:
            raise ValueError("a range must go from the smaller size to the larger")
        return found

    read, write = both(text)
    return one(read), one(write)


def block_splits(text: str) -> tuple[Blocks, Blocks]:
    """Returns the shares of block sizes for reads and for writes, given as `4k/60:64k/40` or two such lists;
    sizes without a share divide the rest equally.
    """

    def one(part: str) -> Blocks:
        if not part:
            return BLOCK
        entries = [entry.partition("/") for entry in part.split(":") if entry]
        given = [number(share) if share else None for _, _, share in entries]
        if any(share is not None and not 0 <= share <= 100 for share in given):
            raise ValueError("expected percentages from 0 to 100")
        left = 100.0 - sum(share for share in given if share is not None)
        blank = given.count(None)
        if not entries or left < -1e-6 or (not blank and abs(left) > 1e-6):
            raise ValueError("expected sizes with percentages that add up to 100, such as 4k/60:64k/40")
        return [
            Share(bytes=_block(name), weight=left / blank if share is None else share)
            for (name, _, _), share in zip(entries, given, strict=True)
        ]

    read, write = both(text)
    return one(read), one(write)


def distribution(text: str) -> Distribution:
    """Returns the distribution of offsets: `random`, `zipf:1.2`, or `zoned:60/10:30/20:10/70` (share of
    accesses / share of the space).
    """
    kind, _, rest = text.partition(":")
    match kind:
        case "random":
            return OnceDistribution()
        case "zipf":
            return ZipfDistribution(theta=number(rest or "1.1"))
        case "zoned":
            zones = [zone.partition("/") for zone in rest.split(":")]
            return ZonesDistribution(
                zones=[Zone(operations=number(share), space=number(space)) for share, _, space in zones]
            )
    raise ValueError("expected random, zipf:THETA or zoned:…")
