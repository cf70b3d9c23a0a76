"""What `assay server start` does: a private instance, kept here until Ctrl-C or by a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from types import FrameType

import msgspec

from assay.cli.clear_up import clear_up
from assay.errors import InputError, ServerLost
from assay.plan import Treatment
from assay.server import (
    DATABASE,
    Instance,
    PrivateDir,
    check_variables,
    find_build,
    fit_files,
    initialise,
)
from assay.server.process.started import Started, claim, record, started
from assay.source.placement import hosting, redo_bytes, volumes
from assay.study import Scalar
from assay.study.factor_names import check_level
from assay.study.values import DEFAULT_PLACE
from assay.terminal import say

_LOOK_AGAIN_S = 0.1


def serve(
    use: str,
    name: str | None,
    port: int | None,
    variables: dict[str, Scalar],
    given: Mapping[str, str | None],
) -> None:
    """Runs until Ctrl-C, SIGTERM or `assay server stop`. ServerLost when the server ends by itself.

    `given`: what the machine gives it, by the study's keys.
    """
    build = find_build(use)
    treatment = Treatment("by hand", {}, use, variables, "", {}, "auto", given=_checked(given))
    host, where = hosting(treatment, build), volumes(treatment)
    host.check()
    where.check(0, redo_bytes(treatment, None))
    clear_up()
    signal.signal(signal.SIGTERM, _interrupt)
    with PrivateDir() as private:
        entry = claim(private, name, build)
        check_variables(build, variables)
        data_dir = where.data_dir(private)
        say(f"starting {build} …", err=True)
        initialise(build, data_dir)
        fit_files(build, data_dir, variables)
        layout = where.place_logs(private, data_dir)
        log, options = private.records / "server.log", private.records / "kept.cnf"
        instance = Instance(build, data_dir, variables, log, options, port, host, layout)
        with instance:
            instance.verify()
            entry = msgspec.structs.replace(
                entry,
                state="ready",
                pid=instance.pid,
                socket=str(instance.socket),
                port=port,
                password_file=None if instance.password is None else _kept(private, instance.password),
            )
            record(private, entry)
            say(f"{how_to_connect(entry)}\nCtrl-C stops it and removes its data.")
            try:
                instance.wait()
            except KeyboardInterrupt:
                say("stopping …", err=True)
                return
            reason = instance.over_memory()
            raise ServerLost(reason or f"{build} ended by itself", detail=instance.log_tail(20) or None)


def _kept(private: PrivateDir, password: str) -> str:
    """The file that holds it, which nobody else may read."""
    path = private.records / "password"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(handle, "w") as file:  # noqa: PTH123 - a handle
        file.write(f"{password}\n")
    return str(path)


def _checked(given: Mapping[str, str | None]) -> dict[str, Scalar]:
    told = {key: value for key, value in given.items() if value is not None}
    for key, value in told.items():
        try:
            check_level(f"server.{key}", value)
        except ValueError as error:
            raise InputError(f"--{key.replace('_', '-')}: {error}") from None
    return {key: value for key, value in told.items() if value != DEFAULT_PLACE}


def serve_in_background(use: str, name: str | None, arguments: Sequence[str]) -> Started:
    """Lets a process of its own `serve`, and returns when the server is ready.

    A server always has a living keeper, so that no sweep needs to guess whether it is still wanted. What
    the keeper says when it cannot start goes to standard error, and its exit code is ours.
    """
    find_build(use)  # said here rather than by the keeper
    words = [*arguments, *(["--name", name] if name else [])]
    with tempfile.TemporaryFile() as said:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "assay.cli", "server", "start", use, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
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
        sys.exit(keeper.returncode)


def how_to_connect(entry: Started) -> str:
    """Lines to copy from."""
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
