"""Says whether InnoDB holds statements back because purge lags: on a stripped server such a sleep looks like
one for a checkpoint.

Source: manuals of MySQL and MariaDB, `innodb_max_purge_lag`.
"""

from __future__ import annotations

from assay.base.errors import ServerError
from assay.system.server.connection import Connection

_LIMIT = "SELECT @@GLOBAL.innodb_max_purge_lag"
_LENGTHS = (
    "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
    " WHERE VARIABLE_NAME = 'INNODB_HISTORY_LIST_LENGTH'",  # MariaDB
    "SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'",  # MySQL
)


def purge_lags(connection: Connection) -> bool | None:
    """Returns True where the history list is longer than it may be before statements are held back, and False
    where that can be any length; None where the server does not say, or the list is short at this instant.
    """
    try:
        ((limit,),) = connection.rows(_LIMIT, columns=1)
    except ServerError as error:
        if error.code is None:
            raise
        return None
    if not int(limit):
        return False
    for query in _LENGTHS:
        try:
            rows = connection.rows(query, columns=1)
        except ServerError as error:
            if error.code is None:
                raise
            continue
        if rows:
            return True if int(float(rows[0][0])) > int(limit) else None
    return None
