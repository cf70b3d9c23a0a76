"""Reads the options file of a server, my.cnf: the variables that it sets."""

from __future__ import annotations

import re

from assay.adopt.beside import Beside
from assay.adopt.lines import Line, lines_of
from assay.errors import InputError

TOOL = "my.cnf"
_SECTION = re.compile(r"\[([\w.-]+)\]\s*(?:#.*)?")
_OF_SERVERS = re.compile(r"(?:mysqld|mariadbd|mariadb|server)(?:-\d+(?:\.\d+)*)?")
_OPTION = re.compile(r"(?P<name>[A-Za-z][\w-]*)\s*(?:=\s*(?P<value>.*))?")
_COMMENT = re.compile(r"\s#.*$")


def recognises(text: str) -> bool:
    """Returns whether a text has a section of a server, as options files have it."""
    sections = (_SECTION.fullmatch(line.strip()) for line in text.splitlines())
    return any(_OF_SERVERS.fullmatch(one[1]) for one in sections if one)


def read(file: str, text: str, every_s: float | None = None) -> Beside:
    """Returns the variables of the server's sections, by their names with underscores; of equal names the
    last.

    Raises InputError for a line that is no option, and for one that includes another file.
    """
    variables: dict[str, str] = {}
    section = ""
    for line in lines_of(file, text):
        bare = line.text.strip()
        if not bare or bare[0] in "#;":
            continue
        if found := _SECTION.fullmatch(bare):
            section = found[1]
        elif bare.startswith("!include"):
            raise line.wrong("options, not the name of another file", "give one file with all options in it")
        elif _OF_SERVERS.fullmatch(section):
            name, value = _option(line, bare)
            variables[name] = value
    if not variables:
        raise InputError(f"{file}: expected options of a server below [mysqld], found none")
    return Beside(tool=TOOL, of_machine=False, variables=variables, known={"variables": "defaults"})


def _option(line: Line, text: str) -> tuple[str, str]:
    """Returns name and value; an option without a value is switched on."""
    quoted = re.fullmatch(r"([^=]*=\s*)(\"[^\"]*\"|'[^']*')\s*(?:#.*)?", text)
    bare = text if quoted else _COMMENT.sub("", text)
    found = _OPTION.fullmatch(quoted[1] + quoted[2] if quoted else bare)
    if found is None:
        raise line.wrong("an option, as in innodb_io_capacity = 2000")
    name = found["name"].lower().replace("-", "_")
    value = found["value"]
    if value is None:
        return name, "ON"
    value = value.strip()
    return name, value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
