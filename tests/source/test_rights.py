"""What SHOW GRANTS of every kind of server says that an account may do."""

from __future__ import annotations

import pytest
from assay.measurement.source.rights import Grants

MYSQL_8 = [
    "GRANT USAGE ON *.* TO `u`@`%`",
    "GRANT SYSTEM_VARIABLES_ADMIN,BINLOG_ADMIN ON *.* TO `u`@`%`",
    "GRANT SELECT, INSERT (`a`, `b`) ON `shop\\_%`.* TO `u`@`%`",
    "GRANT UPDATE ON `other`.`on``e.t` TO `u`@`%` WITH GRANT OPTION",
    "REVOKE SELECT ON `shop_secret`.* FROM `u`@`%`",
    "GRANT `r`@`%` TO `u`@`%`",
]
MYSQL_5 = [
    "GRANT SUPER ON *.* TO 'u'@'%' IDENTIFIED BY PASSWORD '*AAAA'",
    "GRANT ALL PRIVILEGES ON `shop`.* TO 'u'@'%'",
    "GRANT PROXY ON ''@'' TO 'u'@'%' WITH GRANT OPTION",
]
MARIADB = [
    "GRANT PROCESS, BINLOG MONITOR ON *.* TO `u`@`localhost` IDENTIFIED VIA unix_socket",
    "GRANT SELECT, SHOW VIEW ON `shop`.* TO `u`@`localhost`",
    "GRANT `reader` TO `u`@`localhost`",
    "SET DEFAULT ROLE `reader` FOR `u`@`localhost`",
]


@pytest.mark.parametrize(
    ("lines", "right", "database", "may"),
    [
        (MYSQL_8, "SELECT", "shop_eu", True),
        (MYSQL_8, "INSERT", "shop_eu", True),
        (MYSQL_8, "SELECT", "shopXeu", False),
        (MYSQL_8, "SELECT", "shop_secret", False),
        (MYSQL_8, "UPDATE", "other", True),
        (MYSQL_8, "DELETE", "other", False),
        (MYSQL_5, "DELETE", "shop", True),
        (MYSQL_5, "SELECT", "other", False),
        (MARIADB, "SELECT", "shop", True),
        (MARIADB, "INSERT", "shop", False),
    ],
)
def test_a_right_in_a_database(lines: list[str], right: str, database: str, may: bool) -> None:
    grants = Grants.of(lines)
    assert grants.may(right, database) is may
    assert grants.unread == ()


def test_rights_at_the_whole_server() -> None:
    sets = ("SYSTEM_VARIABLES_ADMIN", "SUPER")
    assert Grants.of(MYSQL_8).has_everywhere(*sets)
    assert Grants.of(MYSQL_5).has_everywhere(*sets)
    assert not Grants.of(MARIADB).has_everywhere(*sets)
    assert not Grants.of(["GRANT ALL PRIVILEGES ON `shop`.* TO `u`@`%`"]).has_everywhere(*sets)


def test_only_an_account_of_which_all_is_known_can_do_nothing_but_read() -> None:
    assert Grants.of(MARIADB).beyond_reading() == []
    assert Grants.of(MYSQL_8).beyond_reading()
    assert Grants.of(["GRANT EXECUTE ON PROCEDURE `shop`.`p` TO `u`@`%`"]).beyond_reading()
    unheard_of = "ALLOW EVERYTHING TO `u`@`%`"
    assert Grants.of([*MARIADB, unheard_of]).beyond_reading() == [unheard_of]
