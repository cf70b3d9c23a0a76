"""Imports the names of a room's `__init__.py` on first use, so that a command loads only the modules it
needs.

A face is a list of imports under `if TYPE_CHECKING:`, for readers and type checkers, and `__all__`.
`__getattr__ = lazily(__name__, __file__)` makes the list true while the program runs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


class _Face(ModuleType):
    """A package in which a name of `__all__` takes precedence over a module of the same name.

    Python binds a module in its package when it is imported: a function `measure` of `measure.py` would be
    hidden by its own module.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and _exports(self, name)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)


def _exports(face: ModuleType, name: str) -> bool:
    """Returns whether a name of `__all__` is defined inside a module, and is not itself a module."""
    place = _places(str(face.__file__)).get(name) if name in face.__all__ else None
    return place is not None and place[0] != face.__name__


def lazily(package: str, file: str) -> Callable[[str], Any]:
    """Returns a package's `__getattr__` (PEP 562), made of the imports that its source lists for type
    checkers.
    """
    sys.modules[package].__class__ = _Face

    def find(name: str) -> Any:
        place = _places(file).get(name)
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = place
        if module == package:  # it is itself a module
            return import_module(f"{package}.{original}")
        value = getattr(import_module(module), original)
        setattr(sys.modules[package], name, value)
        return value

    return find


@cache
def _places(file: str) -> dict[str, tuple[str, str]]:
    """Returns, for each name that a package exports, its module and its name in that module."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    guarded = [one for one in tree.body if isinstance(one, ast.If)]
    return {
        alias.asname or alias.name: (one.module, alias.name)
        for block in guarded
        for one in block.body
        if isinstance(one, ast.ImportFrom) and one.module is not None
        for alias in one.names
    }
