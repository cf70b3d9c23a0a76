"""Every release of the catalogue, started for real: those that are unpacked here, or all with ASSAY_FLEET=1.

`assay server get` fills the cache; ASSAY_FLEET=1 fetches what is missing, which takes a network.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.folder.manifest import Scalar
from assay.server import Build, Instance, PrivateDir, fit_files, get_release, home, initialise
from assay.server.unpacked import find_unpacked
from assay.server.use import parse_use

_REAL_HOME = home()  # before the session gets a home of its own


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
    if find_unpacked(flavour.name, wanted) is None and os.environ.get("ASSAY_FLEET") != "1":
        pytest.skip(f"not here: assay server get {use}, or ASSAY_FLEET=1")
    return get_release(use)


@pytest.fixture(scope="module")
def member_server(member: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """It runs, with variables by names that not every version has, on redo files of another size."""
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
        with Instance(member, private.path / "data", settings, kept / "log", kept / "cnf") as server:
            yield server
            server.stop(clean=True)
