"""Names treatments in charts by what differs between them: their names state all factors, also those that are
equal in all of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from assay.reporting.report.labels import labels as study_labels
from assay.reporting.report.material import Material
from assay.reporting.report.text_width import pixels

KEYED = 170
"""Names up to so many pixels wide keep the names of their factors, which longer ones have in a header."""
SPOKEN = 48
"""Letters of a name that a sentence has room for."""
SIDE_BY_SIDE = 4
"""The largest number of panels of treatments beside each other."""
_BETWEEN = " · "
_PIECES = re.compile(r", (?=[^\s,=]+=)")


class Names(dict[str, str]):
    """Names of treatments; what is none of them is called as it is."""

    def __missing__(self, treatment: str) -> str:
        return treatment


@dataclass(frozen=True)
class Labels:
    """What the charts call the treatments, in the study's order.

    `of` is a name for a line, a point or a row. Where it holds levels alone, `header` has the names of their
    factors. `keyed` has both, for titles of panels. `columns`: so many panels of treatments stand in a row;
    of two factors, the first has the rows and the second the columns.
    """

    of: Names
    keyed: Names
    header: str
    columns: int

    @property
    def names(self) -> list[str]:
        """The names in the order of the study."""
        return list(self.of.values())

    def spoken(self, treatment: str) -> str:
        """Returns the name in a sentence: that with the factors, of many factors the levels alone."""
        keyed = self.keyed[treatment]
        return keyed if len(keyed) <= SPOKEN else self.of[treatment]

    def rows(self, records: Iterable[Any], **more: Any) -> list[dict[str, Any]]:
        """Returns records as rows of a specification, with their treatments by these names."""
        return [{**vars(one), "treatment": self.of[one.treatment], **more} for one in records]


def labels_of(material: Material) -> Labels:
    """Returns the names of a material's treatments: in the study's own words where it has some for levels."""
    return material.once(_labels_of)


def _labels_of(material: Material) -> Labels:
    found = named(tuple(material.results.treatments))
    if not any(factor.labels for factor in material.study.factors):
        return found
    own = Names(study_labels(material))
    return replace(found, of=own, keyed=own, header="")


@lru_cache(maxsize=64)
def named(treatments: tuple[str, ...]) -> Labels:
    """Returns the names of treatments that the study calls `factor=level, factor=level`."""
    whole = Names({name: name for name in treatments})
    parts = [_pieces(name) for name in treatments]
    if len(treatments) < 2 or not all(parts):
        return Labels(whole, whole, "", columns(len(treatments)))
    equal = set.intersection(*(set(part.items()) for part in parts))
    rest = [{key: level for key, level in part.items() if (key, level) not in equal} for part in parts]
    keyed = [", ".join(f"{key}={level}" for key, level in part.items()) for part in rest]
    if len(set(keyed)) < len(treatments) or not all(keyed):
        return Labels(whole, whole, "", columns(len(treatments)))
    keys = list(rest[0])
    short, header = keyed, ""
    if max(map(pixels, keyed)) > KEYED and all(list(part) == keys for part in rest):
        levels = [_BETWEEN.join(part.values()) for part in rest]
        if len(set(levels)) == len(levels) and all(levels):
            short, header = levels, _BETWEEN.join(keys)
    return Labels(
        Names(zip(treatments, short, strict=True)),
        Names(zip(treatments, keyed, strict=True)),
        header,
        _grid(rest, keys) or columns(len(treatments)),
    )


def columns(count: int) -> int:
    """Returns how many of so many panels stand in a row, so that rows are about equally long."""
    return math.ceil(count / math.ceil(count / SIDE_BY_SIDE)) if count else 1


def _pieces(name: str) -> dict[str, str]:
    """Returns the levels by factor; empty for a name of another form."""
    found = {}
    for piece in _PIECES.split(name):
        key, equals, level = piece.partition("=")
        if not equals:
            return {}
        found[key] = level
    return found


def _grid(rest: Sequence[Mapping[str, str]], keys: Sequence[str]) -> int | None:
    """Returns the number of columns of two factors in all combinations; None for other designs."""
    if len(keys) != 2 or any(list(part) != keys for part in rest):
        return None
    first, second = (list(dict.fromkeys(part[key] for part in rest)) for key in keys)
    combined = [(part[keys[0]], part[keys[1]]) for part in rest]
    if combined != [(one, other) for one in first for other in second] or len(second) > SIDE_BY_SIDE:
        return None
    return len(second)
