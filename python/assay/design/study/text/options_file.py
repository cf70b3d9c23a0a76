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

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath, InnerPath
from assay.design.study.checks.problems import Problem
from assay.design.study.option_lines import Directive, Group, Misread, Option, option_line, split_lines
from assay.design.study.option_names import variable_name, variable_set
from assay.design.study.text.named_files import named_text
from assay.design.study.text.override import REMOVED, Changes
from assay.design.study.toml_lines import Keys
from assay.design.study.values import Scalar, is_word

_OF_SERVERS = frozenset(("mysqld", "mariadbd", "mariadb", "server", "client-server"))
_OF_SOME = re.compile(r"(?:mysqld|mariadbd|mariadb)(?:-\d[\d.]*|@\S+|\d+)|galera|embedded")
_OF_PROGRAMS = frozenset(
    (
        *("client", "client-mariadb", "mysql", "mariadb-client", "mysqldump", "mariadb-dump", "mysqladmin"),
        *(
            "mariadb-admin",
            "mysqlcheck",
            "mariadb-check",
            "mysqlimport",
            "mysqlshow",
            "mysqlslap",
            "mysqlpump",
        ),
        *(
            "mysqlbinlog",
            "mariadb-binlog",
            "mysqlhotcopy",
            "mysql_upgrade",
            "mariadb-upgrade",
            "mysql.server",
        ),
        *("mysqld_safe", "mariadbd-safe", "mysqld_multi", "mysql_safe", "safe_mysqld", "mysql_cluster"),
        *("isamchk", "myisamchk", "aria_chk", "myisampack", "xtrabackup", "mariabackup", "sst", "garbd"),
    )
)
"""Groups of programs that are no servers."""
_MOST_FILES = 200
_LARGEST = 1 << 20  # bytes

_JOINED = {"plugin_load_add": ";", "optimizer_switch": ","}
"""Options each of which adds to those before it, with what joins their values."""
_EACH_COUNTS = re.compile(
    r"performance_schema_instrument|ignore_db_dirs?"
    r"|(?:binlog|replicate)_(?:wild_)?(?:do|ignore|rewrite)_(?:db|table)"
)
"""Options that may stand several times, each of which counts: a study can set one of them."""

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
    reading.file(path)
    kinds = (
        (reading.placed, "files, addresses and accounts of the machine that it is from"),
        (reading.of_lab, "set by the lab itself"),
        (reading.of_some, "of a group that only some servers read"),
        (reading.of_none, "no server reads such a group"),
        (reading.earlier, "each of them counts, and a study can set only the last"),
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
    of_some: list[str] = field(default_factory=list)
    of_none: list[str] = field(default_factory=list)
    earlier: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    files: int = 0
    names: dict[str, str] = field(default_factory=dict)  # in `variables`, by the variable that they set

    def file(self, path: Path, includers: tuple[Path, ...] = ()) -> None:
        """Reads one file, which the files `includers` include; its options need a group of its own."""
        group: str | None = None
        for number, line in enumerate(self._lines(path, includers), 1):
            place = f"{path}:{number}"
            match option_line(line):
                case Misread(why):
                    self.problems.append(f"{place}: {why}")
                    group = group or ""
                case Group(name):
                    group = name
                case Directive(word, argument):
                    for included in self._included(place, path.parent / argument, word):
                        self.file(included, (*includers, path.resolve()))
                case Option() as option:
                    self._option(place, group, option)
                    group = group or ""  # told once

    def _lines(self, path: Path, includers: tuple[Path, ...]) -> list[str]:
        """Returns the lines of a file; none where it cannot be read, which is a problem."""
        self.files += 1
        try:
            if path.resolve() in includers:
                self.problems.append(f"{path}: options files include each other in a cycle")
                return []
            if self.files > _MOST_FILES:
                if self.files == _MOST_FILES + 1:
                    self.problems.append(f"{path}: is included after {_MOST_FILES} other files, the most")
                return []
            return split_lines(named_text(path, "an options file", _LARGEST))
        except InputError as error:
            self.problems.append(error.message)
        except (OSError, RuntimeError, ValueError) as error:  # links in a ring, a zero byte in the name
            self.problems.append(
                f"{str(path)!r}: cannot be read: {getattr(error, 'strerror', None) or error}"
            )
        return []

    def _included(self, place: str, target: Path, word: str) -> list[Path]:
        """Returns the files that a line includes, in the order in which a server reads them."""
        if word == "include":
            return [target]
        try:
            return sorted(one for one in target.iterdir() if one.name.endswith(".cnf"))
        except OSError as error:
            self.problems.append(f"{place}: {target} cannot be read: {error.strerror or error}")
            return []

    def _option(self, place: str, group: str | None, option: Option) -> None:
        name = option.underscored
        if group == "":  # that of a line which is a problem already
            return
        if group is None:
            self.problems.append(f"{place}: expected a group, as in [mysqld], before the first option")
        elif _OF_SOME.fullmatch(group):
            self.of_some.append(f"{name} of [{group}]")
        elif group not in _OF_SERVERS:
            if group not in _OF_PROGRAMS:
                self.of_none.append(f"{name} of [{group}]")
        elif not all(map(is_word, name.split("."))):
            self.problems.append(f"{place}: expected an option, as in innodb_io_capacity = 2000")
        elif (variable := variable_name(name)) in SET_BY_THE_LAB:
            self.of_lab.append(name)
        elif variable in _PLACES:
            self.placed.append(name)
        else:
            self._set(name, _scalar(option.value))

    def _set(self, name: str, value: Scalar) -> None:
        """Sets a variable as a server does that reads its options in order: the last one counts."""
        variable = variable_set(name, value)[0]
        if (before := self.names.get(variable)) is not None:
            earlier = self.variables.pop(before)
            if (joint := _JOINED.get(variable)) is not None:
                value = f"{earlier}{joint}{value}"
            elif _EACH_COUNTS.fullmatch(variable):
                self.earlier.append(f"{before} = {earlier}")
        self.names[variable] = name
        self.variables[name] = value


def _scalar(value: str | None) -> Scalar:
    """Returns an option's value; an option without one is switched on."""
    if value is None:
        return True
    return int(value) if re.fullmatch(r"-?[0-9]{1,19}", value) else value
