"""Text of servers and studies calls nobody where a forge shows Markdown."""

from __future__ import annotations

import re

import pytest
from assay.reporting.report import in_markdown

_MENTION = re.compile(r"(?<![\w])@\w|#\d|\bGH-\d")


@pytest.mark.parametrize(
    "text", ["@team", "by @org/team: no", "(@me)", "see #1", "org/repo#12", "GH-7", "fixes #3, @a @b", "-@x"]
)
def test_no_text_is_a_mention(text: str) -> None:
    assert _MENTION.search(text)
    shown = in_markdown(text)
    assert not _MENTION.search(shown)
    assert shown.replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["mysql@8.0", "a # b", "p95 < 3", "x@y"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert "\u2060" not in in_markdown(text)
