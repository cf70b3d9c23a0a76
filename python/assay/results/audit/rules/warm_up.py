"""The rule that a warm-up can fill the buffer pool, and that no cache holds the files of a load on disks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.base.wording import sized
from assay.results.audit.figure import bytes_of, parse_figure
from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study

_FASTEST = 2.0**30
"""Bytes a second at which random reads fill a buffer pool at the most: 65,000 pages of 16 KiB."""
_WARM = re.compile(r"(?:[a-z]+[-_])?(?:ramp|warm)[-_]?up(?:[-_](?:time|s|default))?")
_DATA = re.compile(r"database_size|data_?size|warehouses|.*file-total-size")
_WAREHOUSE = 90e6
"""Bytes of a warehouse of TPC-C after its load."""
_CACHE = re.compile(r"\bcache\b", re.IGNORECASE)
_DIRECT = re.compile(r"direct|o_direct|odirect", re.IGNORECASE)
_IN_A_CACHE = 8 * 2.0**30


def _check(material: Material) -> Iterator[Finding]:
    variables, facts = by_study(material, "variable"), by_study(material, "fact")
    for study, settings in by_study(material, "setting").items():
        pool = _pool(variables.get(study, []))
        if pool is not None:
            yield from _too_short(settings, pool)
        yield from _cached(settings, facts.get(study, []))


def _pool(variables: list[Statement]) -> tuple[Statement, float] | None:
    for one in variables:
        size = bytes_of(one.text)
        if one.name.replace("-", "_").lower() == "innodb_buffer_pool_size" and size:
            return one, size
    return None


def _too_short(settings: list[Statement], pool: tuple[Statement, float]) -> Iterator[Finding]:
    """Yields findings for warm-ups in which no disk can fill the pool."""
    stated, size = pool
    data = max((_data(one) for one in settings), default=0.0)
    for one in settings:
        seconds = parse_figure(one.text)
        if not _WARM.fullmatch(one.name.lower()) or seconds is None or one.unit not in ("s", "sec", ""):
            continue
        if data >= size and 0 < seconds.value * _FASTEST < size:
            yield one.finding(
                RULE.name,
                expected=f"at least {size / _FASTEST:.0f} s",
                sign=f"a buffer pool of {stated.text} is to fill in {seconds.text} s:"
                f" {sized(size / seconds.value)} a second",
                second=f"the data of {sized(data)} fill it, so what is measured begins with a cold pool",
            )


def _data(one: Statement) -> float:
    figure = parse_figure(one.text)
    if figure is None or not _DATA.fullmatch(one.name.lower()):
        return 0.0
    if "warehouses" in one.name.lower():
        return figure.value * _WAREHOUSE
    return bytes_of(one.text, one.unit.split()[0] if one.unit else "") or 0.0


def _cached(settings: list[Statement], facts: list[Statement]) -> Iterator[Finding]:
    """Yields findings for files of which a cache holds much: the server's memory, or one before the disks."""
    memory = max(
        (bytes_of(one.text) or 0.0 for one in facts if one.name.lower() in ("memory", "ram")), default=0.0
    )
    before = next((one for one in facts if _CACHE.search(one.text)), None)
    for one in settings:
        size = bytes_of(one.text, one.unit) if one.name.lower().endswith("file-total-size") else None
        direct = any(
            _DIRECT.search(other.text) or _DIRECT.search(other.name)
            for other in settings
            if other.subject == one.subject
        )
        if not size:
            continue
        if memory and not direct and size < 2 * memory:
            yield one.finding(
                RULE.name,
                expected="direct I/O, or files of several times the memory",
                sign=f"the memory of {sized(memory)} may hold {100 * min(memory / size, 1):.0f} % of the"
                f" {one.text} {one.unit}".rstrip(),
                second="no option of the load says that it reads past the page cache",
            )
        elif before is not None and size <= _IN_A_CACHE:
            yield one.finding(
                RULE.name,
                expected="files larger than the cache before the disks",
                sign=f"files of {one.text} {one.unit} fit the cache that {before.name} names: {before.text}",
                second="what the cache holds is read from it, and the disks are not measured",
            )


RULE = Rule(
    "warm-up",
    "warm-ups too short for the buffer pool, files that a cache holds",
    _check,
    kind="conditions",
    must="a warm-up is long enough for a disk to fill the buffer pool; neither the memory nor a cache "
    "holds the files of a load on disks",
)
