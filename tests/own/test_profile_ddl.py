"""Statements CREATE TABLE of a profile say how tables are made, and nothing more of their source."""

from __future__ import annotations

import pytest
from assay.experiments.own.profile.ddl import plain_create


@pytest.mark.parametrize(
    ("create", "plain", "checks"),
    [
        (
            "CREATE TABLE `t` (\n  `a` int COMMENT 'it''s \\' secret',\n  KEY `k` (`a`) COMMENT 'x'\n)"
            " ENGINE=InnoDB AUTO_INCREMENT=4711 DEFAULT CHARSET=utf8mb4 COMMENT='about, (it)'",
            "CREATE TABLE `t` (\n  `a` int,\n  KEY `k` (`a`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4",
            False,
        ),
        (
            "CREATE TABLE `t` (\n  `COMMENT` varchar(9) DEFAULT 'COMMENT ''x''',\n  `auto_increment` int\n)",
            "CREATE TABLE `t` (\n  `COMMENT` varchar(9) DEFAULT 'COMMENT ''x''',\n  `auto_increment` int\n)",
            False,
        ),
        (
            "CREATE TABLE `t` (\n  `a` int CHECK (`a` > 5),\n  CONSTRAINT `c` CHECK ((`a` < 9))\n)",
            "CREATE TABLE `t` (\n  `a` int\n)",
            True,
        ),
        (
            "CREATE TABLE `t` (\n  `a` int,\n  CONSTRAINT `c` CHECK ((`a` < 9)) /*!80016 NOT ENFORCED */\n)",
            "CREATE TABLE `t` (\n  `a` int\n)",
            True,
        ),
        (
            "CREATE TABLE `t` (\n  `j` longtext CHECK (json_valid(`j`))\n)",
            "CREATE TABLE `t` (\n  `j` longtext CHECK (json_valid(`j`))\n)",
            False,
        ),
        (
            "CREATE TABLE `t` (`a` int AUTO_INCREMENT) ENGINE=InnoDB DATA DIRECTORY='/srv/secret'"
            " CONNECTION='mysql://u:p@h/d/t'",
            "CREATE TABLE `t` (`a` int AUTO_INCREMENT) ENGINE=InnoDB",
            False,
        ),
    ],
)
def test_what_stays_of_a_definition(create: str, plain: str, checks: bool) -> None:
    assert plain_create(create) == (plain, checks)
