"""The type of a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from assay.results.audit.model import Finding, Material

Kind = Literal["arithmetic", "physics", "shape", "copies", "words", "settings", "conditions"]


@dataclass(frozen=True)
class Rule:
    """One rule of the audit. `check` yields findings and notes, `says` is printed above them.

    `must` is what the rule tests, as the documentation has it, `kind` the ground on which a finding stands.
    Where one of the rules named in `unless` has a finding about the same row or line, this one has none.
    """

    name: str
    says: str
    check: Callable[[Material], Iterable[Finding]]
    unless: tuple[str, ...] = ()
    kind: Kind = "arithmetic"
    must: str = ""
