"""Reads whether a process has its addresses drawn anew at each start (ASLR)."""

from __future__ import annotations

from pathlib import Path

_RANDOMIZE = Path("/proc/sys/kernel/randomize_va_space")
_NO_RANDOMIZE = 0x0040000
"""The bit of a process's personality that `setarch -R`, and debuggers, set."""


def fixed_addresses(pid: int) -> str | None:
    """Returns why a process has the same addresses at each start; None where it has not, or nobody knows."""
    if _read(_RANDOMIZE) == "0":
        return "kernel.randomize_va_space is 0"
    personality = _read(Path(f"/proc/{pid}/personality"))
    if personality and int(personality, 16) & _NO_RANDOMIZE:
        return "its personality has ADDR_NO_RANDOMIZE, as setarch -R sets it"
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
