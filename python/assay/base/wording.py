"""Counts, sizes and lengths of time in English sentences: `1 run`, `12 runs`, `1.5 GiB`."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Returns a count with its noun: `1 run`, `1,200 runs`, `2 queries`."""
    return f"{count:,} {plural_of(count, noun, plural)}"


def plural_of(count: int, noun: str, plural: str | None = None) -> str:
    """Returns the noun in the singular or plural form that the count needs."""
    if count == 1:
        return noun
    if plural is not None:
        return plural
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def duration(seconds: float) -> str:
    """Returns a length of time in its two largest units: `45 s`, `3 min 20 s`, `2 h 05 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s" if whole % 60 else f"{whole // 60} min"
    minutes = whole % 3600 // 60
    return f"{whole // 3600:,} h {minutes:02d} min" if minutes else f"{whole // 3600:,} h"


def sized(count: float) -> str:
    """Returns bytes as `512 bytes`, `1.5 MiB` or `47.2 GiB`, in powers of 1024."""
    if abs(count) < 1024:
        return counted(round(count), "byte")
    for unit in ("KiB", "MiB", "GiB"):
        count /= 1024
        if abs(count) < 1000:
            return f"{count:.3g} {unit}"
    return f"{count / 1024:,.2f} TiB"
