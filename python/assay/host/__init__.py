"""Reads this machine's facts, samples what it does beside the load, and changes settings that a study asks
for.

`SamplerSet([cpu(), memory(), disks(), pressure(), processes({"server": pid})], path_for).start()`
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.host import check, volume
    from assay.host.aio import aio_contexts
    from assay.host.facts import host_facts
    from assay.host.facts.cgroup import own_groups
    from assay.host.facts.memory import meminfo_bytes
    from assay.host.knob.registry import KNOBS
    from assay.host.knob.turning import Knobs, Turned, sweep_knobs, unavailable
    from assay.host.limits import Limits, own_limits
    from assay.host.listener import listeners, measured_here
    from assay.host.machine import Machine
    from assay.host.measuring import measuring, others_measuring
    from assay.host.mounts import Mount, mount_of, mounts
    from assay.host.neighbours import Neighbours, warning_before
    from assay.host.privileges import may_raise_limits, obstacle_to_become
    from assay.host.program import sign
    from assay.host.sampler.canary import CanarySource as canary
    from assay.host.sampler.canary import noisy_canary
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
    from assay.host.sampler.viewers import ViewersSource as viewers
    from assay.host.stack import disks_under
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "KNOBS",
    "Knobs",
    "Limits",
    "Machine",
    "Mount",
    "Neighbours",
    "SamplerSet",
    "Source",
    "SourceReport",
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
    "pressure",
    "processes",
    "sign",
    "sweep_knobs",
    "unavailable",
    "viewers",
    "volume",
    "warning_before",
]
