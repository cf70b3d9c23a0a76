"""An account that may not do what a load does is told before the load."""

from __future__ import annotations

import re
from typing import cast

import pytest
from assay.base.errors import InputError, ServerError
from assay.measurement.source.account import check_limits
from assay.system.server import Connection, parse_dsn

ADDRESS = parse_dsn("dsn:mysql://app@db.example/shop")
NEEDED = 8


class _Answers:
    """What a server answers to each question; it refuses those that are not among them."""

    def __init__(self, most: int, **answers: str) -> None:
        self._answers = {"SELECT @@max_connections": str(most), **answers}

    def rows(self, sql: str) -> list[tuple[str]]:
        if sql not in self._answers:
            raise ServerError("no such statement")
        return [(self._answers[sql],)]


def _check(most: int, question: str, answer: str) -> None:
    check_limits(cast(Connection, _Answers(most, **{question: answer})), ADDRESS, NEEDED)


# As MariaDB and MySQL up to 5.6 have it, and as newer servers of MySQL.
SAID = [
    ("SHOW GRANTS", "GRANT USAGE ON *.* TO `app`@`%` IDENTIFIED BY PASSWORD '*B6' WITH {}"),
    ("SHOW CREATE USER CURRENT_USER()", "CREATE USER `app`@`%` REQUIRE NONE WITH {} PASSWORD EXPIRE DEFAULT"),
]


@pytest.mark.parametrize(("question", "answer"), SAID, ids=["grants", "account"])
@pytest.mark.parametrize(
    ("limits", "refused"),
    [
        ("MAX_USER_CONNECTIONS 7", "MAX_USER_CONNECTIONS 7, and the load has 8 connections"),
        ("MAX_USER_CONNECTIONS 8", None),
        ("MAX_USER_CONNECTIONS 0", None),
        ("MAX_QUERIES_PER_HOUR 100000", "MAX_QUERIES_PER_HOUR 100000, and a load has no such limit"),
        ("MAX_UPDATES_PER_HOUR 5 MAX_USER_CONNECTIONS 99", "MAX_UPDATES_PER_HOUR 5"),
        ("MAX_CONNECTIONS_PER_HOUR 5", "MAX_CONNECTIONS_PER_HOUR 5"),
    ],
)
def test_limits_of_an_account(question: str, answer: str, limits: str, refused: str | None) -> None:
    if refused is None:
        _check(151, question, answer.format(limits))
        return
    with pytest.raises(InputError, match=re.escape(refused)) as error:
        _check(151, question, answer.format(limits))
    assert error.value.hint is not None
    assert "ALTER USER" in error.value.hint


@pytest.mark.parametrize("most", [1, NEEDED - 1])
def test_a_server_that_allows_too_few_connections(most: int) -> None:
    with pytest.raises(InputError, match=f"the server allows {most} "):
        _check(most, "SHOW GRANTS", "GRANT ALL PRIVILEGES ON *.* TO `app`@`%`")
    _check(NEEDED, "SHOW GRANTS", "GRANT ALL PRIVILEGES ON *.* TO `app`@`%`")


@pytest.mark.parametrize("answer", ["", "None", "many", "-1", "1.5"])
def test_an_answer_that_is_no_number_is_left_to_the_load(answer: str) -> None:
    _check(cast(int, answer), "SHOW GRANTS", "GRANT USAGE ON *.* TO `app`@`%`")
