"""Where datasets, private servers and other things that outlive one command are kept."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """`$ASSAY_HOME`; else `/var/lib/assay` for root; else `$XDG_CACHE_HOME/assay` (`~/.cache/assay`).

    Root does not use its own home: servers run as another user, who cannot enter it.
    The directory is made by whoever first writes into it.
    """
    chosen = os.environ.get("ASSAY_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if os.geteuid() == 0:
        return Path("/var/lib/assay")
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "assay"
