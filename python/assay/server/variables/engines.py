"""Checks that a build has a storage engine, as far as its `--verbose --help` names them."""

from __future__ import annotations

from collections.abc import Mapping

from assay.errors import ServerError
from assay.folder import Scalar
from assay.server.release.build import Build
from assay.server.variables.catalogue import catalogue, plain
from assay.server.variables.plugins import libraries

_ALWAYS = ("InnoDB", "MyISAM", "MEMORY", "CSV")
_USUAL = ("aria", "heap", "merge", "mrg_myisam", "archive", "blackhole", "federated")
"""Engines that some builds have without an option that says so; the server itself is asked at CREATE
TABLE.
"""


def check_engine(build: Build, engine: str, variables: Mapping[str, Scalar]) -> None:
    """Raises ServerError when this build cannot make tables of this engine. An empty name is the server's
    default engine.
    """
    name = plain(engine)
    if not name or name in map(plain, (*_ALWAYS, *_USUAL)):
        return
    options = catalogue(build).defaults
    loaded = " ".join(libraries(variables))
    if name in options or any(option.startswith(f"{name}_") for option in options) or name in loaded.lower():
        return
    known = [*_ALWAYS[:2], *(["Aria"] if "aria_block_size" in options else []), *_ALWAYS[2:]]
    raise ServerError(
        f'schema.engine: {build.flavour.title} {build.version_number} has no storage engine "{engine}"',
        hint=f"it has {', '.join(known)}; one in a plugin is loaded by server.variables.plugin_load_add",
    )
