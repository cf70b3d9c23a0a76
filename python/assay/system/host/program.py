"""Starts the programs that show and change settings of this machine.

A process that changes settings holds a lock. Each program that it starts holds the lock too, since it may
outlive its killed parent, and no setting can be restored before it has ended.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from assay.base.errors import HostError

_held: set[int] = set()
_signature: dict[str, str] = {}


def hold(lock: int) -> None:
    """Passes this descriptor to every program that is started from now on."""
    _held.add(lock)


def let_go(lock: int) -> None:
    _held.discard(lock)


def sign(environment: Mapping[str, str]) -> None:
    """Adds these variables to the environment of every program from now on, so that its owner is known after
    a kill.
    """
    _signature.update(environment)


def run_program(command: Sequence[str], *, timeout_s: float = 60.0) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end. Raises HostError when it cannot be started or takes longer than
    `timeout_s`.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,  # one that asks back gets no answer, and fails instead of waiting
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            pass_fds=tuple(_held),
            env={**os.environ, **_signature},
        )
    except OSError as error:
        raise HostError(f"{' '.join(command)} failed: {error}") from error
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired as error:
        process.kill()  # and is not waited for: the kernel may hold it for ever
        raise HostError(f"{' '.join(command)} failed: {error}") from error
    except BaseException:
        process.kill()
        raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)
