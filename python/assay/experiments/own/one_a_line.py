"""Knows a file that has a statement in each line and no delimiters, as lists of queries for benchmarks have
them: read by the rules of the client, all of it would be one statement.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.experiments.own.reading import statements_of
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 64 << 20
_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`")
_COMMENT = re.compile(r"\s*(?:--|#).*")
_INNER = re.compile(r"\([^()]*\)")
_NEEDS: Mapping[str, str] = {
    "SELECT": "",
    "WITH": r"\b(?:SELECT|INSERT|UPDATE|DELETE|REPLACE)\b",
    "INSERT": r"\b(?:VALUES?|SELECT|SET)\b",
    "REPLACE": r"\b(?:VALUES?|SELECT|SET)\b",
    "UPDATE": r"\bSET\b",
    "DELETE": r"\bFROM\b",
    **dict.fromkeys(("CALL", "USE", "SET", "BEGIN", "START", "COMMIT", "ROLLBACK"), ""),
}
"""First words of statements, and what a whole one has besides."""
_GOES_ON = re.compile(
    r"(?:[,=+/<>-]|\b(?:UNION|ALL|DISTINCT|EXCEPT|INTERSECT|AS|AND|OR|ON|FROM|WHERE|BY|SELECT))$", re.I
)


def statements_in_lines(file: WholeFile) -> Iterator[ReadStatement] | None:
    """Returns the statements of a file with one in each of several lines; None for any other file. Raises
    InputError for a file that cannot be read.
    """
    # The last line of the head may be cut.
    if not _are_statements(file.head.split("\n")[:-1] or [file.head]):
        return None
    text = file.text("a list of statements", _MOST_BYTES)
    if not _are_statements(text.split("\n")):
        return None
    return _delimited(text)


def _delimited(text: str) -> Iterator[ReadStatement]:
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as whole:
        for line in text.split("\n"):
            end = ";\n" if _says(line) and not line.rstrip().endswith(";") else "\n"
            whole.write(line.rstrip("\r") + end)
        whole.flush()
        yield from statements_of(Path(whole.name))


def _says(line: str) -> bool:
    return bool(line.strip()) and _COMMENT.fullmatch(line) is None


def _are_statements(lines: list[str]) -> bool:
    """Returns whether each line is a statement, and one before the last has no delimiter: else the client's
    rules hold.
    """
    said = [line.rstrip() for line in lines if _says(line)]
    return not all(line.endswith(";") for line in said[:-1]) and all(map(_is_statement, said))


def _is_statement(line: str) -> bool:
    """Returns whether a line is a statement of its own, which may have a delimiter at its end."""
    plain = _QUOTED.sub("0", line).strip().removesuffix(";")
    before = None
    while before != plain:
        before, plain = plain, _INNER.sub(" 0 ", plain).strip()
    word = re.match(r"[A-Za-z]+", plain)
    needed = _NEEDS.get(word[0].upper()) if word else None
    return (
        needed is not None
        and not set(plain) & set("();'\"`")
        and re.search(needed, plain, re.I) is not None
        and _GOES_ON.search(plain) is None
    )
