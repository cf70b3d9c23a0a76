"""Says what this machine lacks for profiles of servers."""

from __future__ import annotations

import shutil
from pathlib import Path

from assay.system.host.perf.naming import kernel_symbols
from assay.system.host.perf.program import INSTALL
from assay.system.host.perf.unwinding import machine_registers
from assay.system.host.privileges import lacks


def profile_readiness() -> tuple[str, str | None]:
    """Returns what a profile of a server can see here, and what would make it complete; None: nothing."""
    program, lacking = shutil.which("perf"), lacks("perf")
    if not Path("/proc/sys/kernel/perf_event_paranoid").exists():
        return "this kernel has no perf events: no stacks", "run on the machine itself"
    if program is None:
        without = "no stacks and no switches" if lacking or machine_registers() is None else "no switches"
        return f"perf is not installed: {without}", INSTALL
    if lacking is not None:
        return f"{program}, without the kernel's part at best: it {lacking}", lacking.privilege.otherwise
    if not kernel_symbols().starts:
        return (
            f"{program}, without names of the kernel's functions",
            "set kernel.kptr_restrict to 0",
        )
    return f"{program}, kernel included", None
