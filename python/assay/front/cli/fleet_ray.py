"""The verbs `assay fleet head | join | status | leave`: this machine as part of a Ray cluster."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assay.base.argument_types import WholeNumber
from assay.front.terminal import say, say_json
from assay.measurement.fleet import FIRST_PORT, HEAD_PORT, HOST, NODE_ROLES, ROLE, ZONE

TOKEN = click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the token of the fleet.  [default: $ASSAY_HOME/fleet/token]",
)


def _role(default: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--role", type=click.Choice(NODE_ROLES), default=default, show_default=True, help=what
    )


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that a head and a joining host share."""
    for option in (
        click.option(
            "--trust-network",
            is_flag=True,
            help="Listen beyond loopback without TLS: Ray then sends the token in clear.",
        ),
        TOKEN,
        click.option(
            "--first-port",
            type=WholeNumber(0, 65_000),
            default=FIRST_PORT,
            show_default=True,
            metavar="N",
            help="First of the 47 ports of this host; 0: any.",
        ),
        click.option("--zone", metavar="NAME", help="Label of where this host stands."),
        click.option("--name", metavar="NAME", help="Name of this host.  [default: its host name]"),
        click.option(
            "--address",
            default="127.0.0.1",
            show_default=True,
            metavar="ADDRESS",
            help="Address of this machine at which others reach it.",
        ),
    ):
        command = option(command)
    return command


def _start(
    head: str | None,
    *,
    port: int = 0,
    role: str,
    address: str,
    name: str | None,
    zone: str | None,
    first_port: int,
    token_file: Path | None,
    trust_network: bool,
) -> Path:
    """Starts the head, or a node that joins the one at `head`; returns the path of the token."""
    from assay.front.cli.clear_up import clear_up
    from assay.measurement.fleet import make_token, read_token, refuse_open_network, start_node, token_path

    clear_up()
    warning = refuse_open_network(address, trust_network=trust_network)
    path = token_file or token_path()
    make_token(path) if head is None else read_token(path)
    labels = {ROLE: role, HOST: name or socket.gethostname()}
    if zone is not None:
        labels[ZONE] = zone
    if warning is not None:
        say(f"warning: {warning}", err=True)
    start_node(
        head=head,
        address=address,
        port=port,
        first_port=first_port,
        labels=labels,
        token_file=path,
        trust_network=trust_network,
    )
    return path


@click.command("head")
@_options
@click.option(
    "--port", type=WholeNumber(1, 65_535), default=HEAD_PORT, show_default=True, help="Port of the head."
)
@_role("coordinator", "What runs on this host beside the head.")
def head(port: int, address: str, **node: Any) -> None:
    """Start the head of a Ray cluster on this machine, and make the fleet's token if there is none.

    The head always asks for the token. Beyond loopback it needs TLS (RAY_USE_TLS=1 and Ray's certificates) or
    --trust-network. It runs until `assay fleet leave`.

    \b
    Example:
      assay fleet head
      assay fleet head --address 192.0.2.10 --trust-network
    """
    path = _start(None, port=port, address=address, **node)
    trust = " --trust-network" if node["trust_network"] else ""
    say(f"head at {address}:{port}; token in {path}")
    say("on every other host, with the same token file and its own address:")
    say(f"  assay fleet join {address}:{port} --address ADDRESS{trust}")
    say(f'in fleet.toml: [fleet] with backend = "ray" and address = "{address}:{port}"')


@click.command("join")
@click.argument("where", metavar="HEAD")
@_options
@_role("generator", "What runs on this host.")
def join(where: str, role: str, **node: Any) -> None:
    """Let this machine join the cluster whose head is at HEAD, as in 192.0.2.10:6379.

    \b
    Example:
      assay fleet join 192.0.2.10:6379 --address 192.0.2.11 --trust-network
    """
    _start(where, role=role, **node)
    say(f"joined {where} as a {role}")


def _cluster(file: Path | None, token_file: Path | None) -> tuple[str, Path]:
    """Returns the address of a head, and the path of the token: those of a fleet file, or of the cluster that
    this machine is in.
    """
    from assay.base.errors import InputError
    from assay.measurement.fleet import joined_head, read_fleet_file, token_path

    if file is None:
        address = joined_head()
        if address is None:
            raise InputError(
                "this machine is in no Ray cluster",
                hint="run `assay fleet head` or `assay fleet join` first, or name a fleet file",
            )
        return address, token_file or token_path()
    fleet = read_fleet_file(file)
    if fleet.address is None:
        raise InputError(
            f'{file}: fleet.backend is "{fleet.backend}", which has no cluster',
            hint=f"run `assay fleet check {file}`",
        )
    return fleet.address, token_file or fleet.token_file


@click.command("status")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@TOKEN
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def status(file: Path | None, token_file: Path | None, as_json: bool) -> None:
    """Show the hosts that are in a cluster: that of FILE, a fleet file with backend = "ray", or the one that
    this machine has joined.

    \b
    Example:
      assay fleet status
      assay fleet status fleet.toml
    """
    from assay.measurement.fleet import RayBackend

    address, token = _cluster(file, token_file)
    hosts = [
        {
            "name": node["Labels"].get(HOST, ""),
            "role": node["Labels"].get(ROLE, ""),
            "zone": node["Labels"].get(ZONE),
            "address": node["NodeManagerAddress"],
        }
        for node in RayBackend(address, token).nodes()
    ]
    if as_json:
        say_json(hosts)
        return
    for host in hosts:
        say("  ".join(str(value) for value in host.values() if value))


@click.command("leave")
def leave() -> None:
    """End this machine's part of a cluster: its Ray processes, and generators on it.

    \b
    Example:
      assay fleet leave
    """
    from assay.base.wording import counted
    from assay.measurement.fleet import stop_node

    ended = stop_node()
    say(f"ended {counted(ended, 'process', 'processes')}" if ended else "this machine is in no Ray cluster")
