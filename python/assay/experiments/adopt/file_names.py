"""What distinguishes the names of files: of `mariadb-11.4-t16.txt` and `mysql-8.4-t16.txt` the server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path

_PIECE = re.compile(r"[^\W_]+(?:\.\d+)*")


def distinguishing(loads: Mapping[Path, float]) -> dict[Path, str]:
    """Returns for each file the part of its name that the others have not, without a number that is its load;
    nothing where a name has no such part.
    """
    if len(loads) < 2:
        return {}
    pieces = {path: _pieces(path, load) for path, load in loads.items()}
    rows = list(pieces.values())
    begin = _common(rows)
    end = _common([row[begin:][::-1] for row in rows])
    found = {path: "-".join(row[begin : len(row) - end]) for path, row in pieces.items()}
    return found if all(found.values()) and len(set(found.values())) > 1 else {}


def _common(rows: Sequence[Sequence[str]]) -> int:
    """Returns the number of pieces with which all rows begin."""
    return sum(1 for _ in takewhile(lambda pieces: len(set(pieces)) == 1, zip(*rows, strict=False)))


def _pieces(path: Path, load: float) -> Sequence[str]:
    name = "/".join((path.parent.name, path.stem)) if path.parent.name else path.stem
    return [one for one in _PIECE.findall(name) if not re.fullmatch(rf"[A-Za-z]*{load:g}[A-Za-z]*", one)]
