"""The type of a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assay.results.audit.model import Finding, Material


@dataclass(frozen=True)
class Rule:
    """One rule of the audit. `check` yields findings and notes, `says` is printed above them.

    Where one of the rules named in `unless` has a finding about the same row or line, this one has none.
    """

    name: str
    says: str
    check: Callable[[Material], Iterable[Finding]]
    unless: tuple[str, ...] = ()
