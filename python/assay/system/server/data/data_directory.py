"""Makes data directories with system tables, a database `assay`, and root on socket and loopback without a
password.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from assay.base.errors import HostError, ServerError
from assay.design.folder import Scalar
from assay.design.study import option_text
from assay.system.server.data.space import require_space
from assay.system.server.flavour import Bootstrap, Initialize, InstallScript
from assay.system.server.process.instance import Instance
from assay.system.server.process.private import PrivateDir
from assay.system.server.process.program import give_to_server, require_reachable, run_tool
from assay.system.server.release.build import Build
from assay.system.server.variables.translate import NAMED_SWITCHES, settings

DATABASE = "assay"
"""The lab's own database."""
OF_SERVER = frozenset(("mysql", "sys", "performance_schema", "information_schema", "ndbinfo"))
"""Databases of the server itself, whose tables hold accounts and no data. The engine has the same list."""
HAS_ROWS = "table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')"
"""A condition of information_schema.tables: what is a table, and no view or sequence."""
_NEEDED_BYTES = 600 << 20  # redo log and system tablespace at their defaults, the largest flavour
_TIMEOUT_S = 300.0


def initialise(build: Build, data_dir: Path, variables: Mapping[str, Scalar] | None = None) -> None:
    """Makes `data_dir`, complete or not at all: it is built beside its place and renamed.

    `variables` are those with which a data directory is made (innodb_page_size, lower_case_table_names …).
    Raises HostError when the place is taken, full or out of reach, otherwise ServerError with the program's
    words.
    """
    data_dir = data_dir.absolute()
    if data_dir.exists() and any(data_dir.iterdir()):
        raise HostError(
            f"cannot create a data directory in {data_dir}: it is not empty", hint="remove it first"
        )
    require_reachable(data_dir.parent / "x", "the place for the data directory")
    require_space(data_dir, _NEEDED_BYTES, "a fresh data directory")
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    # Not a hidden name: MySQL 8 and later do not find their undo files in a directory that begins with a dot.
    building = Path(tempfile.mkdtemp(prefix=f"{data_dir.name}.building-", dir=data_dir.parent))
    try:
        give_to_server(building)
        system_tables(build, building, variables or {})
        _add_ours(build, building, variables or {})
        if data_dir.exists():
            data_dir.rmdir()
        os.rename(building, data_dir)  # noqa: PTH104 - atomic, both on one file system
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


def system_tables(build: Build, data_dir: Path, variables: Mapping[str, Scalar]) -> None:
    """Makes the system tables, in the first way of the flavour that this version supports and whose files
    exist.

    A server may not know the variables of plugins here, which it loads later. The first start tells those
    that no part of it knows.
    """
    options = [
        f"--loose-{one.name}={option_text(one.value)}"
        for one in settings(build, variables)
        if not one.is_bare and one.name not in NAMED_SWITCHES  # no binary log belongs to empty data
    ]
    tried: list[str] = []
    for way in build.flavour.ways:
        if not way.holds(build.version):
            continue
        match way:
            case InstallScript():
                script = _find(build, way.scripts)
                if script is None:
                    tried.append(f"{' or '.join(way.scripts)} in bin/ or scripts/ of {build.basedir}")
                    continue
                lacking = [tool for tool in way.tools if _find(build, (tool,)) is None]
                if lacking:
                    tried.append(f"{', '.join(lacking)}, which {script} needs")
                    continue
                command = [
                    str(script),
                    "--no-defaults",
                    f"--basedir={build.basedir}",
                    f"--datadir={data_dir}",
                ]
                return _run(build, [*command, *way.options, *options])
            case Initialize():
                return _run(build, [*_server(build, data_dir), *way.options, *options])
            case Bootstrap():
                files = [build.messages_dir / name for name in way.files] if build.messages_dir else []
                missing = [str(file) for file in files if not file.is_file()] or (
                    [] if files else list(way.files)
                )
                if missing:
                    tried.append(", ".join(missing))
                    continue
                return bootstrap(build, data_dir, files, options)
    raise HostError(
        f"{build} cannot make a data directory: its parts are missing",
        hint=f"{build.flavour.how_to_get}; or unpack the whole tarball",
        detail="looked for\n" + "\n".join(f"  {item}" for item in tried),
    )


def bootstrap(build: Build, data_dir: Path, files: list[Path], options: list[str]) -> None:
    """Feeds the system tables' SQL to the server, as old installation scripts do."""
    for name in ("mysql", "test"):
        (data_dir / name).mkdir(mode=0o700)
    give_to_server(data_dir)
    sql = b"use mysql;\n" + b"\n".join(file.read_bytes() for file in files)
    _run(build, [*_server(build, data_dir), "--bootstrap", *options], stdin=sql)
    (data_dir / "test").rmdir()


def _server(build: Build, data_dir: Path) -> list[str]:
    places = [f"--{name}={value}" for name, value in build.placement.items()]
    return [*build.command, "--no-defaults", *places, f"--datadir={data_dir}"]


def _run(build: Build, command: list[str], stdin: bytes | None = None) -> None:
    # Not /tmp: its temporary tables stay there when it is killed.
    with PrivateDir() as private:
        environment = {**build.environment, "TMPDIR": str(private.path)}
        done = run_tool(command, timeout_s=_TIMEOUT_S, stdin=stdin, environment=environment)
    if done.returncode != 0:
        words = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-20:])
        raise ServerError(
            f"{build} did not make its system tables (exit status {done.returncode})",
            hint="the command: " + " ".join(command),
            detail=words or None,
        )


def _find(build: Build, names: tuple[str, ...]) -> Path | None:
    places = [build.basedir / folder / name for folder in ("bin", "scripts") for name in names]
    return next((place for place in places if os.access(place, os.X_OK) and place.is_file()), None)


def _add_ours(build: Build, data_dir: Path, variables: Mapping[str, Scalar]) -> None:
    """Starts the server once to create the lab's database, in the same way for every version, and to prove
    that the directory works.
    """
    with PrivateDir() as private:
        server = Instance(
            build, data_dir, variables, private.records / "server.log", private.records / "kept.cnf"
        )
        with server, contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT User, Host FROM mysql.user WHERE User IN ('', 'root')")
            users = list(cursor.fetchall())
            for user, host in users:
                # Without name resolution localhost is the socket: nobody comes in over TCP.
                if user == "" or host != "localhost":
                    cursor.execute("DROP USER %s@%s", (user, host))
            cursor.execute(f"CREATE DATABASE {DATABASE}")
            server.stop(clean=True)
