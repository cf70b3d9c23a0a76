"""Finds the build that a study names on this machine, or fetches, unpacks and inspects its release."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.server.release.meaning import age, meanings
    from assay.system.server.release.missing import Missing, missing_servers, none_of, require_obtainable
    from assay.system.server.release.tarball import packed
    from assay.system.server.release.unpacked import find_unpacked, remove, servers_dir, unpacked
    from assay.system.server.release.use import parse_use
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Missing",
    "age",
    "find_unpacked",
    "meanings",
    "missing_servers",
    "none_of",
    "packed",
    "parse_use",
    "remove",
    "require_obtainable",
    "servers_dir",
    "unpacked",
]
