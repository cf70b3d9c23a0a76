"""Reads this machine's facts, samples what it does beside the load, and changes settings that a study asks
for.

`SamplerSet([cpu(), memory(), disks(), pressure(), processes({"server": pid})], path_for).start()`
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.host import check, perf, volume
    from assay.system.host.aio import aio_contexts
    from assay.system.host.control_groups import own_groups, throttling
    from assay.system.host.facts import host_facts
    from assay.system.host.facts.memory import meminfo_bytes
    from assay.system.host.free_space import Space, space
    from assay.system.host.knob.registry import KNOBS
    from assay.system.host.knob.turning import Knobs, Turned, sweep_knobs, unavailable
    from assay.system.host.limits import Limits, own_limits
    from assay.system.host.listener import listeners, measured_here
    from assay.system.host.machine import Machine
    from assay.system.host.measuring import measuring, others_measuring
    from assay.system.host.mounts import Mount, mount_of, mounts
    from assay.system.host.neighbours import LookAround, Neighbours, warning_before
    from assay.system.host.privileges import lacks, may_raise_limits, obstacle_to_become, rights, standings
    from assay.system.host.program import sign
    from assay.system.host.sampler.canary import CanarySource as canary
    from assay.system.host.sampler.canary import noisy_canary
    from assay.system.host.sampler.cores import CoresSource as cores
    from assay.system.host.sampler.cpu import CpuSource as cpu
    from assay.system.host.sampler.disks import DisksSource as disks
    from assay.system.host.sampler.frequency import FrequencySource as frequency
    from assay.system.host.sampler.memory import MemorySource as memory
    from assay.system.host.sampler.network import NetworkSource as network
    from assay.system.host.sampler.others import OthersSource as others
    from assay.system.host.sampler.pressure import PressureSource as pressure
    from assay.system.host.sampler.processes import ProcessesSource as processes
    from assay.system.host.sampler.set import SamplerSet, SourceReport
    from assay.system.host.sampler.source import Source
    from assay.system.host.sampler.viewers import ViewersSource as viewers
    from assay.system.host.stack import disks_under
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "KNOBS",
    "Knobs",
    "Limits",
    "LookAround",
    "Machine",
    "Mount",
    "Neighbours",
    "SamplerSet",
    "Source",
    "SourceReport",
    "Space",
    "Turned",
    "aio_contexts",
    "canary",
    "check",
    "cores",
    "cpu",
    "disks",
    "disks_under",
    "frequency",
    "host_facts",
    "lacks",
    "listeners",
    "may_raise_limits",
    "measured_here",
    "measuring",
    "meminfo_bytes",
    "memory",
    "mount_of",
    "mounts",
    "network",
    "noisy_canary",
    "obstacle_to_become",
    "others",
    "others_measuring",
    "own_groups",
    "own_limits",
    "perf",
    "pressure",
    "processes",
    "rights",
    "sign",
    "space",
    "standings",
    "sweep_knobs",
    "throttling",
    "unavailable",
    "viewers",
    "volume",
    "warning_before",
]
