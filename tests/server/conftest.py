"""Servers of one test."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, Instance, PrivateDir, snapshot_copy


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fleet: starts a server of the catalogue, which must be here already")


@pytest.fixture
def new(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> Iterator[Callable[..., Instance]]:
    """Makes a server on a fresh copy, not started; server and copy go when the test ends."""
    number = itertools.count(1)
    with PrivateDir() as private, contextlib.ExitStack() as stack:

        def make(
            variables: dict[str, Scalar] | None = None, port: int | None = None, listen: str | None = None
        ) -> Instance:
            data = private.path / f"data-{next(number)}"
            snapshot_copy(fresh_data, data)
            log, options = tmp_path / "server.log", tmp_path / "my.cnf"
            server = Instance(mariadb_build, data, variables or {}, log, options, port, listen=listen)
            stack.callback(server.stop)
            return server

        yield make
