"""Native asynchronous I/O of a process. Source: /proc/PID/maps, /proc/PID/fd (proc(5), io_setup(2))."""

from __future__ import annotations

from assay.system.host.machine import Machine

_CONTEXT = "/[aio]"
_RING = "anon_inode:[io_uring]"


def aio_contexts(pid: int, machine: Machine | None = None) -> int | None:
    """Returns the AIO contexts and io_uring instances of a process; None when the kernel does not show
    them.
    """
    machine = machine or Machine()
    maps = machine.text(f"/proc/{pid}/maps")
    if maps is None:
        return None
    contexts = sum(_CONTEXT in line for line in maps.splitlines())
    return contexts + sum(
        _is_ring(machine, f"/proc/{pid}/fd/{fd}") for fd in machine.names(f"/proc/{pid}/fd")
    )


def _is_ring(machine: Machine, path: str) -> bool:
    try:
        return str(machine.path(path).readlink()) == _RING
    except OSError:  # closed meanwhile
        return False
