"""What tests share: a home of their own for servers, and one real MariaDB for the whole session.

`make test` gives the tests to several processes (pytest-xdist). Each has a home, a server and notes of knobs
of its own. A file goes to one of them as a whole, and so do all tests that are marked `machine`.

Nothing is imported here that most tests do without: a room's own tests start in a second.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unsynced import skip_syncs

if TYPE_CHECKING:
    from assay.system.server import Build, Instance


pytest_plugins = ("tiers",)

skip_syncs()
# As many processes compute as there are processors: threads of theirs would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What is collected stays, so a walk through it finds nothing: that takes a tenth of collecting.
gc.disable()

_SERVER = {"mariadb", "mariadb_build", "fresh_data"}
"""The fixtures of a real server; a test with one is `live`, whether it says so or not."""


_OF_LONG = 40
"""What a test that is marked `long` counts in the size of a group: it takes seconds."""

_SHARED = "TESTS_SHARED"
"""The variable with the folder of what the homes of all processes share."""


def pytest_configure(config: pytest.Config) -> None:
    """Limits the tests of `make quick`. Makes the folder of what the homes of all processes share."""
    if os.environ.get("ASSAY_EXAMPLES") == "quick":
        from quick import Quick

        config.pluginmanager.register(Quick(config))
    if not hasattr(config, "workerinput"):
        # Not under tmp_path: servers of root run as another user.
        os.environ[_SHARED] = tempfile.mkdtemp(prefix="assay-tests-")
        Path(os.environ[_SHARED]).chmod(0o755)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes that folder."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(_SHARED, ""), ignore_errors=True)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the tests that need a server. In a process of several: what stays together, and in which order
    the groups are begun.

    What the machine has one of comes first: these tests run one after another. Groups that start servers or a
    browser mostly wait, and all others compute; they are mixed, so that both goes on at any time. The last
    fifth is of those that compute. Of each kind the largest begin first: no process is left with a long group
    at the end.
    """
    for item in items:
        if not _SERVER.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("live")
    if not hasattr(config, "workerinput"):
        return
    waiting = [any(map(item.get_closest_marker, ("machine", "live", "browser"))) for item in items]
    groups = _groups(items, waiting)
    sizes: dict[str, int] = {}
    waits: dict[str, bool] = {}
    for item, group, is_waiting in zip(items, groups, waiting, strict=True):
        item.add_marker(pytest.mark.xdist_group(group))
        sizes[group] = sizes.get(group, 0) + (_OF_LONG if item.get_closest_marker("long") else 1)
        waits[group] = waits.get(group, False) or is_waiting
    places: dict[str, float] = {}
    for share, kind in ((0.8, True), (1.0, False)):
        names = [group for group in sorted(sizes, key=lambda one: -sizes[one]) if waits[group] is kind]
        places |= {group: share * at / len(names) for at, group in enumerate(names)}
    places["machine"] = -1.0
    order = sorted(range(len(items)), key=lambda at: places[groups[at]])
    items[:] = [items[at] for at in order]


def _groups(items: list[pytest.Item], waiting: list[bool]) -> list[str]:
    """Returns the group of each test: that of the machine, its file, or its room.

    Files that share what their room makes once for a process stay together, or each process would make it.
    Those that wait do not: there are servers and pages enough for several processes to wait for.
    """
    names = ["machine" if item.get_closest_marker("machine") else item.path.stem for item in items]
    not_of_rooms = {name for name, is_waiting in zip(names, waiting, strict=True) if is_waiting}
    rooms = {
        name: f"room-{item.path.parent.name}"
        for item, name in zip(items, names, strict=True)
        if name not in not_of_rooms and _is_of_room(item)
    }
    return [rooms.get(name, name) for name in names]


def _is_of_room(item: pytest.Item) -> bool:
    """Returns whether a test uses what the conftest.py of its folder makes once for all tests."""
    if not isinstance(item, pytest.Function):
        return False
    room = item.nodeid.partition("::")[0].rpartition("/")[0]
    return any(
        of[-1].scope == "session" and of[-1].baseid == room
        for of in item._fixtureinfo.name2fixturedefs.values()
    )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stops a process of several whose tests do not stay together: machine-wide ones would meet."""
    if hasattr(session.config, "workerinput") and any("@" not in item.nodeid for item in session.items):
        pytest.exit("pytest-xdist does not see its groups in this version of pytest", returncode=4)
    # Thousands of tests and all modules stay to the end: the collector need not walk them again and again.
    gc.collect()
    gc.freeze()
    gc.enable()
    # When Python itself ends, the collector sees all again, for libraries that complain of what is left.
    # Before that, pytest has it walk five times.
    atexit.register(gc.unfreeze)


@pytest.fixture(scope="session", autouse=True)
def assay_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`$ASSAY_HOME` of the session. Not under tmp_path: servers of root run as another user.

    Datasets, drawn charts and what servers have answered are kept for all processes of the tests, which need
    many of the same.
    """
    path = Path(tempfile.mkdtemp(prefix="assay-test-"))
    path.chmod(0o755)
    together = tmp_path_factory.getbasetemp().parent
    of_servers = Path(os.environ[_SHARED])
    for shared in (of_servers / "answers", of_servers / "datasets", together / "pictures"):
        shared.mkdir(exist_ok=True)
        (path / shared.name).symlink_to(shared)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ASSAY_HOME", str(path))
        # A command of one process of tests must not put back what a killed one of another's has turned.
        environment.setenv("ASSAY_KNOBS", str(path / "knobs"))
        if "PYTEST_XDIST_WORKER" in os.environ:  # the folder above is of these processes alone
            environment.setenv("TESTS_TOGETHER", str(together))
        yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def undrawn() -> Iterator[None]:
    """Leaves all pictures of a test blank. Fixtures of several tests are made before it."""
    from undrawn import no_pictures

    with no_pictures():
        yield


@pytest.fixture(scope="session")
def mariadb_build(assay_home: Path) -> Build:
    """The MariaDB of this machine. HostError, not a skip, when there is none: it says how to get it."""
    from assay.system.server import find_build

    return find_build("mariadb")


@pytest.fixture(scope="session")
def fresh_data(mariadb_build: Build, assay_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory as `initialise` leaves it. Copy it (`snapshot_copy`), do not start on it."""
    from assay.system.server import initialise, snapshot_copy
    from together import made_once

    def make(place: Path) -> None:
        first = assay_home / "fresh"  # where the server's user can go
        initialise(mariadb_build, first)
        snapshot_copy(first, place / "data")
        # A hundred megabytes of zeros need not be copied for each server.
        subprocess.run(["fallocate", "--dig-holes", place / "data/ib_logfile0"], check=False)

    return made_once(tmp_path_factory, "fresh", make) / "data"


@pytest.fixture(scope="session")
def mariadb(mariadb_build: Build, fresh_data: Path, assay_home: Path) -> Iterator[Instance]:
    """A running MariaDB with an empty database `assay`. Leave it as it was found."""
    from assay.system.server import Instance
    from assay.system.server.process.port import LOOPBACK

    data = assay_home / "shared-data"
    shutil.copytree(fresh_data, data)
    settings = {"innodb_buffer_pool_size": "64M", "innodb_flush_log_at_trx_commit": 0}
    log = assay_home / "shared"
    files = (log / "server.log", log / "my.cnf")
    with Instance(mariadb_build, data, settings, *files, listen=LOOPBACK) as server:
        yield server
