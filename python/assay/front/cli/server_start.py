"""Carries out `assay server start`: keeps a private server until Ctrl-C, here or in a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from types import FrameType

import msgspec

from assay.base.errors import InputError
from assay.design.study import DEFAULT_PLACE, Scalar, check_level
from assay.experiments.lab import keep_server
from assay.front.terminal import say, say_json
from assay.system.server import DATABASE, find_only_build
from assay.system.server.process import Started, started

_LOOK_AGAIN_S = 0.1


def serve(
    use: str,
    name: str | None,
    port: int | None,
    variables: dict[str, Scalar],
    given: Mapping[str, str | None],
    *,
    as_json: bool = False,
) -> None:
    """Runs a server until Ctrl-C, SIGTERM or `assay server stop`. Raises ServerLost when it ends by itself.

    `given`: resources of the machine for it, by the study's keys of `[server]`.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    keep_server(
        use,
        name=name,
        port=port,
        variables=variables,
        given=_checked(given),
        note=partial(say, err=True),
        ready=lambda entry: say_ready(entry, "Ctrl-C stops it and removes its data.", as_json=as_json),
    )


def _checked(given: Mapping[str, str | None]) -> dict[str, Scalar]:
    told = {key: value for key, value in given.items() if value is not None}
    for key, value in told.items():
        try:
            check_level(f"server.{key}", value)
        except ValueError as error:
            raise InputError(f"--{key.replace('_', '-')}: {error}") from None
    return {f"server.{key}": value for key, value in told.items() if value != DEFAULT_PLACE}


def serve_in_background(
    use: str, name: str | None, arguments: Sequence[str], *, as_json: bool = False
) -> Started:
    """Starts a process that runs `serve`, and returns when the server is ready.

    A server always has a living keeper, so that no sweep needs to guess whether it is still wanted. The
    keeper's errors go to standard error, and with `as_json` their object to standard output; its exit code
    becomes this command's.
    """
    find_only_build(use)  # said here rather than by the keeper
    words = [*arguments, *(["--name", name] if name else []), *(["--json"] if as_json else [])]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as printed:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "assay.front.cli", "server", "start", use, *words],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=said,
            start_new_session=True,
        )
        try:
            while keeper.poll() is None:
                for entry in started():
                    if entry.keeper == keeper.pid and entry.state == "ready":
                        return entry
                time.sleep(_LOOK_AGAIN_S)
        except BaseException:
            os.kill(keeper.pid, signal.SIGTERM)
            keeper.wait()
            raise
        said.seek(0)
        say(said.read().decode(errors="replace"), err=True, newline=False)
        printed.seek(0)
        say(printed.read().decode(errors="replace"), newline=False)
        sys.exit(keeper.returncode)


def say_ready(entry: Started, end: str, *, as_json: bool) -> None:
    """Prints how to connect to a server that is ready, and how it ends; for programs its record."""
    if as_json:
        say_json({**msgspec.structs.asdict(entry), "database": DATABASE, "user": "root"})
    else:
        say(f"{how_to_connect(entry)}\n{end}")


def how_to_connect(entry: Started) -> str:
    """Returns lines with the commands to connect."""
    client = next((name for name in ("mariadb", "mysql") if shutil.which(name)), "mysql")
    return (
        f"ready     {entry.name}: pid {entry.pid}, root without a password, database {DATABASE}\n"
        f"socket    {entry.socket}\n"
        f"{_over_tcp(entry)}"
        f"client    {client} --no-defaults --socket={entry.socket} --user=root {DATABASE}\n"
        f"bench     assay bench oltp_read_write prepare --socket {entry.socket} --db {DATABASE}"
    )


def _over_tcp(entry: Started) -> str:
    if entry.port is None:
        return ""
    return (
        f"port      127.0.0.1:{entry.port}\n"
        f"password  there: export ASSAY_PASSWORD=$(cat {entry.password_file})\n"
    )


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
