"""Fills a document: every marked part, or nothing."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.experiments.document.desk import Desk
from assay.experiments.document.folding import TableFiles, split_option
from assay.experiments.document.marks import FORM, Mark, Piece, pieces_of, text_of
from assay.experiments.document.parts import PARTS
from assay.experiments.document.prose import Overstated, overstated
from assay.reporting.report import LANGUAGES


@dataclass(frozen=True)
class FilledDocument:
    """What was written for one document: the number of its parts, the paths of its pictures and of its files
    of tables, and sentences of its author that say more than its parts.
    """

    document: Path
    parts: int
    pictures: tuple[Path, ...]
    tables: tuple[Path, ...] = ()
    overstated: tuple[Overstated, ...] = ()


def fill(path: Path, roots: Sequence[Path]) -> FilledDocument:
    """Writes the marked parts of a Markdown document anew from the results below `roots`.

    The document's language is that of its name: `report.zh-CN.md` or `report.zh.md` is Chinese. Pictures, and
    the tables of parts with `tables=NAME`, go into a folder with the document's name, `report/`. Nothing is
    written if a part cannot be filled, or there is none: raises InputError, which names the line of the part.
    """
    pieces = pieces_of(path)
    if all(piece.mark is None for piece in pieces):
        raise InputError(f"{path}: has no marked part to fill", hint=FORM)
    desk = Desk(roots, language_of(path), path.parent / path.name.partition(".")[0])
    files = TableFiles(path, desk.words)
    filled = [_filled(piece, desk, files) for piece in pieces]
    tables = {file: text.encode() for file, text in files.texts.items()}
    for beside, content in (desk.pictures | tables).items():
        beside.parent.mkdir(parents=True, exist_ok=True)
        write_whole(beside, content)
    mark = BOM_UTF8 if path.read_bytes().startswith(BOM_UTF8) else b""
    write_whole(path.resolve(), mark + text_of(filled).encode())
    parts = sum(piece.mark is not None for piece in pieces)
    return FilledDocument(path, parts, tuple(desk.pictures), tuple(tables), overstated(path))


def language_of(path: Path) -> str:
    """Returns the language of a document by its name: `zh` for `report.zh-CN.md`, otherwise English."""
    suffixes = {suffix.removeprefix(".").partition("-")[0] for suffix in path.suffixes}
    return next((language for language in LANGUAGES if language in suffixes), LANGUAGES[0])


def _filled(piece: Piece, desk: Desk, files: TableFiles) -> Piece:
    if piece.mark is None:
        files.read(piece)
        return piece
    mark, name = split_option(piece.mark)
    body = _body(mark, desk)
    return piece.filled(files.fold(mark, name, body) if name else body)


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
