"""A name that a query gives to what it selects is no column: no value is drawn from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from first_files import of_text

SUM = "SELECT a, SUM(b) {given} FROM t"


@pytest.mark.parametrize("given", ["AS total", "total", "`total`", "as 'total'"])
@pytest.mark.parametrize(
    "query",
    [
        f"{SUM} GROUP BY a HAVING total > 7;",
        f"{SUM} GROUP BY a HAVING (a = 3 OR (total BETWEEN 7 AND 9));",
        f"SELECT x.a FROM ({SUM} GROUP BY a) x WHERE total > 7;",
        f"SELECT a FROM ({SUM} GROUP BY a) x WHERE total IN (7, 8);",
        f"WITH x AS ({SUM} GROUP BY a) SELECT a FROM x WHERE total > 7;",
        f"WITH x AS ({SUM} GROUP BY a) SELECT x.a FROM x JOIN u ON u.a = x.a WHERE x.total > 7;",
        f"SELECT a FROM u WHERE a IN (SELECT a FROM ({SUM} GROUP BY a) x WHERE total > 7);",
    ],
)
def test_no_value_is_drawn_from_a_name_that_was_given(query: str, given: str, tmp_path: Path) -> None:
    text = of_text(tmp_path, query.format(given=given)).pages.text
    assert ".total" not in text.replace("x.total", "")


@pytest.mark.parametrize(
    "query",
    [
        # Behind WHERE the names of its own query are not seen.
        "SELECT a, DATE(total) AS total FROM t WHERE total > 7;",
        "SELECT a, total AS total FROM t WHERE a = 3 HAVING total > 7;",
        "SELECT a, SUM(b) AS total FROM t WHERE EXISTS (SELECT 1 FROM t WHERE total > 7);",
        "SELECT b AS total FROM u UNION SELECT a FROM t WHERE t.total > 7;",
        "SELECT CAST(a AS total), EXTRACT(total FROM b) FROM t HAVING total > 7;",
        "UPDATE t SET a = 3 WHERE total > 7;",
    ],
)
def test_a_column_that_has_the_name_elsewhere_is_drawn_from(query: str, tmp_path: Path) -> None:
    assert "column(t.total)" in of_text(tmp_path, query).pages.text
