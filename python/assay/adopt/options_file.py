"""Reads the options file of a server, my.cnf: the variables that it sets."""

from __future__ import annotations

import re

from assay.adopt.beside import Beside
from assay.adopt.lines import Text
from assay.errors import InputError

TOOL = "my.cnf"
_SECTION = re.compile(r"\[([\w.@-]+)\]\s*(?:#.*)?")
_OF_SERVERS = re.compile(r"(?:mysqld|mariadbd|mariadb|server)(?:-\d+(?:\.\d+)*)?")
_OF_ONE = re.compile(r"(?:mysqld|mariadbd|mariadb)(?:@[\w.-]+|\d+)")
"""A group of one of several servers of a machine, by systemd's or mysqld_multi's names."""
_OPTION = re.compile(r"(?P<name>[A-Za-z][\w.-]*)\s*(?:=\s*(?P<value>.*))?")
_COMMENT = re.compile(r"\s#.*$")


def recognises(text: str) -> bool:
    """Returns whether a text has a section of a server, as options files have it."""
    if not any(one in text for one in ("[mysqld", "[mariadb", "[server")):
        return False
    sections = (_SECTION.fullmatch(line.strip()) for line in text.splitlines())
    return any(_OF_SERVERS.fullmatch(one[1]) or _OF_ONE.fullmatch(one[1]) for one in sections if one)


def read(text: Text, every_s: float | None = None) -> list[Beside]:
    """Returns the variables of the server's sections, by their names with underscores; of equal names the
    last.

    A line that is no option is left over; so are a line that includes another file, and the groups of
    several servers. Raises InputError where no option of a server is found.
    """
    variables: dict[str, str] = {}
    section, includes = "", False
    ones = {said[1] for line in text.lines if (said := _SECTION.fullmatch(line.text.strip()))}
    several = len([one for one in ones if _OF_ONE.fullmatch(one)]) > 1
    for line in text.lines:
        bare = line.text.strip()
        if not bare or bare[0] in "#;":
            line.take()
        elif found := _SECTION.fullmatch(bare):
            line.take()
            section = found[1]
        elif bare.startswith("!include"):
            includes = True
        elif _OF_SERVERS.fullmatch(section) or (_OF_ONE.fullmatch(section) and not several):
            if option := _option(bare):
                line.take()
                variables[option[0]] = option[1]
        elif section and not _OF_ONE.fullmatch(section):
            line.take()  # of a client, or of another program
    if not variables:
        raise InputError(f"{text.file}: expected options of a server below [mysqld], found none")
    known = {"variables": "defaults-and-includes" if includes else "defaults"}
    return [Beside(tool=TOOL, of_machine=False, variables=variables, known=known)]


def _option(text: str) -> tuple[str, str] | None:
    """Returns name and value; an option without a value is switched on. None for what is no option."""
    quoted = re.fullmatch(r"([^=]*=\s*)(\"[^\"]*\"|'[^']*')\s*(?:#.*)?", text)
    bare = text if quoted else _COMMENT.sub("", text)
    found = _OPTION.fullmatch(quoted[1] + quoted[2] if quoted else bare)
    if found is None:
        return None
    name = found["name"].lower().replace("-", "_")
    value = found["value"]
    if value is None:
        return name, "ON"
    value = value.strip()
    return name, value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
