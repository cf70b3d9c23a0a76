"""Notes that people make beside results: `notes.jsonl`, to which every change is a further line."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

import msgspec

from assay.base.appended import AppendedFile, records_in
from assay.base.decoding import decoded
from assay.base.errors import ConflictError, InputError
from assay.base.locks import locked
from assay.design.folder import ResultsFolder

FORMAT = 1
LONGEST = 2000
"""Most characters of one note."""

_LOCK = ".notes.lock"


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One line. `run` and the times say what it is about: nothing (the study), a run, a moment or a stretch.

    `replaces` names the note that this one stands for from now on; an empty text then removes it.
    """

    format: int = FORMAT
    id: str
    at_wall_ns: int  # when it was written
    author: str
    text: str
    run: str | None = None
    from_wall_ns: int | None = None
    to_wall_ns: int | None = None
    replaces: str | None = None


_decoder = msgspec.json.Decoder(Note)


def add_note(
    folder: ResultsFolder,
    text: str,
    *,
    author: str,
    run: str | None = None,
    from_wall_ns: int | None = None,
    to_wall_ns: int | None = None,
    replaces: str | None = None,
) -> Note:
    """Appends a note and returns it. Raises InputError for an empty or too long text, ConflictError when the
    note it replaces is gone.
    """
    text = text.strip()
    if not text and replaces is None:
        raise InputError("a note needs a text")
    if len(text) > LONGEST:
        raise InputError(f"a note has at most {LONGEST} characters, and this one has {len(text)}")
    note = Note(
        id=secrets.token_hex(6),
        at_wall_ns=time.time_ns(),
        author=author.strip() or "–",
        text=text,
        run=run,
        from_wall_ns=from_wall_ns,
        to_wall_ns=to_wall_ns,
        replaces=replaces,
    )
    with locked(folder.path / _LOCK):
        if replaces is not None and all(one.id != replaces for one in read_notes(folder)):
            raise ConflictError("the note was changed or removed meanwhile", hint="load the page again")
        AppendedFile(folder.notes).append(msgspec.json.encode(note))
    return note


def read_notes(folder: ResultsFolder) -> list[Note]:
    """Returns the notes that stand, in the order in which their first texts were written; lines that cannot
    be read are left out, and a doubt about the results names them.
    """
    try:
        lines = folder.notes.read_bytes().splitlines(keepends=True)
    except OSError:
        return []
    return standing(note for line in records_in(lines) if (note := _read(line)) is not None)


def standing(notes: Iterable[Note]) -> list[Note]:
    """Returns the notes that no later one replaces; a replacement takes the place of what it replaces."""
    found: dict[str, Note] = {}  # by the id of the first text
    first: dict[str, str] = {}
    for note in notes:
        place = first.get(note.replaces, note.replaces) if note.replaces else note.id
        first[note.id] = place
        found[place] = note
    return [note for note in found.values() if note.text]


def _read(line: bytes) -> Note | None:
    try:
        return decoded(_decoder, line)
    except msgspec.DecodeError:
        return None
