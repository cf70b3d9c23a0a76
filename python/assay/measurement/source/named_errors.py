"""Errors of one treatment's tables, with the treatment's name: a study has many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from assay.base.errors import AssayError, Interrupted
from assay.design.plan import Treatment

_NAMED = 3
"""Treatments that a message names; it counts the others."""


@contextmanager
def named(treatments: Sequence[Treatment], all_treatments: Sequence[Treatment]) -> Iterator[None]:
    """Puts the names of the treatments in front of the message of an error in the block, where the study has
    others.
    """
    try:
        yield
    except Interrupted:
        raise
    except AssayError as error:
        names = [treatment.name for treatment in treatments]
        if len({treatment.name for treatment in all_treatments}) > 1:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            error.message = f"{', '.join(names[:_NAMED])}{more}: {error.message}"
            error.args = (error.message,)
        raise
