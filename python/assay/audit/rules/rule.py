"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assay.audit.model import Finding, Material


@dataclass(frozen=True)
class Rule:
    """One thing that the audit looks for. `check` yields findings and notes, `says` stands above them
    in print.

    Where one of the rules named in `unless` has a finding about the same row, this one says nothing of it.
    """

    name: str
    says: str
    check: Callable[[Material], Iterable[Finding]]
    unless: tuple[str, ...] = ()
