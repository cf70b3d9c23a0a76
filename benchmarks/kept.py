"""Has the engine of an earlier commit, which today's stands beside."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from assay.base.errors import HostError

COMMIT = "cda0235d"
"""The commit that today's engine may not fall behind: that of the last release, once there is one."""

_ROOT = Path(__file__).parent.parent


@cache
def kept_engine() -> Path:
    """Returns the engine of that commit, built once as today's is. Raises HostError where it cannot be
    built.
    """
    made = subprocess.run(
        [_ROOT / "scripts" / "kept-engine", COMMIT], stdout=subprocess.PIPE, text=True, check=False
    )
    if made.returncode != 0:
        raise HostError(f"the engine of {COMMIT} was not built", hint=f"run scripts/kept-engine {COMMIT}")
    return Path(made.stdout.strip())


def version() -> str:
    """Names what today's engine stands beside."""
    return f"the engine of {COMMIT}"
