"""Finds the directory for datasets, private servers and other things that outlive one command."""

from __future__ import annotations

import os
from pathlib import Path

from assay.base.errors import HostError


def home() -> Path:
    """Returns `$ASSAY_HOME`; without it, `/var/lib/assay` for root, otherwise `$XDG_CACHE_HOME/assay`
    (`~/.cache/assay`).

    Root does not use its own home directory: servers run as another user, who cannot enter it. The directory
    is created by its first writer. Raises HostError for a user without a home directory.
    """
    chosen = os.environ.get("ASSAY_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if os.geteuid() == 0:
        return Path("/var/lib/assay")
    cache = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(cache) if cache else Path.home() / ".cache") / "assay"
    except RuntimeError:  # a container's user without an entry in passwd, and without HOME
        raise HostError(
            f"user {os.geteuid()} has no home directory",
            hint="set ASSAY_HOME to a folder of yours, on the disk to be measured",
        ) from None
