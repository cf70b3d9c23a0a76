"""The spans of versions that a study applies to: their text, and which servers they meet."""

from __future__ import annotations

import pytest
from assay.design.study import VersionSpan, parse_version_span


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("mysql", VersionSpan("mysql")),
        ("mysql >= 5.6", VersionSpan("mysql", (5, 6))),
        ("mariadb < 10.6", VersionSpan("mariadb", (), (10, 6))),
        ("mariadb >= 10.2, < 10.6.3", VersionSpan("mariadb", (10, 2), (10, 6, 3))),
    ],
)
def test_a_span_is_written_as_it_is_read(text: str, span: VersionSpan) -> None:
    assert parse_version_span(text) == span
    assert str(span) == text


def test_blanks_and_the_comma_may_be_left_out() -> None:
    assert parse_version_span(" mysql>=5.6 <8.4 ") == parse_version_span("mysql >= 5.6, < 8.4")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mysql 5.6",
        "mysql > 5.6",
        "mysql <= 5.6",
        "mysql >= 5.x",
        "mysql < 8, >= 5.6",
        ">= 5.6",
        5.6,
        None,
    ],
)
def test_any_other_form_is_refused_with_an_example(text: object) -> None:
    with pytest.raises(ValueError, match=r'as in "mysql", "mysql >= 5\.6"'):
        parse_version_span(text)


@pytest.mark.parametrize("text", ["mysql >= 8.0, < 5.6", "mysql >= 8.0, < 8.0"])
def test_a_span_without_a_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has no version in it"):
        parse_version_span(text)


@pytest.mark.parametrize(
    ("text", "flavour", "version", "met"),
    [
        ("mysql", "mysql", (5, 5, 9), True),
        ("mysql", "mariadb", (10, 11, 6), False),
        ("mysql >= 5.6", "mysql", (5, 6), True),
        ("mysql >= 5.6", "mysql", (5, 6, 0), True),
        ("mysql >= 5.6", "mysql", (5, 5, 62), False),
        ("mysql >= 5.6", "mysql", (8,), True),
        ("mysql >= 8.0.12", "mysql", (8, 0), True),  # some 8.0
        ("mysql >= 8.0.12", "mysql", (8, 0, 11), False),
        ("mysql >= 8.0.12", "mysql", (5,), False),
        ("mariadb < 10.6", "mariadb", (10, 5, 99), True),
        ("mariadb < 10.6", "mariadb", (10, 6), False),
        ("mariadb < 10.6", "mariadb", (10, 6, 1), False),
        ("mariadb < 10.6", "mariadb", (10,), True),
        ("mariadb < 10.6", "mariadb", (10, 11), False),
        ("mariadb < 10.6", "mariadb", (), True),  # whichever is installed
    ],
)
def test_which_servers_a_span_meets(text: str, flavour: str, version: tuple[int, ...], met: bool) -> None:
    assert parse_version_span(text).meets(flavour, version) is met
