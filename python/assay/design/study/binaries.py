"""Reads a server of several binaries: one build, linked or laid out several times."""

from __future__ import annotations

import re

_PATH = "path:"
_BETWEEN = re.compile(r":(?=[/~.])")


def binaries(use: str) -> tuple[str, ...]:
    """Returns the binaries of a server, each as a server of its own: `path:/a:/b` has `path:/a` and
    `path:/b`, and any other has itself.
    """
    if not use.startswith(_PATH):
        return (use,)
    return tuple(_PATH + place for place in _BETWEEN.split(use.removeprefix(_PATH)))
