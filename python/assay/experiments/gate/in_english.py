"""Gives checks their reason in English, for what a pipeline reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.reporting.report import Words, load_words, made_of, why_unjudged
from assay.results.verdict import Check


def in_english(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Returns the checks, each with the reason for its outcome in English, and with what the difference is
    made of where it failed.
    """
    english = load_words("en")
    return tuple(replace(one, why=_why(one, english)) for one in checks)


def _why(check: Check, english: Words) -> str:
    return english.sentences(filter(None, (why_unjudged(check, english), made_of(check, english))))
