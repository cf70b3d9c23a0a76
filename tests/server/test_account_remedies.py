"""What keeps an account out is answered with what to do about the account, not about the address."""

from __future__ import annotations

from contextlib import closing

import pytest
from assay.base.errors import ConnectError, ServerError
from assay.system.server import Address, Instance, parse_dsn

REFUSED = [
    ("locked", "ACCOUNT LOCK", "ACCOUNT UNLOCK"),
    ("expired", "PASSWORD EXPIRE", "SET PASSWORD"),
    ("hourly", "WITH MAX_CONNECTIONS_PER_HOUR 1", "raise the limit of the account"),
]


def _asks_twice(address: Address) -> None:
    for _ in range(2):
        with closing(address.connect()) as connection:
            connection.rows("SELECT 1")


@pytest.mark.parametrize(("user", "clause", "remedy"), REFUSED)
def test_remedies_of_accounts(mariadb: Instance, user: str, clause: str, remedy: str) -> None:
    address = parse_dsn(f"dsn:mysql://{user}@localhost/information_schema?socket={mariadb.socket}")
    with closing(mariadb.connect()) as root, root.cursor() as cursor:
        cursor.execute(f"CREATE USER {user}@localhost {clause}")
        with pytest.raises((ConnectError, ServerError)) as refused:
            _asks_twice(address)
        cursor.execute(f"DROP USER {user}@localhost")
    assert refused.value.hint is not None
    assert remedy in refused.value.hint
