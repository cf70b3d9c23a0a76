"""`assay server` and `assay dataset`."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Place, Row, row

_BROKEN = b"this is no archive"
_ON_HOSTS = """
[study]
name = "b"
[server]
use = "{use}"
on = "{on}"
[workload]
use = "oltp_point_select"
[load]
threads = [1]
{more}
"""
_FLEET = '[fleet]\ntoken_file = "t"\n[[host]]\nname = "h1"\nrole = "server"\naddress = "127.0.0.1:9"\n'


def _on_hosts(
    name: str,
    code: int,
    *words: str,
    use: str = "mariadb",
    on: str = "h1",
    more: str = "",
    does: str = "run b.toml --fleet f.toml",
) -> Row:
    """A study whose blocks go to the host h1, where no agent is."""
    files = {"b.toml": _ON_HOSTS.format(use=use, on=on, more=more), "f.toml": _FLEET, "t": "0123456789abcdef"}
    return row(f"on-hosts-{name}", does, code, *words, files=files, before=_closed)


def _closed(place: Place) -> None:
    (place.folder / "t").chmod(0o600)


ROWS: list[Row] = [
    row("data-profile-none", "data profile", 2, "Missing argument", "see: assay data profile --help"),
    row("data-profile-file", "data profile shop.sql", 2, "expected a running server", "dsn:mysql://user@host/database"),
    row("data-profile-database", "data profile dsn:mysql://a@127.0.0.1:9", 2, "names no database"),
    row("data-profile-rows", "data profile dsn:mysql://a@b/c --rows 5", 2, "--rows", "1000"),
    row("server-none", "server", 2, "Commands"),
    row("server-verb", "server strt", 2, "No such command 'strt'", "start", "see: assay server --help"),
    row("server-list-extra", "server list x", 2, "unexpected extra argument (x)"),
    row("server-get-none", "server get", 2, "Missing argument", "see: assay server get --help"),
    row("server-get-flavour", "server get oracle@8", 2, "oracle", "known: mariadb, percona, mysql"),
    row("server-get-version", "server get mariadb@ten", 2, "'ten' is not a version"),
    row("server-get-file", "server get /nope.tar.gz", 2, "/nope.tar.gz"),
    row("server-get-broken", "server get b.tar.gz", 2, "b.tar.gz", files={"b.tar.gz": _BROKEN}),
    row("server-get-empty", "server get e.tar.gz", 2, "e.tar.gz", files={"e.tar.gz": b""}),
    row("fleet-none", "fleet", 2, "Commands"),
    row("fleet-check-nowhere", "fleet check f.toml", 2, "f.toml: cannot be read"),
    row("fleet-check-key", "fleet check f.toml", 2, "host[1].adress", 'did you mean "address"?', files={"f.toml": b"[[host]]\nname = 'h'\nadress = 'x'\n"}),
    row("fleet-head-open", "fleet head --address 192.0.2.10", 2, "in clear", "--trust-network"),
    row("fleet-join-token", "fleet join 127.0.0.1:1 --token-file none", 2, "cannot read the token of the fleet from none"),
    row("fleet-status-nowhere", "fleet status", 2, "this machine is in no Ray cluster"),
    row("fleet-status-agents", "fleet status f.toml", 2, 'fleet.backend is "agents"', files={"f.toml": b"[[host]]\nname = 'h'\naddress = 'x'\n"}),
    row("fleet-agent-port", "fleet agent --port 99999", 2, "Invalid value for '--port'"),
    row("fleet-agent-token", "fleet agent --token-file t", 2, "the token file t must be closed to others", "run chmod 600 t", files={"t": b"0123456789abcdef"}),
    _on_hosts("no-fleet", 2, 'b.toml:6: server.on = "h1" names hosts of a fleet', "--fleet fleet.toml", does="run b.toml"),
    _on_hosts("no-host", 2, 'f.toml: server.on = "zone=a" fits no host', "h1 (role=server)", on="zone=a"),
    _on_hosts("no-agent", 6, "cannot reach the agent of h1 (127.0.0.1:9)", "assay fleet agent"),
    _on_hosts("label", 2, 'b.toml:6: server.on: "rack=a" is not allowed', "role=server,zone=a", on="rack=a"),
    _on_hosts("running", 2, "b.toml:6: server.on", "a running server is where it is", use="dsn:mysql://x/y"),
    _on_hosts("copies", 2, "b.toml:6: server.on", "write the margin as a number", more='[verdict]\nmargin = "aa"'),
    row("fleet-run-local", "run quickstart.toml --allow-same-machine", 2, "--allow-same-machine needs --fleet"),
    row("server-start-flavour", "server start oracle", 2, "server.use = 'oracle': no such server", "known: mariadb, percona, mysql"),
    row("server-start-version", "server start mariadb@4.0", 6, "no MariaDB 4.0 server on this machine"),
    row("server-start-path", "server start path:/nope", 6, "path:/nope: contains no server binary"),
    row("server-start-dsn", "server start dsn:mysql://u@h/d", 2, "is a running server, not a build"),
    row("server-start-port", "server start mariadb --port 0", 2, "Invalid value for '--port'", "1<=x<=65535"),
    row("server-start-port-text", "server start mariadb --port x", 2, "Invalid value for '--port'"),
    row("server-start-var", "server start mariadb --var x", 2, "--var x: expected NAME=VALUE"),
    row("server-start-var-name", "server start mariadb --var a-b=1", 2, '--var a-b=1: "a-b" is not the name of a server variable', 'did you mean "a_b"?'),
    row("server-start-var-unit", "server start mariadb --var innodb_buffer_pool_size=2GB", 2, 'did you mean "2G"?'),
    row("server-start-var-empty", "server start mariadb --var back_log=", 4, "asked for an empty text, the server would use"),
    row("server-start-var-long", f"server start mariadb --var init_connect={'x' * 5000}", 2, "characters left out", "a value of more than 3,994 bytes"),
    row("server-start-var-unknown", "server start mariadb --var innodb_bufer_pool_size=1", 4, "no such variable", "nearest: innodb_buffer_pool_size"),
    row("server-start-var-clamped", "server start mariadb --var innodb_io_capacity=1", 4, "the server would use 100", "innodb_io_capacity = 100"),
    row("server-start-cpus", "server start mariadb --cpus 0-99", 6, "processors", "this process may use"),
    row("server-start-cpus-word", "server start mariadb --cpus all", 2, '--cpus: "all" is not allowed', "0-3,8"),
    row("server-start-memory", "server start mariadb --memory 1GB", 2, '--memory: "1GB" is not a size that the server knows; did you mean "1G"?'),
    row("server-start-numa", "server start mariadb --numa bind", 2, '--numa: "bind" is not a NUMA policy', '"interleave"'),
    row("server-start-allocator", "server start mariadb --allocator jmalloc", 2, '--allocator: "jmalloc" is not allowed', 'did you mean "jemalloc"?'),
    row("server-start-data", "server start mariadb --data-dir /nope", 6, "server.data_dir: there is no directory /nope"),
    row("server-start-data-relative", "server start mariadb --data-dir here", 2, '--data-dir: "here" is not a directory', "/data/fast"),
    row("server-stop-unknown", "server stop nobody", 2, "no server called nobody is running", "assay server start"),
    row("server-shell-unknown", "server shell nobody", 2, "no server called nobody is running", "assay server start"),
    row("server-rm-none", "server rm", 2, "Missing argument", "see: assay server rm --help"),
    row("server-rm-unknown", "server rm mysql@5.7", 2, "5.7"),
    row("dataset-none", "dataset", 2, "Commands"),
    row("dataset-verb", "dataset remove x", 2, "No such command 'remove'", "see: assay dataset --help"),
    row("dataset-rm-none", "dataset rm", 2, "dataset rm needs the ids of datasets"),
    row("dataset-rm-unknown", "dataset rm nothing-like-it", 2, "nothing-like-it"),
    row("dataset-budget", "dataset list", 2, "ASSAY_DATASET_BUDGET: '2GB' is not a size", 'write "2G"', env={"ASSAY_DATASET_BUDGET": "2GB"}),
]  # fmt: skip
