"""What every kind of claim has in common: a form of its own, the terms it speaks of, what it compares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from assay.study.claims.terms import Term

if TYPE_CHECKING:
    from assay.study.claims.reader import ClaimReader


Tree = TypeVar("Tree")


class ClaimKind(ABC):
    """A frozen dataclass of terms, axes and figures. `str(claim)` is text that parses to an equal claim."""

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
        return tuple(found for found in nodes(self) if isinstance(found, Term))

    @abstractmethod
    def __str__(self) -> str: ...


def nodes(node: object) -> Iterator[object]:
    """Every dataclass in a tree of frozen dataclasses and tuples, itself included, from left to right."""
    if isinstance(node, tuple):
        for one in node:
            yield from nodes(one)
    elif is_dataclass(node) and not isinstance(node, type):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


def rewritten(node: Tree, change: Callable[[Any], Any]) -> Tree:
    """The tree with every dataclass in it changed, from the leaves up."""
    found: Any = node
    if isinstance(found, tuple):
        return tuple(rewritten(one, change) for one in found)  # type: ignore[return-value]
    if not is_dataclass(found) or isinstance(found, type):
        return node
    parts = {field.name: rewritten(getattr(found, field.name), change) for field in fields(found)}
    return change(replace(found, **parts))  # type: ignore[no-any-return]
