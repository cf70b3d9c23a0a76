"""Moves the tables of marked parts into files beside the document, and leaves what they count with a link."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.base.errors import InputError
from assay.experiments.document.marks import Mark, Piece
from assay.reporting.report import Words

OPTION = "tables"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_HEADING = re.compile(r"^#+ (.*\S)", re.MULTILINE)
_TITLE = re.compile(r"\*\*(.+)\*\*")
_WORD = re.compile(r"[✓✗?!·] [^.,;:。，；：]{1,40}")
"""A cell that is a word of an outcome or a severity, behind its sign."""


def split_option(mark: Mark) -> tuple[Mark, str]:
    """Returns a mark without its option `tables`, and the name of the file for its tables; empty for none.

    Raises InputError for a name that cannot be a file's.
    """
    name = dict(mark.options).get(OPTION)
    if name is None:
        return mark, ""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{mark.place}: {OPTION}={name} cannot name a file",
            hint="give small letters, digits, - and _: the file lies in the folder with the document's name",
        )
    return replace(mark, options=tuple(one for one in mark.options if one[0] != OPTION)), name


def tables_file(document: Path, name: str) -> Path:
    """Returns the file for tables of this name: in the document's folder, with the document's suffixes."""
    stem, _, suffixes = document.name.partition(".")
    return document.parent / stem / f"{name}.{suffixes}"


def with_tables(piece: Piece, document: Path) -> Piece:
    """Returns a part with the lines of the file that has its tables, if it has one, instead of its own."""
    name = dict(piece.mark.options).get(OPTION) if piece.mark is not None else None
    if name is None:
        return piece
    file = tables_file(document, name)
    return replace(piece, lines=tuple(file.read_text("utf-8").splitlines(True))) if file.exists() else piece


@dataclass
class TableFiles:
    """The files for tables of one document, by path, and the document's headings, read in its order."""

    document: Path
    words: Words
    texts: dict[Path, str] = field(default_factory=dict)
    _sections: dict[Path, str] = field(default_factory=dict)
    _title: str = ""
    _heading: str = ""

    def read(self, piece: Piece) -> None:
        """Takes headings from the author's text: the first is the document's title."""
        for heading in _HEADING.findall("".join(piece.lines)):
            self._title = self._title or heading
            self._heading = heading

    def fold(self, mark: Mark, name: str, body: str) -> str:
        """Adds the tables of a part to its file, and returns what stays: pictures, and a link.

        Parts of one section may share a file: raises InputError for the file of another section. A part
        without a table stays as it is.
        """
        paragraphs = [one.strip() for one in body.strip().split("\n\n")]
        tables = [number for number, one in enumerate(paragraphs) if one.startswith("|")]
        if not tables:
            return body
        moved = [one for one in paragraphs if not one.startswith("![")]
        file = tables_file(self.document, name)
        if self._sections.setdefault(file, self._heading) != self._heading:
            raise InputError(
                f"{mark.place}: {OPTION}={name} is the file of another section, {self._sections[file]!r}",
                hint="give the tables of each section a file of their own",
            )
        if file not in self.texts:
            back = self.words("document.back", title=f"[{self._title}](../{self.document.name})")
            self.texts[file] = f"# {self._heading}\n\n{back}\n"
        named = [f"## {' · '.join(mark.arguments)}"] if len(mark.arguments) == 2 else []
        self.texts[file] += "\n" + "\n\n".join([*named, *moved]) + "\n"
        link = f"{file.parent.name}/{file.name}"
        said = "\n".join(self._line(paragraphs, number, link) for number in tables)
        return "\n\n".join([*(one for one in paragraphs if one.startswith("![")), said])

    def _line(self, paragraphs: list[str], number: int, link: str) -> str:
        """Returns a table's line: its title, which leads to the file, its rows, and the words in them."""
        before = _TITLE.fullmatch(paragraphs[number - 1]) if number else None
        rows = paragraphs[number].splitlines()[2:]
        words = Counter(
            cell for row in rows for cell in row.strip("| ").split(" | ") if _WORD.fullmatch(cell)
        )
        return self.words(
            "document.folded",
            title=f"[{before[1] if before else self._heading}]({link})",
            rows=len(rows),
            words="".join(self.words("document.folded-word", word=word, count=words[word]) for word in words),
        )
