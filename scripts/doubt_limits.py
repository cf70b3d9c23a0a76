"""Writes the limits of doubts that engine and lab both raise: `python -m scripts.doubt_limits`.

It reads `assay-engine limits` from standard input, and writes python/assay/base/format/limits.py. With
`--check` nothing is written: an outdated file is named, and the exit code is 1.
"""

from __future__ import annotations

import sys
from typing import Any

from scripts.of_engine import ROOT, keep

FILE = ROOT / "python/assay/base/format/limits.py"


def module(limits: list[dict[str, Any]]) -> str:
    """Returns the Python file."""
    head = "Limits of doubts that the engine raises, too: made of what it says by `make schema`"
    lines = [f'{one["name"]} = {one["value"]!r}\n"""{one["meaning"]}"""\n' for one in limits]
    return "\n".join([f'"""{head}, never edited."""\n', *lines])


if __name__ == "__main__":
    sys.exit(keep(FILE, module))
