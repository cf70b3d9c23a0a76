"""How many rows belong to one: rows of a table to a row that they refer to, or longer keys to their
beginnings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.base.format.job import FanOut, KeyProfile, ReferenceProfile
from assay.experiments.own.profile.catalogue import SourceReference, SourceTable
from assay.experiments.own.profile.sampling import ReadText, Sample
from assay.system.server import quoted_name

if TYPE_CHECKING:
    from assay.system.server import Connection

_MOST = 40
_GROUPS = 100_000
"""Groups that the server counts of a table that is not read as a whole."""


def fan_outs(counts: Mapping[int, int], owners: int) -> list[FanOut]:
    """Returns how many of `owners` have how many rows; `counts` says of a number, from 1, how many have
    it.
    """
    found = []
    idle = owners - sum(counts.values())
    if idle > 0:
        found.append((0, 0, 0, idle))
    whole = sum(counts.values())
    target = 0 if len(counts) <= _MOST else whole / _MOST
    current: tuple[int, int, int, int] | None = None
    for size in sorted(counts):
        first, _, rows, have = current or (size, size, 0, 0)
        current = (first, size, rows + size * counts[size], have + counts[size])
        if current[3] >= target:
            found.append(current)
            current = None
    if current is not None:
        found.append(current)
    total = max(1, max(owners, whole))
    return [
        FanOut(
            from_=first,
            to=last,
            mean=min(float(last), max(float(first), round(rows / have, 6))),
            share=round(have / total, 8),
        )
        for first, last, rows, have in found
    ]


def reference_profile(
    connection: Connection,
    database: str,
    table: SourceTable,
    reference: SourceReference,
    sample: Sample,
    owners: int,
) -> ReferenceProfile:
    """Returns a reference with the rows of each row there."""
    if sample.whole:
        counts = Counter(Counter(filter(None, _tuples(sample, reference.columns))).values())
    else:
        counts = _counted(connection, database, table, reference.columns, "COUNT(*)")
        counts = _as_many(counts, _filled(sample, reference.columns) * sample.rows)
    return ReferenceProfile(
        columns=list(reference.columns),
        table=reference.table,
        to=list(reference.to),
        fan_out=fan_outs(counts, owners),
    )


def key_profile(
    connection: Connection, database: str, table: SourceTable, key: Sequence[str], sample: Sample
) -> KeyProfile:
    """Returns a unique key with its beginnings: how many there are, and how many longer ones each has."""
    distinct, found = [], []
    rows: Iterable[Any] = [one for one in _tuples(sample, key) if one is not None]
    longer = sample.rows
    for length in range(len(key) - 1, 0, -1):
        if sample.whole:
            of: dict[Hashable, set[Hashable]] = defaultdict(set)
            for row in rows:
                of[row[:length]].add(row[length])
            counts = Counter(map(len, of.values()))
            many = len(of)
        else:
            following = f"COUNT(DISTINCT {quoted_name(key[length])})"
            counts = _as_many(_counted(connection, database, table, key[:length], following), longer)
            many = max(1, sum(counts.values()))
        distinct.append(max(1, many))
        found.append(fan_outs(counts, many))
        longer = many
    return KeyProfile(columns=list(key), distinct=distinct[::-1], fan_outs=found[::-1])


def _tuples(sample: Sample, columns: Sequence[str]) -> list[tuple[Hashable, ...] | None]:
    """Returns the values of some columns in each row; None where one of them is missing."""
    found = zip(*(sample.columns[name] for name in columns), strict=True)
    return [None if None in row else tuple(map(_identity, row)) for row in found]


def _identity(value: Any) -> Hashable:
    return (value.identity, value.length) if isinstance(value, ReadText) else value


def _filled(sample: Sample, columns: Sequence[str]) -> float:
    rows = _tuples(sample, columns)
    return sum(one is not None for one in rows) / len(rows) if rows else 0.0


def _counted(
    connection: Connection, database: str, table: SourceTable, columns: Sequence[str], what: str
) -> Counter[int]:
    """Returns how many groups have how many members, of the first groups that the server finds."""
    name = quoted_name(database, table.name)
    own = [quoted_name(one) for one in columns]
    filled = " AND ".join(f"{one} IS NOT NULL" for one in own)
    groups = f"SELECT {what} n FROM {name} WHERE {filled} GROUP BY {', '.join(own)} LIMIT {_GROUPS}"
    rows = connection.rows(f"SELECT n, COUNT(*) FROM ({groups}) g GROUP BY n", columns=2)
    return Counter({int(size): int(count) for size, count in rows if int(size) > 0})


def _as_many(counts: Counter[int], rows: float) -> Counter[int]:
    """Returns counts in proportion, so that they have so many rows together."""
    have = sum(size * count for size, count in counts.items())
    factor = rows / have if have else 0.0
    return Counter({size: max(1, round(count * factor)) for size, count in counts.items()})
