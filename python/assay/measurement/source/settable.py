"""Checks, before any load and setting nothing, that a running server has the variables that a study sets
there, and that its account may set them.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import InputError, ServerError
from assay.design.plan import Treatment
from assay.design.study import did_you_mean
from assay.measurement.source.rights import DENIED, lacking_for_variables
from assay.system.server import Address, Connection
from assay.system.server.variables import global_variables, name_there, server_identity


def check_settable(connection: Connection, treatments: Sequence[Treatment], address: Address) -> None:
    """Raises InputError for a variable that the server lacks, or that only a start sets; ServerError, with
    the statements that give the rights, for an account that may not set one.
    """
    wanted = {name for treatment in treatments for name in treatment.dynamic}
    flavour, actual = server_identity(connection).flavour, global_variables(connection)
    there: list[str] = []
    for name in sorted(wanted):
        found = name_there(flavour, name, actual.__contains__)
        if found is None:
            also = did_you_mean(name, actual)
            raise InputError(f"server.dynamic.{name}: the server at {address} has no such variable{also}")
        there.append(found)
    lacks = list(lacking_for_variables(connection, there))
    if lacks:
        first, more = lacks[0], "" if len(lacks) == 1 else f" (and {len(lacks) - 1} more)"
        grants = dict.fromkeys(lack.grant for lack in lacks)
        raise ServerError(
            f"the account at {address} may not {first.what}{more}, which server.dynamic needs: {first.said}",
            hint="; ".join(grants),
            code=DENIED,
        )
