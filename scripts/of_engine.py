"""Keeps a Python file in step with what the engine says on standard input; the frame of such scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def keep(file: Path, module: Callable[[list[dict[str, Any]]], str]) -> int:
    """Writes the file that `module` makes of the list on standard input. With `--check` nothing is written:
    an outdated file is named, and the exit code is 1.
    """
    made = module(json.load(sys.stdin))
    if "--check" not in sys.argv:
        file.write_text(made, encoding="utf-8")
    elif not file.is_file() or file.read_text(encoding="utf-8") != made:
        print(f"{file.relative_to(ROOT)} is not what the engine says: run `make schema`")
        return 1
    return 0
