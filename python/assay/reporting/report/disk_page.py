"""Writes the page about one disk: the word first, then what it rests on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.durable import write_whole
from assay.base.printable import line
from assay.base.version import VERSION
from assay.reporting.report import disk_sentences as said
from assay.reporting.report.disk_picture import course_svg
from assay.reporting.report.page_templates import page_template
from assay.reporting.report.typesetting import typeset_page
from assay.reporting.report.words import load_words

if TYPE_CHECKING:
    from assay.results.advice import DiskJudged

BADGES = {
    "fit": "supported",
    "fit-if-kept": "supported",
    "fit-unsteady": "worse",
    "unfit": "refuted",
    "too-short": "undecided",
}


def disk_page(judged: DiskJudged, language: str) -> str:
    """Returns the page as HTML, which needs no other file."""
    words = load_words(language)
    course = judged.measured.course
    label = words("disk.picture", seconds=said.course_length(judged))
    page = page_template("disk.html.j2").render(
        w=words,
        title=words("disk.title", directory=line(judged.measured.place.directory)),
        headline=said.headline(judged, words),
        badge=BADGES[judged.fitness.word],
        where=said.where(judged, words),
        kept=said.kept_sentences(judged, words),
        classes=said.class_sentences(judged, words),
        steady=said.steady_sentence(judged, words),
        picture=course_svg(course, label) if course is not None and course.pages else None,
        picture_label=label,
        commits=said.commit_rows(judged),
        randoms=said.random_rows(judged, words),
        lines=said.setting_lines(judged, words),
        doubted=said.doubts_of_lines(judged, words),
        doubts=[(one.severity, said.doubt_sentence(one, words)) for one in judged.doubts],
        how=said.how_sentences(judged, words),
        version=VERSION,
    )
    return typeset_page(page, words)


def write_disk_page(judged: DiskJudged, language: str, file: Path) -> None:
    """Writes the page to a file."""
    write_whole(file, disk_page(judged, language).encode())
