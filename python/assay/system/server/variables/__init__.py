"""Checks a study's server variables against a build, translates their names, and reads them back."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.server.variables.catalogue import usual_values
    from assay.system.server.variables.check import NotInForce, check_names_in_force, why_unknown
    from assay.system.server.variables.dynamic import READ_ONLY, set_running, try_running
    from assay.system.server.variables.engines import check_engine, check_engine_loaded, is_built_in
    from assay.system.server.variables.reading import (
        MOVING_VARIABLES,
        global_status,
        global_variables,
        server_identity,
        session_variables,
    )
    from assay.system.server.variables.together import check_writing
    from assay.system.server.variables.translate import is_loose, name_there, reported_option, settings
    from assay.system.server.variables.values import unit_mistake
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "MOVING_VARIABLES",
    "READ_ONLY",
    "NotInForce",
    "check_engine",
    "check_engine_loaded",
    "check_names_in_force",
    "check_writing",
    "global_status",
    "global_variables",
    "is_built_in",
    "is_loose",
    "name_there",
    "reported_option",
    "server_identity",
    "session_variables",
    "set_running",
    "settings",
    "try_running",
    "unit_mistake",
    "usual_values",
    "why_unknown",
]
