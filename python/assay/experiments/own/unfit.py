"""Says why a statement, or what a log has in its place, can be part of no load."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.statements import Part, Shape
from assay.system.server import OF_SERVER

_ALONE_READ = ("SELECT", "WITH", "VALUES", "TABLE")
_SENT = (*_ALONE_READ, "INSERT", "REPLACE", "UPDATE", "DELETE", "CALL", "DO")
_LEFT_OUT = frozenset(
    re.findall(
        r"\w+",
        """SET SHOW USE CREATE ALTER DROP TRUNCATE RENAME LOAD LOCK UNLOCK GRANT REVOKE FLUSH RESET KILL
        ANALYZE OPTIMIZE CHECK REPAIR CHECKSUM EXPLAIN DESCRIBE DESC HELP PREPARE EXECUTE DEALLOCATE
        HANDLER XA START STOP CHANGE PURGE BINLOG INSTALL UNINSTALL SHUTDOWN SIGNAL GET CACHE IMPORT""",
    )
)
"""Statements that no load repeats. Of others the first word is not said: who knows what it is."""
_COMMITS = frozenset(
    re.findall(
        r"\w+",
        """CREATE ALTER DROP TRUNCATE RENAME LOCK GRANT REVOKE FLUSH RESET ANALYZE OPTIMIZE CHECK REPAIR
        INSTALL UNINSTALL CACHE""",
    )
)
_BEFORE_VALUE = ("LIMIT", "OFFSET", "LIKE", "BETWEEN", "AND", "OR", "IN", "WHEN", "THEN", "ELSE", "SELECT")
_AFTER_BRACE = ("D", "T", "TS", "FN", "OJ")  # of ODBC: {d '2026-01-05'}
_BEGINS = ("SELECT", "UPDATE", "DELETE")
_BEFORE_BEGIN = ("UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "MINUS", "FOR", "KEY", "ON", "AS")
"""What stands before a SELECT of the same statement, and before UPDATE in FOR UPDATE and ON DUPLICATE KEY."""
_BEFORE_TABLE = ("FROM", "JOIN", "INTO", "UPDATE", "TABLE")


UNPARTED = "with another after them and no semicolon between"


def why_not(shape: Shape) -> str | None:
    """Returns why a statement of this shape can be part of no load; None where it can."""
    words = shape.words
    verb = _verb(shape)
    if verb == "THROTTLE":
        return "notes of statements that the server has not logged (log_throttle_queries_not_using_indexes)"
    if verb == "SOURCE":
        return "files that it names by SOURCE, which are not read"
    if verb not in _SENT:
        return verb if verb in _LEFT_OUT else "of no known kind"
    if _is_several(shape):
        return UNPARTED
    if _is_of_routine(shape):
        return INSTEAD["in a routine"]
    if any("\ufffd" in part.text or "\0" in part.text for part in shape.parts):
        return "with names that are not UTF-8"
    if (other := _of_other_server(shape)) is not None:
        return other
    after_colons = (part for one, part in pairwise(shape.parts) if one.is_symbol(":"))
    named = [part.text[:1] for part in shape.parts if part.kind == "parameter"]
    if ":" in named or not all(part.is_symbol("=") for part in after_colons):
        return "with :name"
    if named or _is_template(shape):
        return "with placeholders"
    if {"OUTFILE", "DUMPFILE", "INFILE"} & set(words):
        return "that read or write files"
    if any(
        part.text[:1] == '"' and (one.is_symbol(".") or one.is_word(*_BEFORE_TABLE))
        for one, part in pairwise(shape.parts)
    ):
        return "with names in double quotes (ANSI_QUOTES)"
    variables = [part.text for part in shape.parts if part.kind == "variable"]
    if (name := next(_unset(shape), None)) is not None:
        return f"with a variable that other statements set ({name})"
    if "FROM" not in words and any(name.startswith("@@") for name in variables):
        return "about variables of the server"
    if {(database or "").lower() for database, _ in tables_in(shape)} & OF_SERVER:
        return "about the server"
    triples = zip(shape.parts, shape.parts[1:], shape.parts[2:], strict=False)
    if any(all(part.is_symbol(".") for part in triple) for triple in triples):
        return "with a list of unknown length"
    return None


def commits(words: Sequence[str]) -> bool:
    """Returns whether a statement ends the transaction that is open, by its words in capitals (MySQL manual,
    "Statements That Cause an Implicit Commit").
    """
    return words[:1] != [] and words[0] in _COMMITS and "TEMPORARY" not in words[:2]


def _is_several(shape: Shape) -> bool:
    """Returns whether a second statement begins within one, outside of parentheses: a client that runs what
    is marked, or one file for each query, needs no semicolons.
    """
    depth = 1 if shape.parts[0].is_symbol("(") else 0
    # INSERT INTO a SELECT …, WITH a AS (…) SELECT …
    may_begin = shape.verb in ("INSERT", "REPLACE", "WITH")
    for one, part in pairwise(shape.parts):
        depth += part.is_symbol("(") - part.is_symbol(")")
        if depth or not part.is_word(*_BEGINS) or one.is_word(*_BEFORE_BEGIN) or one.is_symbol("."):
            continue
        if not may_begin:
            return True
        may_begin = False
    return False


def _verb(shape: Shape) -> str:
    """Returns the first word of a statement, also where it is code for some servers: `/*!40101 SET …`. What
    mysqlbinlog tells the client, `/*!\\C utf8mb4 */`, sets the session's character set.
    """
    first = shape.parts[0] if shape.parts else None
    if first is not None and first.kind == "code" and first.text.startswith("/*!\\C "):
        return "SET"
    code = re.match(r"/\*M?!\d*\s*(\w+)", first.text) if first is not None and first.kind == "code" else None
    return code[1].upper() if code and code[1].upper() in _LEFT_OUT else shape.verb


def _unset(shape: Shape) -> Iterator[str]:
    """Yields the variables of the session that a statement uses and does not set: no load sends a SET, and
    some programs write their placeholders so.
    """
    parts = (*shape.parts, Part("symbol", ""))
    into = next((at for at, part in enumerate(parts) if part.is_word("INTO")), len(parts))
    is_set = {part.text for part in parts[into:] if part.kind == "variable"}
    is_set |= {one.text for one, part in pairwise(parts) if one.kind == "variable" and part.is_symbol(":")}
    for part in parts:
        if part.kind == "variable" and not part.text.startswith("@@") and part.text not in is_set:
            yield part.text


def _of_other_server(shape: Shape) -> str | None:
    """Returns of which other server a statement is, by how it writes casts or names; None where nothing says
    that it is of another one.
    """
    for one, part in pairwise(shape.parts):
        if one.is_symbol(":") and part.is_symbol(":"):
            return "in SQL of PostgreSQL (casts by ::)"
        if part.is_symbol("[") and (one.is_symbol(".") or one.is_word(*_BEFORE_TABLE)):
            return "in SQL of SQL Server (names in brackets)"
    return None


def _is_template(shape: Shape) -> bool:
    """Returns whether a program has still to fill the statement in: `[X]`, `$1`, `${x}`, `{x}`, `%s`."""
    for one, part in pairwise(shape.parts):
        if part.is_symbol("[") or re.fullmatch(r"\$\d+", part.text):
            return True
        if one.is_symbol("{") and not part.is_word(*_AFTER_BRACE):
            return True
        # The rest of a division has something before it.
        is_first = one.is_word(*_BEFORE_VALUE) or (one.kind == "symbol" and not one.is_symbol(")"))
        if part.is_symbol("%") and is_first:
            return True
    return False


def _is_of_routine(shape: Shape) -> bool:
    """Returns whether a general log has a statement of a routine: with the server's own NAME_CONST for its
    variables, or with a result that goes into one of them.
    """
    if shape.verb in _ALONE_READ and "INTO" in shape.words:
        into = next(at for at, part in enumerate(shape.parts) if part.is_word("INTO"))
        after = shape.parts[into + 1] if into + 1 < len(shape.parts) else None
        if after is not None and after.name is not None and not after.is_word("OUTFILE", "DUMPFILE"):
            return True
    return "NAME_CONST" in shape.words


INSTEAD = {
    "cut": "cut or not closed",
    "empty": "without a statement",
    "unended": "rest of the file from line {line} on, where a quote or a comment is not closed",
    "endless": "rest of the file from line {line} on, where a statement is longer than 1 GiB",
    "long": "longer than 1 MiB",
    "in a routine": "inside of stored routines, which no client sends",
    "of the server": "that the server sent itself",
}
"""What the engine says in place of a statement that it leaves out, and why that is."""
ENDS_SESSION = {"Quit", "Connect", "Change user", "Reset Connection", "Reset connection"}
"""Commands after which nothing of a session is left; a transaction that is open is rolled back."""
NO_STATEMENT = ENDS_SESSION | {
    "Init DB",
    "Prepare",
    "Close stmt",
    "Reset stmt",
    "Ping",
    "Statistics",
    "Sleep",
    "Fetch",
    "Close",
    "Long Data",
}
"""Commands of the protocol that belong to statements which the log has, or that no load repeats."""
