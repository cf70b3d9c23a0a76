"""`assay bench` against a server that lacks something, and logins that fail."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Row, row

WHERE = "--socket {socket} --db assay"
SHORT = "--time 0.3 --report-interval 0 --table-size 100"


def _bench(
    name: str,
    words_of_command: str,
    code: int,
    *words: str,
    password: str | None = None,
) -> Row:
    env = {} if password is None else {"ASSAY_PASSWORD": password}
    return row(f"spoilt-{name}", f"bench oltp_read_write {words_of_command}", code, *words, env=env)


ROWS: list[Row] = [
    _bench("no-socket", f"--socket /nope.sock {SHORT}", 3, "cannot connect to /nope.sock: no such file"),
    _bench("no-port", f"--port 1 {SHORT}", 3, "cannot connect to 127.0.0.1:1: connection refused"),
    _bench("no-host", f"--host no.such.host.invalid {SHORT}", 3, "no.such.host.invalid"),
    _bench("no-database", f"--socket {{socket}} --db nope {SHORT}", 3, "nope"),
    _bench("database-name", f"--socket {{socket}} --db 'a`b' {SHORT}", 3, "a`b"),
    _bench("user", f"{WHERE} --user none {SHORT}", 3, "none", "ASSAY_PASSWORD"),
    _bench("password", f"{WHERE} --user nobody {SHORT}", 3, "nobody", "ASSAY_PASSWORD", password="wrong"),
    _bench("no-rights", f"{WHERE} --user nobody {SHORT}", 3, "assay", password="n"),
    _bench("no-tables", f"--socket {{socket}} --db nothing {SHORT}", 4, "sbtest1", "prepare"),
    _bench("wrong-tables", f"--socket {{socket}} --db half {SHORT}", 4, "Unknown column 'c'"),
    _bench("more-tables", f"{WHERE} --tables 3 {SHORT}", 4, "sbtest2", "prepare"),
    _bench("read-only", f"{WHERE} --user reader {SHORT}", 4, "denied", password="r"),
    _bench("few", f"{WHERE} --user few --threads 4 {SHORT}", 2, "max_user_connections"),
    _bench("connections", f"{WHERE} --threads 5000 {SHORT}", 2, "5000 connections are needed", "max_connections"),
    _bench("prepare-twice", f"prepare {WHERE} --table-size 100", 4, "sbtest1", "cleanup"),
    _bench("prepare-read-only", "prepare --socket {socket} --db nothing --user reader", 4, "denied", password="r"),
    _bench("too-many-rows", f"{WHERE} --time 0.3 --report-interval 0 --table-size 5000", 2, "the rows of sbtest1 go up to id 100, but the load draws ids up to 5000"),
    _bench("cleanup-nothing", "cleanup --socket {socket} --db nothing", 0, "There were no tables to drop"),
]  # fmt: skip
