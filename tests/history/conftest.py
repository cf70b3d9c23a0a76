"""Results of many builds, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from releases import make_releases


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten builds beside an old one: from the sixth on a tenth slower."""
    place = tmp_path_factory.mktemp("history")
    make_releases(place)
    return place
