"""Checks that a build has a storage engine, as far as its `--verbose --help` names them, and that a run finds
its rows there.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.base.errors import InputError, ServerError
from assay.design.folder import Scalar
from assay.design.study import option_text
from assay.system.server.connection import Connection
from assay.system.server.release.build import Build
from assay.system.server.variables.catalogue import catalogue, plain
from assay.system.server.variables.plugins import libraries

_ALWAYS = ("InnoDB", "MyISAM", "CSV")
_USUAL = ("aria", "merge", "mrg_myisam", "archive", "federated")
"""Engines that some builds have without an option that says so; a server on trial is asked."""
_FORGET = {
    "memory": "its rows are gone when the server stops",
    "heap": "its rows are gone when the server stops",
    "blackhole": "it keeps no rows",
}
"""Engines whose tables are empty on a server that starts on a copy of the dataset."""
_DEFAULTS = ("default_storage_engine", "storage_engine")


def check_engine(build: Build, engine: str, variables: Mapping[str, Scalar]) -> None:
    """Raises ServerError when this build cannot make tables of this engine, and InputError when a run would
    find them empty. An empty name is the server's default engine, which `variables` may set.
    """
    key, name = _named(engine, variables)
    if not name:
        return
    if plain(name) in _FORGET:
        raise InputError(
            f'{key}: the engine "{name}" cannot hold a dataset: {_FORGET[plain(name)]}, and each run starts a'
            " server on a copy of it",
            hint="choose InnoDB or another engine that keeps rows, or measure a running server by dsn:",
        )
    if plain(name) in map(plain, (*_ALWAYS, *_USUAL)):
        return
    options = catalogue(build, variables).defaults
    loaded = " ".join(libraries(variables)).lower()
    if plain(name) in options or any(option.startswith(f"{plain(name)}_") for option in options):
        return
    if plain(name) not in loaded:
        known = [_ALWAYS[0], _ALWAYS[1], *(["Aria"] if "aria_block_size" in options else []), *_ALWAYS[2:]]
        raise ServerError(
            f'{key}: {build.flavour.title} {build.version_number} has no storage engine "{name}"',
            hint=f"it has {', '.join(known)}; one in a plugin is loaded by server.variables.plugin_load_add",
        )


def is_built_in(engine: str) -> bool:
    """Returns whether every server has an engine."""
    return plain(engine) in map(plain, _ALWAYS)


def check_engine_loaded(connection: Connection, engine: str) -> None:
    """Raises ServerError when a running server cannot make tables of an engine."""
    rows = connection.rows("SELECT ENGINE, SUPPORT FROM information_schema.ENGINES")
    known = [str(name) for name, support in rows if str(support) in ("YES", "DEFAULT")]
    if plain(engine) not in map(plain, known):
        raise ServerError(
            f'schema.engine: the server has no storage engine "{engine}"',
            hint=f"it has {', '.join(known)}; one in a plugin is loaded by server.variables.plugin_load_add",
        )


def _named(engine: str, variables: Mapping[str, Scalar]) -> tuple[str, str]:
    """Returns the key that names the engine of the tables, and its name."""
    if engine:
        return "schema.engine", engine
    given = {plain(name): option_text(value) for name, value in variables.items()}
    name = next((name for name in _DEFAULTS if name in given), "")
    return f"server.variables.{name}", given.get(name, "")
