"""A program may import any module first: none needs at once, through others, itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[2] / "python"


def _imports(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """What is imported with the module itself: not in functions, and not for type checkers."""
    for one in body:
        match one:
            case ast.Import() | ast.ImportFrom():
                yield one
            case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=otherwise):
                yield from _imports(otherwise)
            case ast.If(body=inner, orelse=otherwise):
                yield from _imports([*inner, *otherwise])
            case ast.Try(body=inner, handlers=handlers, orelse=otherwise):
                yield from _imports([*inner, *otherwise, *(each for one in handlers for each in one.body)])


def _packages(name: str) -> Iterator[str]:
    """A module's packages, whose `__init__` come before it, and the module."""
    parts = name.split(".")
    return (".".join(parts[: count + 1]) for count in range(len(parts)))


def needs(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """What each module needs at once, of these modules."""
    found = {}
    for module, text in texts.items():
        named: set[str] = set()
        for one in _imports(ast.parse(text).body):
            if isinstance(one, ast.Import):
                named.update(each.name for each in one.names)
            elif one.module:
                named.update((one.module, *(f"{one.module}.{each.name}" for each in one.names)))
        reached = {each for name in named for each in _packages(name)} & texts.keys()
        found[module] = reached - set(_packages(module))
    return found


def test_no_module_needs_itself() -> None:
    texts = {}
    for path in (PYTHON / "assay").rglob("*.py"):
        parts = path.relative_to(PYTHON).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        texts[name] = path.read_text(encoding="utf-8")
    assert len(texts) > 400
    TopologicalSorter(needs(texts)).prepare()  # CycleError names the modules


def test_a_cycle_through_a_package_is_found() -> None:
    texts = {
        "a": "",
        "a.facts": "from a.facts import block",
        "a.facts.block": "from a.stack import layers",
        "a.facts.mounts": "",
        "a.stack": "if TYPE_CHECKING:\n    import a.facts\nfrom a.facts.mounts import Mount",
    }
    with pytest.raises(CycleError):
        TopologicalSorter(needs(texts)).prepare()
    texts["a.stack"] = "if TYPE_CHECKING:\n    import a.facts.mounts\ndef f():\n    import a.facts.mounts"
    TopologicalSorter(needs(texts)).prepare()
