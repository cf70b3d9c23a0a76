"""Reads a file that has a statement in each line and no delimiters."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.design.study import has_statement_lines, says_something
from assay.experiments.own.reading import statements_of
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 64 << 20


def statements_in_lines(file: WholeFile) -> Iterator[ReadStatement] | None:
    """Returns the statements of a file with one in each of several lines; None for any other file. Raises
    InputError for a file that cannot be read.
    """
    # The last line of the head may be cut.
    if not has_statement_lines(file.head.split("\n")[:-1] or [file.head]):
        return None
    text = file.text("a list of statements", _MOST_BYTES)
    if not has_statement_lines(text.split("\n")):
        return None
    return _delimited(text)


def _delimited(text: str) -> Iterator[ReadStatement]:
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as whole:
        for line in text.split("\n"):
            end = ";\n" if says_something(line) and not line.rstrip().endswith(";") else "\n"
            whole.write(line.rstrip("\r") + end)
        whole.flush()
        yield from statements_of(Path(whole.name))
