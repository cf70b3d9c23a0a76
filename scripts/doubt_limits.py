"""Writes the limits of doubts that engine and lab both raise: `python -m scripts.doubt_limits`.

It reads `assay-engine limits` from standard input, and writes python/assay/base/format/limits.py. With
`--check` nothing is written: an outdated file is named, and the exit code is 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FILE = ROOT / "python/assay/base/format/limits.py"


def module(limits: list[dict[str, Any]]) -> str:
    """Returns the Python file."""
    head = "Limits of doubts that the engine raises, too: made of what it says by `make schema`"
    lines = [f'{one["name"]} = {one["value"]!r}\n"""{one["meaning"]}"""\n' for one in limits]
    return "\n".join([f'"""{head}, never edited."""\n', *lines])


def main() -> int:
    made = module(json.load(sys.stdin))
    if "--check" not in sys.argv:
        FILE.write_text(made, encoding="utf-8")
    elif not FILE.is_file() or FILE.read_text(encoding="utf-8") != made:
        print(f"{FILE.relative_to(ROOT)} is not what the engine says: run `make schema`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
