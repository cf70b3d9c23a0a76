"""Keeps a private server apart from any study until somebody ends it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import msgspec

from assay.base.errors import ServerLost
from assay.design.plan import Treatment
from assay.design.study import Scalar
from assay.measurement.run import sweep
from assay.measurement.source import hosting, redo_bytes, volumes
from assay.system.server import Instance, PrivateDir, check_variables, find_only_build, fit_files, initialise
from assay.system.server.process import Started, claim, record


def keep_server(
    use: str,
    *,
    name: str | None,
    port: int | None,
    variables: Mapping[str, Scalar],
    given: Mapping[str, Scalar],
    note: Callable[[str], None],
    ready: Callable[[Started], None],
) -> None:
    """Starts a server on an empty data directory, which is removed when it stops, and stays until Ctrl-C.

    `given`: resources of the machine for it, by the study's keys, such as `server.cpus`. `note` is called
    with every step; `ready`, once, with how to reach the server. Raises ServerLost when the server ends by
    itself.
    """
    build = find_only_build(use)
    treatment = Treatment("by hand", {}, use, dict(variables), "", {}, "auto", given=dict(given))
    host, where = hosting(treatment, build), volumes(treatment)
    host.check()
    where.check(0, redo_bytes(treatment, None))
    for line in sweep():
        note(line)
    with PrivateDir() as private:
        entry = claim(private, name, build)
        check_variables(build, variables)
        data_dir = where.data_dir(private)
        note(f"starting {build} …")
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
            ready(entry)
            try:
                instance.wait()
            except KeyboardInterrupt:
                note("stopping …")
                return
            reason = instance.over_memory()
            raise ServerLost(reason or f"{build} ended by itself", detail=instance.log_tail(20) or None)


def _kept(private: PrivateDir, password: str) -> str:
    """Writes the password into a file that nobody else may read, and returns its path."""
    path = private.records / "password"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(handle, "w") as file:  # noqa: PTH123 - a handle
        file.write(f"{password}\n")
    return str(path)
