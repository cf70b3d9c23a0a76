"""Profiles of data hold no value of their source, and data that are generated of them are like it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import OwnData
from assay.experiments.own import Wanted, profile_of
from assay.measurement.source.dataset.own_tables import Loading, settle
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Connection, Instance
from shop_of_films import QUERIES, SIZES, VALUES, statements

pytestmark = pytest.mark.live
SOURCE = "films"


@pytest.fixture(scope="module")
def profile(mariadb: Instance, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The profile of the rental shop, which is on the server meanwhile."""
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {SOURCE}")
        connection.select_db(SOURCE)
        for statement in statements():
            cursor.execute(statement)
        for table in SIZES:
            cursor.execute(f"ANALYZE TABLE {table}")
        made = profile_of(Wanted(_dsn(mariadb), rows=100_000))
        path = tmp_path_factory.mktemp("profile") / "films.data.toml"
        path.write_text(made.text)
        yield path
        cursor.execute(f"DROP DATABASE {SOURCE}")


def _dsn(server: Instance) -> str:
    return f"dsn:mysql://root@localhost/{SOURCE}?socket={server.socket}"


def test_no_value_of_the_source_is_in_the_file(mariadb: Instance, profile: Path) -> None:
    text = profile.read_text()
    with closing(mariadb.connect()) as connection:
        connection.select_db(SOURCE)
        values = {
            str(value)
            for sql in (
                "SELECT name FROM country UNION SELECT title FROM film UNION SELECT name FROM actor",
                "SELECT email FROM customer UNION SELECT city FROM customer UNION SELECT state FROM rental",
                "SELECT HEX(cover) FROM film UNION SELECT notes FROM film",
            )
            for (value,) in connection.rows(sql)
            if value is not None
        }
    pieces = {piece for value in values for piece in re.findall(r"[^\W_]{4,}", value)}
    assert len(pieces) > 3000
    words = set(re.findall(r"[^\W_]{4,}", text))
    assert (
        not {piece for piece in pieces if piece in words or (len(piece) > 6 and piece in text)}
        - {
            "FILM",  # a word of the table's own name
            "mail",
            "Player",
        }
        & words
    )
    assert "secret comment" not in text


def test_values_are_kept_where_that_is_said(mariadb: Instance, profile: Path) -> None:
    made = profile_of(Wanted(_dsn(mariadb), rows=100_000, tables=("rental",), keep=("rental.state",)))
    assert 'value = "returned"' in made.text
    assert "film_id" in made.text
    with pytest.raises(InputError, match=r'no such column; did you mean "rental\.state"'):
        profile_of(Wanted(_dsn(mariadb), rows=1000, tables=("rental",), keep=("rental.stat",)))


Generate = Callable[..., str]


@pytest.fixture(scope="module")
def generate(mariadb: Instance) -> Iterator[Generate]:
    """Generates the data of a profile into a database of this name."""
    made: list[str] = []

    def generated(path: Path, name: str, scale: float = 1.0) -> str:
        made.append(name)
        own = OwnData(f"generate:{path.name}", str(path), "", name, scale=scale)
        done, _ = Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)
        tables = settle(mariadb, own, done).tables
        assert sum(one.rows for one in tables) == done.rows
        return name

    yield generated
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        for name in made:
            cursor.execute(f"DROP DATABASE {name}")


@pytest.fixture(scope="module")
def twin(profile: Path, generate: Generate) -> str:
    """The database that is generated from the profile at scale 1."""
    return generate(profile, "films_again")


NUMBERS = {
    "film": ("price", "length", "TO_DAYS(released)", "weight", "rating + 0"),
    "customer": ("active", "TIMESTAMPDIFF(SECOND, '2000-01-01', joined)"),
    "rental": ("UNIX_TIMESTAMP(at)",),
    "payment": ("number", "amount", "TIME_TO_SEC(took)"),
}
TEXTS = {
    "film": ("title", "cover", "notes"),
    "customer": ("email", "city"),
    "rental": ("state",),
}


def _column(connection: Connection, database: str, table: str, column: str) -> list[object]:
    return [value for (value,) in connection.rows(f"SELECT {column} FROM {database}.{table}")]


def test_generated_data_have_as_many_values_as_often(mariadb: Instance, twin: str) -> None:
    with closing(mariadb.connect()) as connection:
        for table in NUMBERS | TEXTS:
            for column in (*NUMBERS.get(table, ()), *TEXTS.get(table, ())):
                source, made = (_column(connection, one, table, column) for one in (SOURCE, twin))
                what = f"{table}.{column}"
                assert len(source) == len(made), what
                assert abs(source.count(None) - made.count(None)) <= 1, what
                different = [len(set(one)) for one in (source, made)]
                assert abs(different[1] / different[0] - 1) <= 0.05, (what, different)
                if column in TEXTS.get(table, ()):
                    often = [sorted(Counter(one).values())[-3:] for one in (source, made)]
                    assert all(
                        abs(one - two) <= 0.02 * len(source) for one, two in zip(*often, strict=False)
                    ), what
                    lengths = [[len(str(value)) for value in one] for one in (source, made)]
                    assert abs(sum(lengths[0]) / sum(lengths[1]) - 1) <= 0.05, what
                else:
                    assert _distance(source, made) <= 0.02, what


def _distance(source: list[object], made: list[object]) -> float:
    """The largest difference between the shares of rows up to a value, at twenty places of the source."""
    one, two = (
        sorted(float(str(value)) for value in values if value is not None) for values in (source, made)
    )
    places = [one[len(one) * part // 20] for part in range(20)]
    return max(abs(bisect_right(one, at) / len(one) - bisect_right(two, at) / len(two)) for at in places)


REFERENCES = (
    ("rental", "customer_id", "customer"),
    ("rental", "film_id", "film"),
    ("payment", "rental_id", "rental"),
    ("customer", "referred_by", "customer"),
    ("film_actor", "actor_id", "actor"),
)


def test_as_many_rows_belong_to_one(mariadb: Instance, twin: str) -> None:
    with closing(mariadb.connect()) as connection:
        for child, column, parent in REFERENCES:
            found = []
            for database in (SOURCE, twin):
                owners = _column(connection, database, parent, "id")
                rows = Counter(_column(connection, database, child, column))
                assert set(rows) - {None} <= set(owners), f"{child}.{column} refers to nothing"
                found.append([rows[owner] for owner in owners])
            assert _distance(found[0], found[1]) <= 0.02, f"{child}.{column}"


def test_plans_are_the_same(mariadb: Instance, twin: str) -> None:
    with closing(mariadb.connect()) as connection:
        plans = [[_plan(connection, database, query) for query in QUERIES] for database in (SOURCE, twin)]
    same = sum(one == two for one, two in zip(*plans, strict=True))
    differing = [pair for pair in zip(QUERIES, *plans, strict=True) if pair[1] != pair[2]]
    assert same >= 0.95 * len(QUERIES), differing


def _plan(connection: Connection, database: str, query: str) -> list[tuple[object, ...]]:
    connection.select_db(database)
    values = {name: connection.rows(sql)[0][0] for name, sql in VALUES.items() if f"{{{name}}}" in query}
    rows = connection.rows(f"EXPLAIN {query.format(**values)}")
    return [(row[2], row[3], row[5]) for row in rows]


def test_the_same_profile_gives_the_same_rows(
    mariadb: Instance, twin: str, profile: Path, generate: Generate
) -> None:
    again = generate(profile, "films_thrice")
    with closing(mariadb.connect()) as connection:
        for table in SIZES:
            sums = [connection.rows(f"CHECKSUM TABLE {name}.{table}")[0][1] for name in (twin, again)]
            assert sums[0] == sums[1] is not None, table


def test_rows_grow_and_enumerations_do_not(
    mariadb: Instance, generate: Generate, tmp_path: Path, profile: Path
) -> None:
    made = profile_of(Wanted(_dsn(mariadb), rows=100_000, tables=("country", "customer", "film")))
    path = tmp_path / "large.data.toml"
    path.write_text(made.text)
    name = generate(path, "films_large", 10)
    with closing(mariadb.connect()) as connection:
        connection.select_db(name)
        for table in ("country", "customer", "film"):
            assert connection.rows(f"SELECT COUNT(*) FROM {table}") == [(10 * SIZES[table],)]
        assert connection.rows("SELECT COUNT(DISTINCT rating) FROM film") == [(3,)]
        cities = [
            connection.rows(f"SELECT COUNT(DISTINCT city) FROM {one}.customer")[0][0]
            for one in (SOURCE, name)
        ]
        assert cities[0] == cities[1]
        orphans = (
            "SELECT COUNT(*) FROM customer c LEFT JOIN country n ON n.id = c.country_id WHERE n.id IS NULL"
        )
        assert connection.rows(orphans) == [(0,)]
