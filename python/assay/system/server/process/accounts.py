"""Makes the accounts that may log in to a private server over TCP."""

from __future__ import annotations

from collections.abc import Sequence

from assay.system.server.connection import Connection


def admit_root(connection: Connection, hosts: Sequence[str], password: str) -> None:
    """Lets root log in over TCP with a password from these hosts, and from no other host.

    The statements are kept out of the binary log: replicas have accounts of their own. `connection` is root's
    on the socket, whose account stays.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_log_bin = 0")
        for (other,) in connection.rows(
            "SELECT Host FROM mysql.user WHERE User = 'root' AND Host <> 'localhost'"
        ):
            cursor.execute("DROP USER 'root'@%s", (other,))
        for host in hosts:
            cursor.execute("CREATE USER 'root'@%s IDENTIFIED BY %s", (host, password))
            cursor.execute("GRANT ALL ON *.* TO 'root'@%s WITH GRANT OPTION", (host,))
