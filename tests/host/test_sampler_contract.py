"""Every sampler keeps the contract of samplers, on this machine or on one that has what it reads."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from assay.design.folder import ResultsFolder
from assay.system.host import (
    Machine,
    Source,
    canary,
    cores,
    cpu,
    disks,
    memory,
    network,
    pressure,
    processes,
    viewers,
)
from assay.testing.contracts import SamplerContract

MAKERS: dict[str, Callable[[Machine], Source]] = {
    "canary": lambda _: canary(),
    "cores": cores,
    "cpu": cpu,
    "disks": disks,
    "memory": memory,
    "network": lambda _: network(),
    "pressure": pressure,
    "viewers": lambda machine: viewers(ResultsFolder(machine.root), machine),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
class TestSamplers(SamplerContract):
    @pytest.fixture
    def source(self, make: Callable[[Machine], Source], machine: Callable[[str], Machine]) -> Source:
        return make(machine("vm"))


class TestSamplerOfProcesses(SamplerContract):
    @pytest.fixture
    def source(self) -> Source:
        return processes({"server": os.getpid()})
