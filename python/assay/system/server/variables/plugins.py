"""Checks that the plugins a study loads are active: options that load them set no variable that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assay.base.errors import ServerError
from assay.design.folder import Scalar
from assay.design.study import option_text
from assay.system.server.connection import Connection
from assay.system.server.variables.catalogue import loading

_NOT_OPENED = "shared library"


def libraries(variables: Mapping[str, Scalar]) -> dict[str, str]:
    """Returns the library files that the variables load, without `.so`, each with the option that names it:
    a list of `library` or `plugin=library`, separated by semicolons.
    """
    return {
        item.rpartition("=")[2].strip().removesuffix(".so"): name
        for name, value in loading(variables).items()
        for item in option_text(value).split(";")
        if item.strip()
    }


def where_to_look(library: str) -> str:
    """Returns the remedy for a library that is missing."""
    return f"look for {library}.so in the server's plugin_dir; its package may be a separate one"


def not_opened(messages: Iterable[str], variables: Mapping[str, Scalar]) -> dict[str, str]:
    """Returns the libraries that the variables load and a server could not open, each with its words."""
    lines = [re.sub(r"^.*?\[ERROR\]\s*", "", line) for line in messages if _NOT_OPENED in line]
    found = {}
    for library in libraries(variables):
        named = re.compile(rf"(?<![\w-]){re.escape(library)}(?:\.so)?(?![\w-])")
        if said := next((line for line in lines if named.search(line)), None):
            found[library] = said
    return found


def check_plugins(connection: Connection, variables: Mapping[str, Scalar], where: str) -> None:
    """Raises ServerError for a library of which no plugin is active on the running server."""
    wanted = libraries(variables)
    if not wanted:
        return
    status: dict[str, str] = {}
    for _, found, _, library, *_ in connection.rows("SHOW PLUGINS", (), columns=4):
        name = str(library or "").removesuffix(".so")
        if status.get(name) != "ACTIVE":
            status[name] = str(found)
    for library, option in wanted.items():
        if status.get(library) != "ACTIVE":
            found = f"is {status[library].lower()}" if library in status else "is not loaded"
            raise ServerError(
                f"{where}: variable {option}: the plugin library {library} {found}",
                hint=where_to_look(library),
            )
