"""Which treatments tell what servers say to all of them: a server need not be asked thirty thousand times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from assay.folder import Scalar
from assay.plan import SCHEMA_OPTIONS, Treatment
from assay.server.variables import number, option_text

_EACH = 48
"""So many different sets of variables are each asked about; of more, those with a bound of some variable."""


def telling(treatments: Sequence[Treatment]) -> Iterator[Treatment]:
    """One treatment, the first, for each set of things that servers are given.

    Where there are very many, those with a word, or with the least or greatest number, that no other has:
    what a server takes of a number is a range. What one value does to another is then seen when its run
    starts.
    """
    sets: set[str] = set()
    values: set[tuple[str, str]] = set()
    bounds = _bounds(treatments)
    for treatment in treatments:
        given = _given(treatment)
        if repr(given) in sets:
            continue
        own = {(name, repr(value)) for name, value in given if _tells(value, bounds.get(name))}
        if len(sets) < _EACH or not own <= values:
            yield treatment
        sets.add(repr(given))
        values |= own


def _given(treatment: Treatment) -> list[tuple[str, Scalar]]:
    options = treatment.workload_options.items()
    engine = [(name, value) for name, value in options if name == SCHEMA_OPTIONS["schema.engine"]]
    return [*treatment.variables.items(), *treatment.dynamic.items(), *engine]


def _bounds(treatments: Sequence[Treatment]) -> dict[str, tuple[Decimal, Decimal]]:
    numbers: dict[str, list[Decimal]] = {}
    for name, value in {pair for treatment in treatments for pair in _given(treatment)}:
        if (size := number(option_text(value))) is not None:
            numbers.setdefault(name, []).append(size)
    return {name: (min(sizes), max(sizes)) for name, sizes in numbers.items()}


def _tells(value: Scalar, bounds: tuple[Decimal, Decimal] | None) -> bool:
    return bounds is None or (size := number(option_text(value))) is None or size in bounds
