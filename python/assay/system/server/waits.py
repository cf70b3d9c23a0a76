"""Reads the counters of threads that waited for mutexes and latches of InnoDB, from SHOW ENGINE INNODB MUTEX.

MySQL to 5.6 and MariaDB to 10.1 list each that was waited for, with `os_waits=N`. Later servers list latches
of read and write alone, which is no count of all waits: nothing is read from them.
"""

from __future__ import annotations

import time

from assay.base.errors import ServerError
from assay.system.server.connection import Connection
from assay.system.server.variables.reading import server_identity

STATEMENT = "SHOW ENGINE INNODB MUTEX"
_TRIES = 3
LONGEST_S = 0.02
"""Longest time that the statement may take: the server walks over a mutex for each page of its pool, and
holds their list meanwhile.
"""

_BUFFER_POOL = ("buf0buf", "buf_pool")
_ADAPTIVE_HASH = ("btr0sea", "btr_search")
_COUNT = "os_waits="


class Waits:
    """The counters `mutex_waits` (all of them), `buffer_pool_waits` and `adaptive_hash_waits`.

    `statements` counts the statements sent.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.statements = 0
        self._offered = self._lists_all() and self._is_quick()

    def read(self) -> dict[str, float]:
        """Returns the waits since the start; empty for a server that does not count them, or is slow to
        answer.
        """
        return self._counted(self._rows()) if self._offered else {}

    def _lists_all(self) -> bool:
        """Goes by the version: a server in which no thread has waited lists nothing, as a newer one may."""
        self.statements += 2
        identity = server_identity(self._connection)
        return identity.version < identity.flavour.mutexes_until

    def _is_quick(self) -> bool:
        took = []
        for _ in range(_TRIES):  # a busy machine makes one of them slow, not the server
            began = time.monotonic()
            try:
                self._rows()
            except ServerError as error:
                if error.code is None:  # not the server's own refusal
                    raise
                return False
            took.append(time.monotonic() - began)
        return min(took) <= LONGEST_S

    def _rows(self) -> list[tuple[str, str]]:
        self.statements += 1
        return [
            (str(name), str(status)) for _, name, status, *_ in self._connection.rows(STATEMENT, columns=3)
        ]

    @staticmethod
    def _counted(rows: list[tuple[str, str]]) -> dict[str, float]:
        waits = [(name, float(status.removeprefix(_COUNT))) for name, status in rows if _COUNT in status]
        return {
            "mutex_waits_total": sum(count for _, count in waits),
            "buffer_pool_waits_total": _of(waits, _BUFFER_POOL),
            "adaptive_hash_waits_total": _of(waits, _ADAPTIVE_HASH),
        }


def _of(waits: list[tuple[str, float]], named: tuple[str, ...]) -> float:
    return sum(count for name, count in waits if any(part in name for part in named))
