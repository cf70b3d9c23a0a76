"""Reads settings of a server as a client prints SHOW GLOBAL VARIABLES: with tabs, as a table, by rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.base.errors import InputError
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.adopt.lines import Line, Text

TOOL = "SHOW VARIABLES"
_HEAD = re.compile(r"\|?\s*(?:variable_name)\s*[\t|]\s*(?:value|variable_value)\s*\|?", re.IGNORECASE)
_ROW = re.compile(r"\|?\s*(?P<name>[a-z][a-z0-9_.]*)\s*[\t|](?P<value>.*?)\|?\s*")
_NAME = re.compile(r"\s*Variable_name:\s*(\S+)\s*", re.IGNORECASE)
_VALUE = re.compile(r"\s*(?:Variable_)?Value:\s?(.*)", re.IGNORECASE)
_RULE = re.compile(r"\*+ \d+\. row \*+|\d+ rows in set.*")
_KNOWN = ("version", "max_connections", "innodb_buffer_pool_size", "sql_mode", "port", "datadir")
_STATUS = re.compile(r"\b(?:Aborted_clients|Uptime|Threads_running|Com_select)\b")
_FEW = 3


def recognises(text: str) -> bool:
    """Returns whether a text lists variables: it has the answer's head, or names that every server has."""
    if (
        "ariable_name" not in text
        and "VARIABLE_NAME" not in text
        and not all(one in text for one in _KNOWN[:2])
    ):
        return False
    lines = text.splitlines()
    if any(_HEAD.fullmatch(line.strip()) or _NAME.fullmatch(line) for line in lines):
        return True
    names = {said["name"] for line in lines if (said := _ROW.fullmatch(line))}
    return sum(name in names for name in _KNOWN) >= _FEW


def read(text: Text, every_s: float | None = None) -> list[CompanionFile]:
    """Returns the variables. Raises InputError for the answer of SHOW STATUS, which has the same head, and
    for answers of several servers.
    """
    variables: dict[str, str] = {}
    for line, name, value in _rows(text):
        if _STATUS.fullmatch(name):
            raise line.wrong(
                "variables of a server, not its status counters", "give the answer of SHOW GLOBAL VARIABLES"
            )
        before = variables.setdefault(name.lower(), value.strip())
        if before != value.strip():
            raise line.wrong(
                f"{name} = {before[:80]} again, as above",
                "give the answer of one server in a file of its own",
            )
    if not variables:
        raise InputError(f"{text.file}: expected variables below their head, found none")
    return [CompanionFile(tool=TOOL, of_machine=False, variables=variables, known={"variables": None})]


def _rows(text: Text) -> Iterator[tuple[Line, str, str]]:
    """Takes the lines of the answer, and yields each variable."""
    name: Line | None = None
    for line in text.lines:
        if _HEAD.fullmatch(line.text.strip()) or _RULE.fullmatch(line.text.strip()):
            line.take()
        elif _NAME.fullmatch(line.text):
            line.take()
            name = line
        elif name is not None and (said := _VALUE.fullmatch(line.text)):
            line.take()
            named = _NAME.fullmatch(name.text)
            assert named is not None
            yield line, named[1], said[1]
            name = None
        elif said := (_ROW.fullmatch(line.text) or _status(line)):
            line.take()
            yield line, said["name"], said["value"]


def _status(line: Line) -> re.Match[str] | None:
    """Returns a row of SHOW STATUS, whose names begin with a capital."""
    said = re.fullmatch(r"\|?\s*(?P<name>[A-Z]\w+)\s*[\t|](?P<value>.*?)\|?\s*", line.text)
    return said if said and _STATUS.fullmatch(said["name"]) else None
