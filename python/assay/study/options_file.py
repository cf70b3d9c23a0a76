"""Reads a server's options file, my.cnf, as the variables of a study: `[server] options_file`.

The form is that of the MySQL manual, "Using Option Files": groups, `name = value`, names with dashes or
underscores, `!include` and `!includedir`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.inner_path import AnyPath, InnerPath
from assay.study.option_names import variable_name, variable_set
from assay.study.override import REMOVED, Changes
from assay.study.problems import Problem
from assay.study.toml_lines import Keys
from assay.study.values import Scalar, is_word

_GROUP = re.compile(r"\[([^\]]*)\]\s*(?:#.*)?")
_OF_SERVERS = frozenset(("mysqld", "mariadbd", "mariadb", "server"))
_OF_ONE_VERSION = re.compile(r"(?:mysqld|mariadbd|mariadb)(?:-\d[\d.]*|@\S+|\d+)")
_INCLUDE = re.compile(r"!(include|includedir)\s+(\S.*)")
_QUOTED = re.compile(r"""(?P<mark>["'])(?P<text>.*?)(?P=mark)\s*(?:#.*)?""")
_COMMENT = re.compile(r"\s#.*$")
_DEEPEST = 10
_LARGEST = 1 << 20  # bytes

SET_BY_THE_LAB = frozenset(
    (
        *("basedir", "datadir", "character_sets_dir", "innodb_log_group_home_dir", "lc_messages_dir"),
        *("plugin_dir", "log_error", "pid_file", "bind_address", "port", "socket", "skip_networking", "user"),
    )
)
"""Variables that say where a private server is, and whose it is."""
_PLACES = frozenset(
    (
        *("innodb_data_home_dir", "innodb_undo_directory", "innodb_tmpdir", "innodb_temp_tablespaces_dir"),
        *("tmpdir", "slave_load_tmpdir", "replica_load_tmpdir", "secure_file_priv", "init_file"),
        *("general_log_file", "slow_query_log_file", "log_bin_index", "log_basename"),
        *("relay_log", "relay_log_index", "relay_log_info_file", "master_info_file"),
        *("ssl_ca", "ssl_capath", "ssl_cert", "ssl_cipher", "ssl_crl", "ssl_crlpath", "ssl_key", "ssl"),
        *("admin_port", "admin_address", "mysqlx_port", "mysqlx_socket", "mysqlx_bind_address", "extra_port"),
        *("report_host", "report_port", "server_id_bits", "user_stat", "mysqlx"),
    )
)
"""Options that name files, addresses and accounts of the machine that an options file is from."""


@dataclass(frozen=True)
class OptionsFile:
    """The server's options in a file and those it includes.

    `variables` are by name with underscores, the last of equal names; `left_out` has a sentence for each kind
    of option that a private server cannot have; `problems` are lines that are no options.
    """

    variables: dict[str, Scalar] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def read_options_file(path: Path) -> OptionsFile:
    """Returns the variables of the server's groups. What cannot be read is among the `problems`."""
    reading = _Reading()
    reading.file(path, 0)
    kinds = (
        (reading.placed, "files, addresses and accounts of the machine that it is from"),
        (reading.of_lab, "set by the lab itself"),
        (reading.of_version, "of a group that only some servers read"),
    )
    left_out = tuple(
        f"{path.name}: left out: {', '.join(names)} ({why})"
        for names, why in ((list(dict.fromkeys(found)), why) for found, why in kinds)
        if names
    )
    if not reading.variables and not reading.problems and not left_out:
        reading.problems.append(f"{path} sets no option of a server: expected a group [mysqld]")
    return OptionsFile(reading.variables, left_out, tuple(reading.problems))


@dataclass(frozen=True)
class FilledVariables:
    """The variables that `[server] options_file` adds to a study, and what is said of the file."""

    changes: Changes = field(default_factory=dict)
    places: Mapping[Keys, Keys] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def filled_variables(raw: Mapping[str, Any], path: AnyPath) -> FilledVariables:
    """Returns what the options file adds to a study's tables: each variable that these neither set nor vary.

    The changes take the name of the file out: a results folder keeps the variables themselves.
    """
    server = raw.get("server")
    name = server.get("options_file") if isinstance(server, dict) else None
    if not isinstance(name, str) or not name:  # a wrong type has a complaint of its own
        return FilledVariables()
    key = ("server", "options_file")
    if isinstance(path, InnerPath):  # it may come from anybody, and names any file of this machine
        sentence = "options_file is read when a study begins: a results folder keeps the variables themselves"
        return FilledVariables(problems=(Problem(key, sentence),))
    found = read_options_file(path.parent / name)
    if found.problems:
        return FilledVariables(problems=tuple(Problem(key, sentence) for sentence in found.problems))
    said = {variable_set(one, True)[0] for one in _variables_of(raw)}
    added = {one: value for one, value in found.variables.items() if variable_set(one, True)[0] not in said}
    paths: dict[Keys, Any] = {("server", "variables", one): value for one, value in added.items()}
    return FilledVariables({**paths, key: REMOVED}, dict.fromkeys(paths, key), found.left_out)


def _variables_of(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yields the names of the server variables that a study's tables set or vary."""
    for table in ("variables", "dynamic"):
        stated = raw["server"].get(table)
        yield from stated if isinstance(stated, dict) else ()
    factors = raw.get("factor")
    for factor in factors if isinstance(factors, list) else ():
        if not isinstance(factor, dict):
            continue
        keys = factor.get("keys")
        for name in (factor.get("name"), *(keys if isinstance(keys, list) else ())):
            if isinstance(name, str) and name.startswith(("server.variables.", "server.dynamic.")):
                yield name.split(".", 2)[2]


@dataclass
class _Reading:
    """What has been read so far, over all included files."""

    variables: dict[str, Scalar] = field(default_factory=dict)
    placed: list[str] = field(default_factory=list)
    of_lab: list[str] = field(default_factory=list)
    of_version: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def file(self, path: Path, depth: int) -> None:
        """Reads one file; options before its first group belong to none."""
        group = ""
        for number, line in enumerate(self._lines(path, depth), 1):
            bare = line.strip()
            if not bare or bare[0] in "#;":
                continue
            if found := _GROUP.fullmatch(bare):
                group = found[1].strip().lower()
            elif found := _INCLUDE.fullmatch(bare):
                for included in _included(path, found[1], found[2].strip()):
                    self.file(included, depth + 1)
            elif group in _OF_SERVERS:
                self._option(f"{path}:{number}", bare)
            elif _OF_ONE_VERSION.fullmatch(group):
                self.of_version.append(f"{_name(bare)} of [{group}]")

    def _lines(self, path: Path, depth: int) -> Iterator[str]:
        if depth > _DEEPEST:
            self.problems.append(f"{path}: options files include each other in a cycle")
            return
        try:
            if not path.is_file():
                raise OSError(0, "no regular file of this name")
            with path.open("rb") as file:
                content = file.read(_LARGEST + 1)
            if len(content) > _LARGEST:
                raise OSError(0, f"is larger than {_LARGEST >> 20} MiB")
            yield from content.decode("utf-8-sig").splitlines()
        except OSError as error:
            self.problems.append(f"{path} cannot be read: {error.strerror or error}")
        except UnicodeDecodeError as error:
            self.problems.append(f"{path} is not UTF-8 text (byte {error.start})")

    def _option(self, place: str, text: str) -> None:
        name = _name(text)
        if not all(map(is_word, name.split("."))):
            self.problems.append(f"{place}: expected an option, as in innodb_io_capacity = 2000")
        elif (variable := variable_name(name)) in SET_BY_THE_LAB:
            self.of_lab.append(name)
        elif variable in _PLACES:
            self.placed.append(name)
        else:
            self.variables[name] = _value(text)


def _name(text: str) -> str:
    return _COMMENT.sub("", text).partition("=")[0].strip().lower().replace("-", "_")


def _value(text: str) -> Scalar:
    """Returns an option's value; an option without one is switched on."""
    _, equals, value = text.partition("=")
    if not equals:
        return True
    if quoted := _QUOTED.fullmatch(value.strip()):
        return quoted["text"]
    value = _COMMENT.sub("", value).strip()
    return int(value) if re.fullmatch(r"-?\d{1,19}", value) else value


def _included(path: Path, kind: str, name: str) -> list[Path]:
    target = path.parent / name
    if kind == "include":
        return [target]
    return sorted(one for one in target.glob("*.cnf") if one.is_file())
