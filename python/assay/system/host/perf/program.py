"""The program perf: found, started, and its refusals."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from assay.base.errors import HostError
from assay.base.printable import line
from assay.base.privileges import Lacking, PrivilegeError, refused, speaks_of_rights

INSTALL = (
    "install it: apt-get install linux-perf on Debian, linux-tools-$(uname -r) on Ubuntu, perf elsewhere"
)
_REASON_CHARACTERS = 300


def perf_program() -> str:
    """Returns the path of perf. Raises HostError where it is not installed."""
    found = shutil.which("perf")
    if found is None:
        raise HostError("perf is not installed", hint=INSTALL)
    return found


def started(
    command: Sequence[str],
    *,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.PIPE,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Starts perf without a person's own settings of it. Raises HostError when it cannot be started."""
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            pass_fds=tuple(pass_fds),
            env={**os.environ, "PERF_CONFIG": os.devnull, "LC_ALL": "C"},
            start_new_session=True,  # a terminal's Ctrl-C ends the load first
        )
    except OSError as error:
        raise HostError(f"perf cannot be started: {error.strerror}") from error


def complaint(process: subprocess.Popen[bytes]) -> str:
    """Returns the words with which perf ended, in one line."""
    assert process.stderr is not None
    said = process.stderr.read().decode(errors="replace")
    words = " ".join(said.split()) or f"it ended with exit code {process.returncode}"
    return line(words, _REASON_CHARACTERS)


def refusal(said: str, lacking: Lacking | None) -> HostError:
    """Returns the error for what perf complained of; `lacking` is the privilege that the process lacks."""
    if lacking is not None:
        return PrivilegeError("a profile of the server", lacking, detail=said)
    if speaks_of_rights(said):
        why = "the kernel or a filter of system calls refuses it, as in most containers"
        return PrivilegeError("a profile of the server", refused("perf", why), detail=said)
    return HostError(f"perf record failed: {said}")
