"""Finds the build that a study names on this machine, or fetches, unpacks and inspects its release."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.server.release.unpacked import find_unpacked, remove, servers_dir, unpacked
    from assay.server.release.use import parse_use
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "find_unpacked",
    "parse_use",
    "remove",
    "servers_dir",
    "unpacked",
]
