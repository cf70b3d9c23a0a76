"""Fills a document: every marked part, or nothing."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.experiments.document.desk import Desk
from assay.experiments.document.marks import FORM, Mark, pieces_of, text_of
from assay.experiments.document.parts import PARTS
from assay.experiments.document.prose import Overstated, overstated
from assay.reporting.report import LANGUAGES


@dataclass(frozen=True)
class FilledDocument:
    """What was written for one document: the number of its parts, the paths of its pictures, and sentences of
    its author that say more than its parts.
    """

    document: Path
    parts: int
    pictures: tuple[Path, ...]
    overstated: tuple[Overstated, ...] = ()


def fill(path: Path, roots: Sequence[Path]) -> FilledDocument:
    """Writes the marked parts of a Markdown document anew from the results below `roots`.

    The document's language is that of its name: `report.zh-CN.md` or `report.zh.md` is Chinese. Pictures go
    into a folder with the document's name, `report/`. Nothing is written if a part cannot be filled, or there
    is none: raises InputError, which names the line of the part.
    """
    pieces = pieces_of(path)
    if all(piece.mark is None for piece in pieces):
        raise InputError(f"{path}: has no marked part to fill", hint=FORM)
    desk = Desk(roots, language_of(path), path.parent / path.name.partition(".")[0])
    filled = [piece if piece.mark is None else piece.filled(_body(piece.mark, desk)) for piece in pieces]
    for picture, content in desk.pictures.items():
        picture.parent.mkdir(parents=True, exist_ok=True)
        write_whole(picture, content)
    mark = BOM_UTF8 if path.read_bytes().startswith(BOM_UTF8) else b""
    write_whole(path.resolve(), mark + text_of(filled).encode())
    parts = sum(piece.mark is not None for piece in pieces)
    return FilledDocument(path, parts, tuple(desk.pictures), overstated(path))


def language_of(path: Path) -> str:
    """Returns the language of a document by its name: `zh` for `report.zh-CN.md`, otherwise English."""
    suffixes = {suffix.removeprefix(".").partition("-")[0] for suffix in path.suffixes}
    return next((language for language in LANGUAGES if language in suffixes), LANGUAGES[0])


def _body(mark: Mark, desk: Desk) -> str:
    part = PARTS.get(mark.kind)
    if part is None:
        raise InputError(
            f"{mark.place}: {mark.kind!r} is not a kind of part", hint=f"the kinds are {', '.join(PARTS)}"
        )
    try:
        return part(mark, desk)
    except InputError as error:
        if error.message.startswith(mark.place):
            raise
        raise InputError(f"{mark.place}: {error.message}", hint=error.hint) from error
