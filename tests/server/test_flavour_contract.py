"""Every flavour keeps the contract of flavours."""

from __future__ import annotations

import pytest
from assay.system.server.flavour import FLAVOURS
from assay.testing.contracts import FlavourContract


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
class TestFlavours(FlavourContract):
    pass
