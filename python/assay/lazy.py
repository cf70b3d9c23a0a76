"""Packages whose names are imported when somebody asks for one: a verb pays for what it uses.

The face of such a package stays what it was, a list of imports, under `if TYPE_CHECKING:` for readers and
type checkers. `__getattr__ = lazily(__name__, __file__)` makes it true while the program runs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def lazily(package: str, file: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562), by the imports that its source has for type checkers."""

    def find(name: str) -> Any:
        place = _places(file).get(name)
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(place[0]), place[1])
        setattr(sys.modules[package], name, value)
        return value

    return find


@cache
def _places(file: str) -> dict[str, tuple[str, str]]:
    """Each name of the face: its module, and what it is called there."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    guarded = [one for one in tree.body if isinstance(one, ast.If)]
    return {
        alias.asname or alias.name: (one.module, alias.name)
        for block in guarded
        for one in block.body
        if isinstance(one, ast.ImportFrom) and one.module is not None
        for alias in one.names
    }
