"""Spans of server versions, as a study writes them: `mysql`, `mysql >= 5.6`, `mariadb >= 10.2, < 10.6`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.design.study.values import shown

_VERSION = r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}"
PATTERN = rf"([a-z]+)(?: *>= *({_VERSION}))?(?: *,? *< *({_VERSION}))?"


@dataclass(frozen=True)
class VersionSpan:
    """Versions of one flavour of server: `since <= version < until`. A missing bound is open."""

    flavour: str
    since: tuple[int, ...] = ()
    until: tuple[int, ...] | None = None

    def __str__(self) -> str:
        bounds = [f">= {_text(self.since)}"] if self.since else []
        bounds += [f"< {_text(self.until)}"] if self.until else []
        return " ".join([self.flavour, ", ".join(bounds)]).strip()

    def meets(self, flavour: str, version: tuple[int, ...]) -> bool:
        """Returns whether a version that begins with these numbers can be in the span; any begins with
        none.
        """
        if flavour != self.flavour:
            return False
        if not version:
            return True
        after = (*version[:-1], version[-1] + 1)  # the first version that begins otherwise
        return self.since < after and (self.until is None or version < self.until)


def parse_version_span(text: object) -> VersionSpan:
    """Returns the span. Raises ValueError with a sentence for text of another form, or without a version."""
    found = re.fullmatch(PATTERN, text.strip()) if isinstance(text, str) else None
    if found is None:
        raise ValueError(
            f'{shown(text)} is not a span of versions; write a flavour and its bounds, as in "mysql",'
            ' "mysql >= 5.6", "mariadb >= 10.2, < 10.6"'
        )
    flavour, since, until = found.groups()
    span = VersionSpan(flavour, _numbers(since) if since else (), _numbers(until) if until else None)
    if span.until is not None and span.until <= span.since:
        raise ValueError(f"{shown(text)} has no version in it; the bound after < must be the higher one")
    return span


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
