"""A data directory of a server that has stopped, taken as it is: of the same flavour and version, shut down
cleanly.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeGuard

from assay.base.errors import ConflictError, InputError, ServerError
from assay.design.folder import Scalar
from assay.design.plan import OwnData
from assay.design.study import DATADIR
from assay.system.server import Build, Instance, file_name, snapshot_copy

_LOCKED = ("ibdata1", "aria_log_control", "mysql.ibd")
"""Files that a living server holds locks on."""
_INFO = ("mariadb_upgrade_info", "mysql_upgrade_info", "mysql_upgrade_history")
_RECOVERED = re.compile(r"crash recovery|not shut ?down (normally|cleanly)|starting recovery", re.I)
_OF_SERVER_ALONE = ("auto.cnf", "*.pid", "*.sock", "*.sock.lock", "*.err", "mysqld-auto.cnf")
_ADMIT = {
    "mariadb": "ALTER USER 'root'@'localhost' IDENTIFIED VIA mysql_native_password USING PASSWORD('');",
    "": "ALTER USER 'root'@'localhost' IDENTIFIED BY '' ACCOUNT UNLOCK;",
}
"""By flavour, the statement that lets the lab log in to its copy."""


def is_directory(own: OwnData | None) -> TypeGuard[OwnData]:
    """Returns whether data of one's own are a data directory."""
    return own is not None and own.use.startswith(DATADIR)


def check_data_directory(own: OwnData, build: Build) -> None:
    """Raises an error for a directory in which a server lives, or that another flavour or version has
    written.
    """
    place = Path(own.place)
    if not (place / "mysql").is_dir() or not (place / "ibdata1").is_file():
        raise InputError(f"dataset.use: {place} is no data directory: it has no mysql/ and ibdata1")
    if own.database and not (place / (file_name(own.database) or own.database)).is_dir():
        known = ", ".join(sorted(one.name for one in place.iterdir() if one.is_dir()))
        raise InputError(f"dataset.database: {place} has no database {own.database}", hint=f"it has {known}")
    for name in _LOCKED:
        if (place / name).is_file() and _is_locked(place / name):
            raise ConflictError(
                f"dataset.use: a server lives in {place}: it holds {name}",
                hint="stop it, or copy a snapshot of the directory",
            )
    if (written := version_of(place)) is not None and written != build.version[: len(written)]:
        said = ".".join(map(str, written))
        raise InputError(
            f"dataset.use: version {said} has written {place}, and this server is {build}",
            hint="a data directory is taken by the version that wrote it; for others dump it",
        )


def version_of(place: Path) -> tuple[int, ...] | None:
    """Returns major and minor version of the server that has written a directory last; None where it does not
    say.
    """
    for name in _INFO:
        try:
            text = (place / name).read_text(errors="replace")
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InputError(f"dataset.use: cannot read {place / name}: {error.strerror or error}") from None
        if name == "mysql_upgrade_history":
            try:
                text = str(json.loads(text)["upgrade_history"][-1]["version"])
            except (ValueError, LookupError, TypeError):
                continue
        if found := re.match(r"(\d+)\.(\d+)", text):
            return int(found[1]), int(found[2])
    return None


def copy_data_directory(
    own: OwnData, build: Build, data_dir: Path, variables: Mapping[str, Scalar], records: Path
) -> list[str]:
    """Copies a directory, lets the lab's root log in, and proves by a start that it was shut down cleanly.
    Returns what is not known of it, in sentences.
    """
    check_data_directory(own, build)
    snapshot_copy(Path(own.place), data_dir)
    for pattern in _OF_SERVER_ALONE:
        for path in data_dir.glob(pattern):
            path.unlink()
    init = data_dir / "assay-init.sql"
    admit = _ADMIT.get(build.flavour_name, _ADMIT[""])
    init.write_text(
        "CREATE USER IF NOT EXISTS 'root'@'localhost';\n"
        f"{admit}\nGRANT ALL ON *.* TO 'root'@'localhost' WITH GRANT OPTION;\n"
        "FLUSH PRIVILEGES;\n"
    )
    log = records / "first-start.log"
    given = {**variables, "init_file": str(init), "event_scheduler": "OFF"}
    with Instance(build, data_dir, given, log, records / "first-start.cnf") as server:
        text = log.read_text(errors="replace")
        if found := _RECOVERED.search(text):
            raise ServerError(
                f"dataset.use: {own.place} was not shut down cleanly: the server says {found[0]!r}",
                hint="start its server, stop it with innodb_fast_shutdown = 0, and copy it again",
            )
        with closing(server.connect()):
            pass
        server.stop(clean=True, patience_s=600.0)
    init.unlink()
    if version_of(Path(own.place)) is None:
        return [f"which version wrote {own.place} is not known; this one has taken it"]
    return []


def _is_locked(path: Path) -> bool:
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"dataset.use: cannot read {path}: {error.strerror or error}") from None
    with file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return True
        except OSError as error:
            raise InputError(
                f"dataset.use: cannot see whether a server lives at {path}: {error.strerror or error}"
            ) from None
    return False
