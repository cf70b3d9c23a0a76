"""Selects treatments that represent all others, so that a check need not ask servers about tens of
thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from assay.design.folder import Scalar
from assay.design.plan import SCHEMA_OPTIONS, Treatment
from assay.design.study import number, option_text

_EACH = 48
"""The most sets of variables that are each asked about; of more, those with a bound of some variable are."""


def telling(treatments: Sequence[Treatment]) -> Iterator[Treatment]:
    """Yields the first treatment of each different set of server settings.

    Where there are very many sets, yields only treatments that have a word, or the least or greatest number,
    that no other has, since servers accept a range of numbers. Effects of one value on another are then found
    when a run starts.
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
