"""Reads the rules that make an intervention of what ledgers and counters show."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import msgspec

from assay.design.study import Scalar


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an intervention does to one key of the study: the first of `keys` that the server has."""

    keys: tuple[str, ...]
    to: Scalar | None = None
    times: float | None = None
    first_half: bool = False  # of a list of processors
    if_there: bool = False


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An intervention, and the patterns of what suggests it: names of groups and lines of ledgers, and
    measures.
    """

    id: str
    lines: tuple[str, ...]
    measures: tuple[str, ...]
    set: tuple[Setting, ...]

    def matches_line(self, group: str, line: str = "") -> bool:
        """Returns whether a line of a ledger suggests the intervention."""
        return any(_is_like(name, pattern) for name in (group, line) if name for pattern in self.lines)

    def matches_measure(self, measure: str) -> bool:
        """Returns whether a measure suggests the intervention."""
        return any(_is_like(measure, pattern) for pattern in self.measures)


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[Rule, ...]


def _is_like(name: str, pattern: str) -> bool:
    return fnmatchcase(name.lower().replace("_", "-"), pattern.lower().replace("_", "-"))


@cache
def rules() -> tuple[Rule, ...]:
    """Returns the rules in their order."""
    text = Path(__file__).with_name("rules.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Rules).rule
