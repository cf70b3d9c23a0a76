"""Reads the options file of a server, my.cnf: the variables that it sets."""

from __future__ import annotations

import re

from assay.base.errors import InputError
from assay.design.study.option_lines import Directive, Group, Option, option_line
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.adopt.lines import Text

TOOL = "my.cnf"
_OF_SERVERS = re.compile(r"(?:mysqld|mariadbd|mariadb|server|client-server|galera)(?:-\d+(?:\.\d+)*)?")
_OF_ONE = re.compile(r"(?:mysqld|mariadbd|mariadb)(?:@[\w.-]+|\d+)")
"""A group of one of several servers of a machine, by systemd's or mysqld_multi's names."""
_NAME = re.compile(r"[A-Za-z][\w.-]*")


def recognises(text: str) -> bool:
    """Returns whether a text has a group of a server, as options files have it."""
    lowered = text.lower()
    if not any(one in lowered for one in ("[mysqld", "[mariadb", "[server", "[client-server", "[galera")):
        return False
    found = (option_line(line) for line in text.splitlines() if line.lstrip().startswith("["))
    names = (one.name for one in found if isinstance(one, Group))
    return any(_OF_SERVERS.fullmatch(name) or _OF_ONE.fullmatch(name) for name in names)


def read(text: Text, every_s: float | None = None) -> list[CompanionFile]:
    """Returns the variables of the server's groups, by their names with underscores; of equal names the
    last.

    A line that is no option is left over; so are a line that includes another file, and the groups of
    several servers. Raises InputError where no option of a server is found.
    """
    variables: dict[str, str] = {}
    group, includes = "", False
    read_lines = [(line, option_line(line.text)) for line in text.lines]
    ones = {said.name for _, said in read_lines if isinstance(said, Group)}
    several = len([one for one in ones if _OF_ONE.fullmatch(one)]) > 1
    for line, said in read_lines:
        match said:
            case None:
                line.take()
            case Group(name):
                line.take()
                group = name
            case Directive():
                includes = True
            case Option() if _OF_SERVERS.fullmatch(group) or (_OF_ONE.fullmatch(group) and not several):
                if _NAME.fullmatch(said.name):
                    line.take()
                    variables[said.underscored] = "ON" if said.value is None else said.value
            case Option() if group and not _OF_ONE.fullmatch(group):
                line.take()  # of a client, or of another program
    if not variables:
        raise InputError(f"{text.file}: expected options of a server below [mysqld], found none")
    known = {"variables": "defaults-and-includes" if includes else "defaults"}
    return [CompanionFile(tool=TOOL, of_machine=False, variables=variables, known=known)]
