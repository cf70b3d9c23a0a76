"""A small valid study as text, and ways to spoil it."""

from __future__ import annotations

from pathlib import Path

from assay.study import Study, parse_study

FILE = Path("a.toml")

VALID = """\
[study]
name = "a"

[server]
use = "mariadb"
variables = { innodb_buffer_pool_size = "1G" }

[workload]
use = "oltp_read_write"
tables = 4

[load]
threads = [1, 8, 64]
warmup = "5s"
measure = "10s"

[[factor]]
name = "server.variables.innodb_purge_threads"
levels = [1, 4]

[[factor]]
name = "schema.index"
levels = [true, false]

[design]
blocks = 6

[[hypothesis]]
claim = "tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]"
"""


def valid() -> Study:
    return parse_study(VALID, FILE)


def changed(old: str, new: str) -> str:
    """VALID with one piece replaced, which must be there."""
    assert old in VALID, old
    return VALID.replace(old, new, 1)


def read(text: str) -> Study:
    return parse_study(text, FILE)
