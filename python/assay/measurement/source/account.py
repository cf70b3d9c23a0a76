"""Finds out before a study whether its account can log in to a running server as the load does, and often
enough.
"""

from __future__ import annotations

import re
from contextlib import closing, suppress
from dataclasses import replace

from assay.base.errors import InputError, ServerError
from assay.system.engine import Interrupts, jobs, run_job, workload_catalogue
from assay.system.server import Address, Connection

_EVERYBODYS = "information_schema"
_LIMIT = re.compile(r"\b(MAX_(?:QUERIES|UPDATES|CONNECTIONS)_PER_HOUR|MAX_USER_CONNECTIONS) (\d+)")


def log_in_as_the_load(address: Address, interrupts: Interrupts) -> None:
    """Logs in with the engine: the lab's own client knows other versions of TLS and other ways to log in.

    The engine looks for a table where there is none, in the database that every account may use, so that
    nothing is counted. Raises what the first run would have raised.
    """
    some = workload_catalogue()[0]["name"]
    target = jobs.target(replace(address, database=_EVERYBODYS))
    job = jobs.job("check", target=target, workload=some, options={}, seed=1)
    outcome = run_job(job, interrupts=interrupts, env=address.environment())
    interrupts.raise_if_requested()
    if outcome.error is not None and not isinstance(outcome.error, ServerError):
        raise outcome.error


def check_limits(connection: Connection, address: Address, needed: int) -> None:
    """Raises InputError when the server, or the account's own limits, allow fewer connections than a load
    needs, or only so many statements or logins an hour.
    """
    said = [str(value) for value, *_ in connection.rows("SELECT @@max_connections")]
    most = int(said[0]) if said and said[0].isdecimal() else needed  # the load itself asks again
    if most < needed:
        raise InputError(
            f"{address}: the load has {needed} connections, and the server allows {most} (max_connections)",
            hint="raise max_connections at the server, or use fewer threads",
        )
    for name, limit in _limits_of_the_account(connection).items():
        hourly = name.endswith("_PER_HOUR")
        if limit and (hourly or limit < needed):
            load = "a load has no such limit" if hourly else f"the load has {needed} connections"
            raise InputError(
                f"{address}: the account may have {name} {limit}, and {load}",
                hint=f"give another account, or take the limit away: ALTER USER … WITH {name} 0",
            )


def _limits_of_the_account(connection: Connection) -> dict[str, int]:
    """Returns the limits of the account in force, as far as the server says: MariaDB and old servers with the
    grants, newer ones with the account itself.
    """
    found: dict[str, int] = {}
    for question in ("SHOW GRANTS", "SHOW CREATE USER CURRENT_USER()"):
        with suppress(ServerError):
            for row in connection.rows(question):
                found |= {name: int(most) for name, most in _LIMIT.findall(str(row[0]))}
    return found


def table_names(address: Address) -> frozenset[str]:
    """Returns the tables of the address's database, of those that the account may see."""
    with closing(address.connect()) as connection:
        rows = connection.rows(
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s", (address.database,)
        )
    return frozenset(str(name) for name, *_ in rows)


def rights_hint(address: Address) -> str:
    """Returns what to do where an account may not make the tables of a study."""
    return (
        f"give an account that may CREATE, INSERT and DROP in {address.database}, or let another one load the"
        " tables; a script that only reads needs no rights but SELECT"
    )


def missing_tables(
    whose: str, address: Address, lacking: str | None = None, grant: str | None = None
) -> ServerError:
    """Returns the error about tables that are not there and cannot be made, for the reason in `lacking`;
    None: the study only reads.
    """
    start = f"the {whose}'s tables are not in {address.database} at {address}, and "
    if lacking is None:
        return ServerError(
            f"{start}a study with server.read_only makes none",
            hint="name the database that has them, or load them by a study without server.read_only",
        )
    hint = rights_hint(address)
    return ServerError(
        f"{start}this account may not make them: {lacking}", hint=f"{grant}; or {hint}" if grant else hint
    )
