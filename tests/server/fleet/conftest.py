"""Every release of the catalogue, started for real, as far as it is unpacked here (`assay server get`).

ASSAY_FLEET=1 fetches what is missing, some 600 MB, and fails where that fails. ASSAY_FLEET=small fetches what
is small and skips what cannot be fetched, with the reason: for machines that may have no network.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, Instance, PrivateDir, fit_files, get_release, home, initialise
from assay.system.server.process.port import LOOPBACK
from assay.system.server.release import client
from assay.system.server.release.unpacked import find_unpacked
from assay.system.server.release.use import parse_use

SMALL_MB = 35
OF_MAKE_TEST = {"mysql@5.6.24", "mariadb@10.11"}
"""One release of each flavour, both small; the former is old enough to lack features."""
PATIENCE_S = 120.0

_not_to_be_had: dict[str, str] = {}
_REAL_HOME = home()  # before the session gets a home of its own


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leaves the tests of most releases to `make test-all`."""
    if isinstance(item, pytest.Function) and item.callspec.params["member"] not in OF_MAKE_TEST:
        item.add_marker("long")


@pytest.fixture(scope="module")
def fleet_home(assay_home: Path) -> Iterator[Path]:
    """A home whose servers are the real cache: private servers of tests stay out of it.

    For one module only: whatever else runs in this session must not meet the real cache.
    """
    path = Path(tempfile.mkdtemp(prefix="assay-fleet-"))
    path.chmod(0o755)
    (_REAL_HOME / "servers").mkdir(parents=True, exist_ok=True)
    (path / "servers").symlink_to(_REAL_HOME / "servers")
    os.environ["ASSAY_HOME"] = str(path)
    yield path
    os.environ["ASSAY_HOME"] = str(assay_home)
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def member(request: pytest.FixtureRequest, fleet_home: Path) -> Build:
    """The build of one release."""
    use: str = request.param
    flavour, wanted = parse_use(use)
    release, mode = flavour.release(wanted), os.environ.get("ASSAY_FLEET")
    assert release is not None
    if find_unpacked(flavour.name, wanted) is None and mode != "1":
        if mode != "small" or release.megabytes > SMALL_MB:
            pytest.skip(f"not here: assay server get {use}, or ASSAY_FLEET=1")
        _try_to_fetch(use)
        if use in _not_to_be_had:
            pytest.skip(f"{use} cannot be fetched: {_not_to_be_had[use]}")
    return get_release(use)


def _try_to_fetch(use: str) -> None:
    """Once, and not for long: a network that answers nothing must not hold the whole suite up."""
    if use in _not_to_be_had:
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client, "_TIMEOUT_S", PATIENCE_S)
        try:
            get_release(use)
        except HostError as error:
            _not_to_be_had[use] = error.message


@pytest.fixture(scope="module")
def member_server(member: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """The server runs, with variables by names that not every version has, on redo files of another size."""
    kept = tmp_path_factory.mktemp("fleet")
    settings: dict[str, Scalar] = {
        "innodb_buffer_pool_size": "64M",
        "innodb_doublewrite": False,
        "innodb_redo_log_capacity": "96M",
        "transaction_isolation": "READ-COMMITTED",
    }
    with PrivateDir() as private:
        initialise(member, private.path / "data")
        fit_files(member, private.path / "data", settings)
        files = (kept / "log", kept / "cnf")
        with Instance(member, private.path / "data", settings, *files, listen=LOOPBACK) as server:
            yield server
            server.stop(clean=True)
