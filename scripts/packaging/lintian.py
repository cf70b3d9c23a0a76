"""Asks lintian, the checker of Debian's policy, about a package."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from scripts.packaging.chroot import NotHere


def errors_of(package: Path) -> list[str]:
    """Returns what lintian calls errors. Raises NotHere where there is no lintian."""
    if shutil.which("lintian") is None:
        raise NotHere("lintian is missing: apt-get install lintian")
    words = ["lintian", "--allow-root", "--no-tag-display-limit", "--fail-on", "none", str(package)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise NotHere(f"lintian ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    return [line.removeprefix("E: ") for line in done.stdout.splitlines() if line.startswith("E: ")]
