"""Every knob that is a file of the kernel keeps the contract of knobs, on a made-up machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.system.host import Machine
from assay.system.host.knob.knob import Knob
from assay.system.host.knob.registry import KNOBS
from assay.testing.contracts import KnobContract
from big_machine import VOLUME

VALUES = {
    "block.scheduler": "kyber",
    "block.rotational": "1",
    "block.read_ahead_kb": "64",
    "block.nr_requests": "32",
    "block.rq_affinity": "2",
    "vm.dirty_ratio": "33",
}


@pytest.mark.parametrize(("name", "value"), VALUES.items())
class TestKnobs(KnobContract):
    @pytest.fixture
    def knob(self, name: str) -> Knob:
        return KNOBS[name]

    @pytest.fixture
    def machine(self, big: Machine) -> Machine:
        return big

    @pytest.fixture
    def data(self) -> Path:
        return VOLUME
