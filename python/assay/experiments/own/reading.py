"""Has the engine read statements."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import HostError, InputError
from assay.experiments.own.statements import ReadStatement
from assay.system.engine import find_engine


@dataclass(frozen=True)
class Digest:
    """A kind of statement that a source has counted: a text, how often it was executed, and for how long.

    `text` is None in the row in which a server sums what it has no room for.
    """

    text: str | None
    database: str | None
    count: int
    seconds: float


def statements_of(path: Path) -> Iterator[ReadStatement]:
    """Yields the statements of a log or of a file of SQL, which may be compressed; the first has the form
    alone. Raises InputError for a file that cannot be read.
    """
    with _engine([str(path)]) as lines:
        yield from lines


def statements_of_texts(texts: Sequence[str]) -> Iterator[ReadStatement]:
    """Yields the statement of each text, its number from 1 as `line`."""
    with tempfile.TemporaryFile() as given:
        given.writelines(json.dumps(text).encode() + b"\n" for text in texts)
        given.seek(0)
        with _engine(["--from", "texts", "texts"], given) as lines:
            next(lines, None)
            yield from lines


@contextmanager
def _engine(words: list[str], given: Any = subprocess.DEVNULL) -> Iterator[Iterator[ReadStatement]]:
    command = [str(find_engine()), "statements", *words]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdout is not None
        decoder = msgspec.json.Decoder(ReadStatement)
        try:
            yield (decoder.decode(line) for line in process.stdout)
        except BaseException:
            process.kill()
            raise
        process.stdout.close()
        if process.wait() != 0:
            errors.seek(0)
            said, _, hint = errors.read().decode(errors="replace").strip().partition("\nhint: ")
            kind = InputError if process.returncode == InputError.exit_code else HostError
            raise kind(said or "the engine could not read the statements", hint=hint or None)
