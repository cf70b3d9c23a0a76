"""What every kind of claim has in common: a form of its own, the terms it speaks of, what it compares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Self

from assay.study.claims.reader import ClaimReader
from assay.study.claims.terms import Term


class ClaimKind(ABC):
    """A frozen dataclass with one field for each term. `str(claim)` is text that parses to an equal claim."""

    @classmethod
    @abstractmethod
    def parse(cls, text: ClaimReader) -> Self | None:
        """The claim, read as far as this form goes; None for a text of another form.

        Raises ClaimSyntaxError for a text of this form with a fault in it.
        """

    @property
    @abstractmethod
    def uses_margin(self) -> bool:
        """Whether a region of indifference changes what is asked."""

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        """Terms held against each other, block by block: what is compared with, then what is compared."""
        return ()

    @property
    def points(self) -> tuple[float, ...]:
        """Load points that it names, besides those of its terms."""
        return ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """What the claim speaks of, from left to right."""
        return tuple(self._terms().values())

    def with_terms(self, change: Callable[[Term], Term]) -> Self:
        """The claim with every term changed."""
        changed: dict[str, Any] = {name: change(term) for name, term in self._terms().items()}
        return replace(self, **changed)  # type: ignore[type-var]

    @abstractmethod
    def __str__(self) -> str: ...

    def _terms(self) -> dict[str, Term]:
        found = ((one.name, getattr(self, one.name)) for one in fields(self))  # type: ignore[arg-type]
        return {name: value for name, value in found if isinstance(value, Term)}
