"""`assay server`: private servers by hand."""

from __future__ import annotations

import click


@click.group("server")
def command() -> None:
    """List the servers of this machine, start a private one, sweep what a killed lab left behind.

    \b
    Example:
      assay server list
      assay server start mariadb --set innodb_buffer_pool_size=1G
      assay server sweep
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_builds(as_json: bool) -> None:
    """List the builds that are found on this machine, as `[server] use` names them.

    \b
    Example:
      assay server list
    """
    from assay.cli.server_start import found_builds

    builds = found_builds()
    if as_json:
        import json

        click.echo(json.dumps([{"use": use, **entry} for use, entry in builds.items()], indent=2))
        return
    for use, entry in builds.items():
        click.echo(f"{use:16} {entry['version']:12} {entry['binary']}")
    if not builds:
        click.echo("no server was found on this machine; `assay doctor` says how to get one")


@command.command("start")
@click.argument("use", default="mariadb")
@click.option("--port", type=click.IntRange(1, 65535), help="TCP port on 127.0.0.1.  [default: a free one]")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A server variable; may be repeated."
)
def start(use: str, port: int | None, settings: tuple[str, ...]) -> None:
    """Start a private server on an empty data directory and keep it in the foreground until Ctrl-C.

    USE is what a study's `[server] use` takes. The data directory is removed when the server stops.

    \b
    Example:
      assay server start mariadb --port 3310 --set innodb_flush_log_at_trx_commit=2
    """
    from assay.cli.server_start import parse_settings, serve

    serve(use, port, parse_settings(settings))


@command.command("sweep")
def sweep() -> None:
    """Stop servers and remove directories of lab processes that are gone. Live ones are left alone.

    \b
    Example:
      assay server sweep
    """
    from assay.server import sweep_dead

    done = sweep_dead()
    for line in done:
        click.echo(line)
    if not done:
        click.echo("nothing was left behind")
