from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Shell


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def private_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An ASSAY_HOME of the test's own, in a place that an unprivileged server may enter."""
    home = Path(tempfile.mkdtemp(prefix="assay-home-"))
    home.chmod(0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))
    yield home
    shutil.rmtree(home)
