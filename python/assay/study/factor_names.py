"""Names of things a study can vary: adding a kind of factor is one line in FACTORS."""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.study.host_settings import HOST
from assay.study.nearest import did_you_mean
from assay.study.values import Scalar, check_delay, check_directory, check_numa, parse_size_bytes, shown
from assay.study.volume_settings import VOLUME

CLIENTS = ("socket", "tcp", "netns")
"""Where the client is: at the server's socket, at 127.0.0.1, in a network namespace of its own."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def _any(level: Scalar) -> None:
    """Only the server or the workload knows; both are asked before load is spent."""


def _boolean(level: Scalar) -> None:
    if not isinstance(level, bool):
        raise ValueError(f"{shown(level)} is no level here; levels are true and false")


def _name(level: Scalar) -> None:
    if not isinstance(level, str) or not level:
        raise ValueError(f"{shown(level)} is no level here; levels are names in quotes")


def _ps_mode(level: Scalar) -> None:
    if level not in ("auto", "disable"):
        raise ValueError(f'{shown(level)} is no level here; levels are "auto" and "disable"')


def _size(level: Scalar) -> None:
    parse_size_bytes(level)


def _client(level: Scalar) -> None:
    if level not in CLIENTS:
        raise ValueError(f'{shown(level)} is no level here; levels are "socket", "tcp" and "netns"')


FACTORS: dict[str, Callable[[Scalar], object]] = {
    "server.variables.*": _any,
    "server.dynamic.*": _any,
    "server.use": _name,
    "server.cpus": _name,
    "server.allocator": _name,
    "server.memory": _size,
    "server.numa": check_numa,
    "server.data_dir": check_directory,
    "server.redo_dir": check_directory,
    "server.binlog_dir": check_directory,
    "workload.use": _name,
    "workload.*": _any,
    "storage.directory": check_directory,
    "schema.index": _boolean,
    "schema.engine": _name,
    "load.ps_mode": _ps_mode,
    "load.client": _client,
    "load.delay_ms": check_delay,
    "experiment.*": _any,
    **{f"host.{name}": setting.check for name, setting in HOST.items()},
    **{f"volume.{name}": setting.check for name, setting in VOLUME.items()},
}
"""Name (`*`: any word) -> check of one level, which raises ValueError."""

_ELSEWHERE = {
    "load.threads": "the ladder is no factor: every run climbs all of [load] threads",
    "load.rate": "the ladder is no factor: every run climbs all of [load] rate",
    "load.iodepth": "the ladder is no factor: every run climbs all of [load] iodepth; vary workload.iodepth",
    "load.terminals": "terminals are no factor: every run has [load] terminals; make a study for each number",
}


def check_factor_name(name: object) -> str:
    """The name itself. Raises ValueError with the nearest one."""
    if not isinstance(name, str):
        raise ValueError(f"{shown(name)} is no name of a factor")
    if name in _ELSEWHERE:
        raise ValueError(f'"{name}": {_ELSEWHERE[name]}')
    prefix, _, word = name.rpartition(".")
    if name in FACTORS:
        return name
    if f"{prefix}.*" in FACTORS:
        if prefix in ("server.variables", "server.dynamic"):
            check_variable_name(word)
        elif not _WORD.fullmatch(word):
            raise ValueError(f'"{word}" is no name of an option; write it with underscores')
        return name
    known = [known.replace("*", word or "x") for known in FACTORS]
    if not prefix:
        raise ValueError(
            f'"{name}" needs a section; did you mean "server.variables.{name}" or "workload.{name}"?'
        )
    raise ValueError(f'"{name}" cannot be a factor{did_you_mean(name, known)}')


def check_variable_name(name: str) -> None:
    """Raises ValueError unless this is how `SHOW VARIABLES` spells a name."""
    if not _WORD.fullmatch(name):
        plain = name.replace("-", "_")
        also = f'; did you mean "{plain}"?' if _WORD.fullmatch(plain) else ""
        raise ValueError(f'"{name}" is no name of a server variable{also}')


def check_level(factor: str, level: Scalar) -> None:
    """Raises ValueError when this factor cannot have this level."""
    prefix = factor.rpartition(".")[0]
    (FACTORS.get(factor) or FACTORS[f"{prefix}.*"])(level)
