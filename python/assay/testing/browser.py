"""The browser of tests that look at pages: Debian's Chromium."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium")
"""The packages, each with a program of its name: the first has no windows, and half the cost."""


def chromium() -> str | None:
    """Returns the program; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)
