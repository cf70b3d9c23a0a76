"""What verdicts say, in English."""

from __future__ import annotations

from assay.reporting.report import explained, load_words
from assay.results.verdict import Explanation


def english(explanation: Explanation) -> str:
    return explained(load_words("en"), explanation)


def named(kind: str) -> str:
    """The name of a kind of doubt."""
    return load_words("en")(f"doubt.{kind}")
