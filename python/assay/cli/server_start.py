"""What `assay server` does with builds: finds them, and keeps a private instance in the foreground."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Sequence
from types import FrameType

import click

from assay.errors import HostError, InputError, ServerLost
from assay.server import DATABASE, Instance, PrivateDir, find_build, initialise, sweep_dead
from assay.server.flavour import FLAVOURS
from assay.study import Scalar
from assay.study.factor_names import check_variable_name
from assay.study.values import check_variable

_LOOK_AGAIN_S = 0.2


def found_builds() -> dict[str, dict[str, str]]:
    """What `use` may say -> version and binary; one build a flavour, the one that a study would get."""
    builds = {}
    for name in FLAVOURS:
        try:
            build = find_build(name)
        except HostError:
            continue
        builds[name] = {"version": build.version_number, "binary": str(build.mysqld)}
    return builds


def parse_settings(settings: Sequence[str]) -> dict[str, Scalar]:
    """`NAME=VALUE` texts as variables. Raises InputError for what a study would refuse too."""
    variables: dict[str, Scalar] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f'--set {text}: write NAME=VALUE, as in "innodb_io_capacity=2000"')
        try:
            check_variable_name(name)
            variables[name] = check_variable(int(value) if value.isdecimal() else value)
        except ValueError as error:
            raise InputError(f"--set {text}: {error}") from None
    return variables


def serve(use: str, port: int | None, variables: dict[str, Scalar]) -> None:
    """Runs until Ctrl-C or SIGTERM. Raises ServerLost when the server ends by itself."""
    build = find_build(use)
    sweep_dead()
    signal.signal(signal.SIGTERM, _interrupt)
    with PrivateDir() as private:
        data_dir = private.path / "data"
        click.echo(f"starting {build} …", err=True)
        initialise(build, data_dir)
        instance = Instance(
            build, data_dir, variables, private.path / "server.log", private.path / "kept.cnf", port
        )
        with instance:
            instance.verify()
            click.echo(_how_to_connect(instance))
            try:
                while instance.alive():
                    time.sleep(_LOOK_AGAIN_S)
            except KeyboardInterrupt:
                click.echo("stopping …", err=True)
                return
            raise ServerLost(f"{build} ended by itself", detail=instance.log_tail(20) or None)


def _how_to_connect(instance: Instance) -> str:
    client = next((name for name in ("mariadb", "mysql") if shutil.which(name)), "mysql")
    socket = instance.socket
    return (
        f"ready     pid {instance.pid}, user root, no password, database {DATABASE}\n"
        f"socket    {socket}\n"
        f"port      127.0.0.1:{instance.port}\n"
        f"client    {client} --socket={socket} --user=root {DATABASE}\n"
        f"bench     assay bench oltp_read_write prepare --socket {socket} --db {DATABASE}\n"
        "Ctrl-C stops it and removes its data."
    )


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
