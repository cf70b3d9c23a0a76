"""The base class of all kinds of claim: the form, the terms, and the compared pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from assay.design.study.claims.terms import Term

if TYPE_CHECKING:
    from assay.design.study.claims.reader import ClaimReader


Tree = TypeVar("Tree")


class ClaimKind(ABC):
    """A kind of claim, a frozen dataclass of terms, axes and figures. `str(claim)` is text that parses to an
    equal claim.
    """

    @classmethod
    @abstractmethod
    def parse(cls, text: ClaimReader) -> Self | None:
        """Reads a claim as far as this form goes; returns None for a text of another form.

        Raises ClaimSyntaxError for a text of this form with a fault in it.
        """

    @property
    @abstractmethod
    def uses_margin(self) -> bool:
        """Whether the outcome depends on a region of indifference."""

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        """The pairs of terms that are compared block by block: the baseline first, then the other."""
        return ()

    @property
    def points(self) -> tuple[float, ...]:
        """The load points that the claim names, besides those of its terms."""
        return ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The claim's terms, from left to right."""
        return tuple(found for found in nodes(self) if isinstance(found, Term))

    @abstractmethod
    def __str__(self) -> str: ...


def nodes(node: object) -> Iterator[object]:
    """Yields every dataclass in a tree of frozen dataclasses and tuples, itself included, from left to
    right.
    """
    if isinstance(node, tuple):
        for one in node:
            yield from nodes(one)
    elif is_dataclass(node) and not isinstance(node, type):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


def rewritten(node: Tree, change: Callable[[Any], Any]) -> Tree:
    """Returns the tree with every dataclass in it changed, from the leaves up."""
    found: Any = node
    if isinstance(found, tuple):
        return tuple(rewritten(one, change) for one in found)  # type: ignore[return-value]
    if not is_dataclass(found) or isinstance(found, type):
        return node
    parts = {field.name: rewritten(getattr(found, field.name), change) for field in fields(found)}
    return change(replace(found, **parts))  # type: ignore[no-any-return]
