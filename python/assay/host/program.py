"""Programs that show and change this machine.

Whoever changes it holds a lock. A program that we started holds it too: if we are killed, it may still be at
work, and nothing can be put back before it has ended.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from assay.errors import HostError

_TIMEOUT_S = 60
_held: set[int] = set()


def hold(lock: int) -> None:
    """From now on every program gets this descriptor."""
    _held.add(lock)


def let_go(lock: int) -> None:
    _held.discard(lock)


def run_program(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """To its end, whatever it says. HostError when it cannot be started, or takes longer than a minute."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,  # one that asks back gets no answer, and fails instead of waiting
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
            pass_fds=tuple(_held),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{' '.join(command)} failed: {error}") from error
