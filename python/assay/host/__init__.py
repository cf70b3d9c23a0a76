"""This machine: what it is (facts), and what it does beside the load (samplers).

`SamplerSet([cpu(), memory(), disks(), pressure(), processes({"server": pid})], path_for).start()`
"""

from typing import TYPE_CHECKING

from assay.host.measuring import measuring, others_measuring
from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.host.facts import host_facts
    from assay.host.knob.turning import Knobs, Turned, sweep_knobs, unavailable
    from assay.host.listener import listeners, measured_here
    from assay.host.machine import Machine
    from assay.host.sampler.canary import CanarySource as canary
    from assay.host.sampler.cores import CoresSource as cores
    from assay.host.sampler.cpu import CpuSource as cpu
    from assay.host.sampler.disks import DisksSource as disks
    from assay.host.sampler.frequency import FrequencySource as frequency
    from assay.host.sampler.memory import MemorySource as memory
    from assay.host.sampler.network import NetworkSource as network
    from assay.host.sampler.others import OthersSource as others
    from assay.host.sampler.pressure import PressureSource as pressure
    from assay.host.sampler.processes import ProcessesSource as processes
    from assay.host.sampler.set import SamplerSet, SourceReport
    from assay.host.sampler.source import Source
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Knobs",
    "Machine",
    "SamplerSet",
    "Source",
    "SourceReport",
    "Turned",
    "canary",
    "cores",
    "cpu",
    "disks",
    "frequency",
    "host_facts",
    "listeners",
    "measured_here",
    "measuring",
    "memory",
    "network",
    "others",
    "others_measuring",
    "pressure",
    "processes",
    "sweep_knobs",
    "unavailable",
]
