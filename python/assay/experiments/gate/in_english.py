"""Gives checks their reason in English, for what a pipeline reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.reporting.report import load_words, why_unjudged
from assay.results.verdict import Check


def in_english(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Returns the checks, each with the reason for its outcome in English."""
    english = load_words("en")
    return tuple(replace(one, why=why_unjudged(one, english)) for one in checks)
