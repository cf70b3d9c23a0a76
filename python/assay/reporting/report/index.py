"""Writes the index page of several studies: progress, verdicts and doubts of each, and its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.version import VERSION
from assay.reporting.report.page import FILES
from assay.reporting.report.page_templates import page_template
from assay.reporting.report.tables.write import word
from assay.reporting.report.typesetting import typeset_page
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict import HypothesisVerdict

PAGES = {"en": "index.html", "zh": "index.zh.html"}


@dataclass(frozen=True)
class IndexedStudy:
    """One row of the index page.

    `folder` is where its report lies, as a link from the page; None where there is no report. `problem` is
    the reason why it was not carried out, or not whole.
    """

    name: str
    title: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    blocks: int = 0  # complete
    blocks_planned: int = 0
    hypotheses: tuple[HypothesisVerdict, ...] = ()
    invalid: int = 0  # doubts
    warnings: int = 0
    problem: str | None = None
    cut_to: int | None = None  # blocks, where the time for all studies did not suffice

    @property
    def is_complete(self) -> bool:
        """Whether every planned block is complete."""
        return self.blocks_planned > 0 and self.blocks >= self.blocks_planned


def write_index(title: Mapping[str, str], name: str, studies: Sequence[IndexedStudy], place: Path) -> Path:
    """Writes `index.html` and `index.zh.html` into the folder `place`.

    Returns the path of the English page.
    """
    template = page_template("index.html.j2")
    for language in LANGUAGES:
        words = load_words(language)
        page = template.render(
            w=words,
            title=words.title(title, name),
            studies=studies,
            complete=sum(one.is_complete for one in studies),
            title_of=lambda one, words=words: words.title(one.title, one.name),
            page_of=lambda one, language=language: f"{one.folder}/{FILES[language]}",
            verdict=lambda outcome, words=words: word(outcome, words),
            other=next((other, PAGES[other]) for other in LANGUAGES if other != language),
            version=VERSION,
        )
        write_whole(place / PAGES[language], typeset_page(page, words).encode())
    return place / PAGES[LANGUAGES[0]]
