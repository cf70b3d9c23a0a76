"""The verb `assay fleet`: agents on other machines, and a check of them."""

from __future__ import annotations

from pathlib import Path

import click

from assay.base.argument_types import Seconds, WholeNumber
from assay.front.cli.fleet_ray import TOKEN, head, join, leave, status
from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json
from assay.measurement.fleet import AGENT_PORT


@click.group("fleet")
def command() -> None:
    """Let generators on other machines share a load.

    An agent on each machine starts engines for `assay run --fleet FILE`, which names the machines, or the
    head of a Ray cluster that they have joined. With --servers it also carries out blocks of a study. All of
    them need the same Assay and the same token, a file that only its user can read.

    \b
    Example:
      assay fleet token
      assay fleet agent --address 192.0.2.11
      assay fleet check fleet.toml
    """


for part in (head, join, leave, status):
    command.add_command(part)


@command.command("token")
@TOKEN
@json_option
def token(token_file: Path | None, as_json: bool) -> None:
    """Make the token of a fleet if there is none, and print the path of its file.

    Copy the file to every machine of the fleet, as with scp -p. Whoever has it can do there what the
    account of the agent can.

    \b
    Example:
      assay fleet token
    """
    from assay.measurement.fleet import make_token, token_path

    path = token_file or token_path()
    make_token(path)
    if as_json:
        say_json({"file": str(path)})
    else:
        say(str(path))


@command.command("agent")
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Listen at this address of this machine.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65_535),
    default=AGENT_PORT,
    show_default=True,
    help="Listen at this port; 0: any.",
)
@click.option(
    "--servers",
    is_flag=True,
    help="Also carry out blocks of studies: start servers and change settings of this machine as they say.",
)
@click.option(
    "--scripts",
    is_flag=True,
    help="Also carry out scripts in Lua, which can do whatever this account can.",
)
@TOKEN
def agent(address: str, port: int, servers: bool, scripts: bool, token_file: Path | None) -> None:
    """Serve as the agent of this machine until Ctrl-C or SIGTERM.

    The agent starts an engine when a coordinator with the same token asks for it, and with --servers a lab
    for a block of a study. Both end with their coordinator: an engine 10 s after the last sign of it at the
    latest. What passes between them is encrypted by TLS 1.3.

    The token is worth as much as a shell of this account, also without --servers and --scripts: a job names
    files that an engine writes. Start the agent as an account that may not do more than it has to.

    \b
    Example:
      assay fleet agent
      assay fleet agent --address 192.0.2.11
      assay fleet agent --address 192.0.2.11 --servers
    """
    from assay.front.cli.clear_up import clear_up
    from assay.measurement.fleet import read_token, serve_agent, token_path
    from assay.measurement.run import BLOCK_COMMAND

    secret = read_token(token_file or token_path())
    clear_up()
    lab = BLOCK_COMMAND if servers else None
    serve_agent(address, port, secret, lab=lab, scripts=scripts, say=say)


@command.command("check")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--time",
    "seconds",
    type=Seconds(0),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Measure the ceiling of each host for so long, and of all together; 0: not at all.",
)
@click.option("--allow-same-machine", is_flag=True, help="Take hosts that are one machine.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx: click.Context, file: Path, seconds: float, allow_same_machine: bool, as_json: bool) -> None:
    """Ask every host of FILE what it is, how far its clock is, and how much its generator can drive.

    The ceiling is that of a server beside the generator which answers at once: no network is in it. The exit
    code is 6 if a load on these hosts would be refused.

    \b
    Example:
      assay fleet check fleet.toml
    """
    from assay.base.errors import InputError
    from assay.front.cli.fleet_view import as_record, as_text
    from assay.measurement.fleet import agents_of, check_fleet, read_fleet_file, read_token

    fleet = read_fleet_file(file)
    if fleet.backend == "local":
        raise InputError(f'{file}: backend = "local" has no other hosts to check', hint="run assay calibrate")
    loops = fleet.loops()
    checked = check_fleet(
        [(agent, loops.get(agent.host)) for agent in agents_of(fleet, fleet.hosts)],
        read_token(fleet.token_file),
        seconds=seconds,
        allow_same_machine=allow_same_machine,
    )
    if as_json:
        say_json(as_record(checked))
    else:
        say(as_text(checked))
    if checked.wrong:
        ctx.exit(6)
