"""Samples of a process's processor time and its context switches by perf events: recorded, read, and
given the names of functions, of stripped programs too.
"""

from assay.system.host.perf.demangling import demangled
from assay.system.host.perf.mapped import MappedFile, begins_threads
from assay.system.host.perf.naming import KERNEL, FunctionNames, KernelSymbols, kernel_symbols
from assay.system.host.perf.perf_data import PerfData
from assay.system.host.perf.readiness import profile_readiness
from assay.system.host.perf.recording import StackRecording, started_recording
from assay.system.host.perf.schedule import Scheduled, ScheduleReading, read_schedule
from assay.system.host.perf.switch_recording import SwitchRecording
from assay.system.host.perf.switch_records import FrameNames, Leaving, switch_records
from assay.system.host.perf.thread_times import Recorded, switch_profile

__all__ = [
    "KERNEL",
    "FrameNames",
    "FunctionNames",
    "KernelSymbols",
    "Leaving",
    "MappedFile",
    "PerfData",
    "Recorded",
    "ScheduleReading",
    "Scheduled",
    "StackRecording",
    "SwitchRecording",
    "begins_threads",
    "demangled",
    "kernel_symbols",
    "profile_readiness",
    "read_schedule",
    "started_recording",
    "switch_profile",
    "switch_records",
]
