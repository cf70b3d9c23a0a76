"""Samples of a process's processor time by the kernel's perf events: recorded, read, and given the names of
functions, of stripped programs too.
"""

from assay.system.host.perf.demangling import demangled
from assay.system.host.perf.naming import FunctionNames, KernelSymbols, kernel_symbols
from assay.system.host.perf.perf_data import MappedFile, PerfData, read_perf_data
from assay.system.host.perf.readiness import profile_readiness
from assay.system.host.perf.recording import Recording

__all__ = [
    "FunctionNames",
    "KernelSymbols",
    "MappedFile",
    "PerfData",
    "Recording",
    "demangled",
    "kernel_symbols",
    "profile_readiness",
    "read_perf_data",
]
