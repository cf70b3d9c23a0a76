"""Makes results for which a claim is true, false, or undecided.

From a parsed claim and a study that has its measures, `plant` computes what the runs must have measured, by
the form of each part and without using the rooms that judge; `rows_of` returns it as the rows of the store
that such runs leave.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.design.study import Claim
from assay.testing.planted.causes import more_of
from assay.testing.planted.forms import atoms
from assay.testing.planted.ground import Ground
from assay.testing.planted.ledgers import PlantedLedger, ledger_rows
from assay.testing.planted.store import PlantedStore, Rows, rows_of, write_store
from assay.testing.planted.wants import Figures, settled

__all__ = [
    "CALM",
    "WILD",
    "Ground",
    "PlantedLedger",
    "PlantedStore",
    "Rows",
    "count_atoms",
    "ledger_rows",
    "more_of",
    "plant",
    "rows_of",
    "write_store",
]

CALM, WILD = 0.0003, 0.8
"""Noise of single runs, as a standard deviation of logarithms: with the first every claim is decided, with
the second none.
"""


def count_atoms(claims: Sequence[Claim], ground: Ground) -> int:
    """Returns how many statements must hold together, each of which can be made false."""
    return sum(len(atoms(claim, ground)) for claim in claims)


def plant(claims: Sequence[Claim], ground: Ground, false: int | None = None) -> Figures | None:
    """Returns figures that make all of the claims true; with `false`, all but that one of their statements.

    Where the others cannot be true beside a false one, only that one is planted. None where there are no such
    figures.
    """
    pieces = [atom for claim in claims for atom in atoms(claim, ground)]
    wanted = [want for number, atom in enumerate(pieces) for want in atom(number != false)]
    found = settled(wanted)
    return found if found or false is None else settled(list(pieces[false](False)))
