"""Finds the directory for datasets, private servers and other things that outlive one command."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """Returns `$ASSAY_HOME`; without it, `/var/lib/assay` for root, otherwise `$XDG_CACHE_HOME/assay`
    (`~/.cache/assay`).

    Root does not use its own home directory: servers run as another user, who cannot enter it. The directory
    is created by its first writer.
    """
    chosen = os.environ.get("ASSAY_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if os.geteuid() == 0:
        return Path("/var/lib/assay")
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "assay"
