"""Statements CREATE TABLE of a profile say how tables are made, and nothing more of their source."""

from __future__ import annotations

import pytest
from assay.base.format.job import WholeValueForm
from assay.experiments.own.profile.catalogue import HeededConditions, SourceColumn
from assay.experiments.own.profile.ddl import plain_create


@pytest.mark.parametrize(
    ("create", "plain", "checks"),
    [
        (
            "CREATE TABLE `t` (\n  `a` int COMMENT 'it''s \\' secret',\n  KEY `k` (`a`) COMMENT 'x'\n)"
            " ENGINE=InnoDB AUTO_INCREMENT=4711 DEFAULT CHARSET=utf8mb4 COMMENT='about, (it)'",
            "CREATE TABLE `t` (\n  `a` int,\n  KEY `k` (`a`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4",
            0,
        ),
        (
            "CREATE TABLE `t` (\n  `COMMENT` varchar(9) DEFAULT 'COMMENT ''x''',\n  `auto_increment` int\n)",
            "CREATE TABLE `t` (\n  `COMMENT` varchar(9) DEFAULT 'COMMENT ''x''',\n  `auto_increment` int\n)",
            0,
        ),
        (
            "CREATE TABLE `t` (\n  `a` int CHECK (`a` > 5),\n  CONSTRAINT `c` CHECK ((`a` < 9))\n)",
            "CREATE TABLE `t` (\n  `a` int\n)",
            2,
        ),
        (
            "CREATE TABLE `t` (\n  `a` int,\n  CONSTRAINT `c` CHECK ((`a` < 9)) /*!80016 NOT ENFORCED */\n)",
            "CREATE TABLE `t` (\n  `a` int\n)",
            1,
        ),
        (
            "CREATE TABLE `t` (\n  `j` longtext CHECK (json_valid(`j`))\n)",
            "CREATE TABLE `t` (\n  `j` longtext CHECK (json_valid(`j`))\n)",
            0,
        ),
        (
            "CREATE TABLE `t` (`a` int AUTO_INCREMENT) ENGINE=InnoDB DATA DIRECTORY='/srv/secret'"
            " CONNECTION='mysql://u:p@h/d/t'",
            "CREATE TABLE `t` (`a` int AUTO_INCREMENT) ENGINE=InnoDB",
            0,
        ),
    ],
)
def test_what_stays_of_a_definition(create: str, plain: str, checks: int) -> None:
    assert plain_create(create) == (plain, checks)


def test_conditions_stay_that_whole_numbers_are_kept_within() -> None:
    number = WholeValueForm(least=-128, most=127)
    heeded = HeededConditions([SourceColumn("a", number, "`a`"), SourceColumn("b", number, "`b`")], {"b"})
    create = (
        "CREATE TABLE `t` (\n  `a` tinyint CHECK (`a` > 5),\n  `b` tinyint CHECK (`b` > 5),\n"
        "  CONSTRAINT `c` CHECK ((`a` < 9)),\n  CONSTRAINT `d` CHECK (`a` in (6,7))\n)"
    )
    kept = (
        "CREATE TABLE `t` (\n  `a` tinyint CHECK (`a` > 5),\n  `b` tinyint,\n"
        "  CONSTRAINT `c` CHECK ((`a` < 9))\n)"
    )
    assert plain_create(create, heeded.heeds) == (kept, 2)
    assert heeded.forms == {"a": WholeValueForm(least=6, most=8), "b": number}
