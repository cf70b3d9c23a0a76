"""Reads which kinds of doubts a person accepts for this machine, and marks them in its results.

They are in `host.toml` of ASSAY_HOME, since they are a property of the machine and of no study:

    [host]
    known = ["stolen-time"]
"""

from __future__ import annotations

import tomllib

import duckdb

from assay.base.decoding import toml_tables
from assay.base.errors import InputError
from assay.base.home import home
from assay.design.study import did_you_mean
from assay.results.verdict import KINDS_OF_DOUBT, Results, with_known
from assay.system.host import Machine

FILE = "host.toml"
_LARGEST = 1 << 20


def with_known_doubts(results: Results, store: duckdb.DuckDBPyConnection) -> Results:
    """Returns the results with the kinds marked that are accepted for this machine, if all runs were made on
    it; another machine's doubts are not this one's.

    Raises InputError, which names the file, for one that says something else.
    """
    kinds = known_kinds()
    return with_known(results, kinds) if kinds and _are_of_this_machine(store) else results


def known_kinds() -> tuple[str, ...]:
    """Returns the kinds of doubts that are accepted for this machine; none without a file."""
    path = home() / FILE
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    try:
        tables = toml_tables(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    host = tables.get("host", {})
    found = host.get("known", []) if isinstance(host, dict) else None
    if not isinstance(found, list) or not all(isinstance(kind, str) for kind in found):
        raise InputError(
            f"{path}: known must be a list of kinds of doubts", hint='write [host] known = ["stolen-time"]'
        )
    for kind in found:
        if kind not in KINDS_OF_DOUBT:
            near = did_you_mean(kind, KINDS_OF_DOUBT)
            raise InputError(f"{path}: {kind} in known is not a kind of doubt{near}")
    return tuple(found)


def _are_of_this_machine(store: duckdb.DuckDBPyConnection) -> bool:
    rows = store.execute("SELECT DISTINCT host FROM runs WHERE status = 'complete'").fetchall()
    here = Machine().text("/proc/sys/kernel/hostname")
    return here is not None and rows == [(here,)]
