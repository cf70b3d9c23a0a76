"""Collations that not every server has are seen in a dump, and the key for them is written."""

from __future__ import annotations

import gzip
from contextlib import closing
from pathlib import Path

import pytest
from assay.design.study import parse_study
from assay.experiments.own import Source, collation_key, collations_in, first_file, lacked_by
from assay.front.cli.study_template import TemplateContent, study_text
from assay.system.server import Instance
from assay.system.server.flavour import FLAVOURS, family_of, stand_in

TABLE = "CREATE TABLE a (id int PRIMARY KEY, t varchar(9)) DEFAULT CHARSET=utf8mb4 COLLATE={};\n"
ROW = "INSERT INTO a VALUES (1,'x');\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TABLE.format("utf8mb4_0900_ai_ci"), ["utf8mb4_0900_ai_ci"]),
        (TABLE.format("`utf8mb4_da_0900_as_cs`"), ["utf8mb4_da_0900_as_cs"]),
        ("/*!50003 SET collation_connection = UTF8MB4_0900_AI_CI */;\n", ["utf8mb4_0900_ai_ci"]),
        (TABLE.format("utf8mb4_uca1400_swedish_nopad_as_ci"), ["utf8mb4_uca1400_swedish_nopad_as_ci"]),
        (TABLE.format("uca1400_ai_ci"), ["uca1400_ai_ci"]),
        (TABLE.format("utf8mb4_unicode_520_ci") + "INSERT INTO a VALUES (0900,'_0900_');\n", []),
    ],
)
def test_collations_are_seen_wherever_they_are_named(text: str, found: list[str], tmp_path: Path) -> None:
    plain, packed = tmp_path / "shop.sql", tmp_path / "shop.sql.gz"
    plain.write_text(text + ROW)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert collations_in(plain) == collations_in(packed) == found
    # One that lies across two pieces of what is read.
    plain.write_text("-" * ((1 << 20) - len(TABLE)) + text)
    assert collations_in(plain) == found


@pytest.mark.parametrize(
    ("collation", "flavour", "version", "known"),
    [
        ("utf8mb4_0900_ai_ci", "mysql", (8, 0, 15), True),
        ("utf8mb4_0900_ai_ci", "mysql", (5, 7, 22), False),
        ("utf8mb4_0900_ai_ci", "percona", (8, 0, 30), True),
        ("utf8mb4_0900_ai_ci", "mariadb", (10, 11, 19), False),
        ("utf8mb4_0900_ai_ci", "mariadb", (11, 4, 4), False),
        ("utf8mb4_0900_ai_ci", "mariadb", (11, 4, 5), True),
        ("utf8mb4_0900_ai_ci", "mariadb", (11, 6, 2), False),
        ("utf8mb4_0900_ai_ci", "mariadb", (11, 8, 9), True),
        ("utf8mb4_uca1400_ai_ci", "mariadb", (10, 11, 19), True),
        ("utf8mb4_uca1400_ai_ci", "mariadb", (10, 6, 20), False),
        ("utf8mb4_uca1400_ai_ci", "mysql", (9, 7, 0), False),
    ],
)
def test_who_has_a_collation_is_known(
    collation: str, flavour: str, version: tuple[int, ...], known: bool
) -> None:
    family = family_of(collation)
    assert family is not None
    assert flavour in FLAVOURS
    assert family.is_known(flavour, version) is known


@pytest.mark.live
def test_a_server_has_what_stands_in_and_lacks_what_is_said(mariadb: Instance) -> None:
    build = mariadb.build
    with closing(mariadb.connect()) as connection:
        rows = connection.rows("SELECT COLLATION_NAME FROM information_schema.COLLATIONS", columns=1)
    have = {str(name) for (name,) in rows}
    for collation in ("utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_uca1400_ai_ci"):
        family = family_of(collation)
        assert family is not None
        if family.mark != "uca1400":  # servers list those without their character set
            assert family.is_known(build.flavour_name, build.version) is (collation in have)
        assert stand_in(collation) in have


def test_a_study_has_the_key_where_one_of_its_servers_lacks_a_collation(tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(TABLE + ROW)

    def text(*servers: str) -> str:
        return study_text(
            TemplateContent(
                name="mine",
                servers=servers,
                workload="oltp_read_only",
                factor="",
                threads=(1,),
                measure="1s",
                blocks=6,
                dump="shop.sql",
                collations=("utf8mb4_0900_ai_ci",),
            )
        )

    key = 'collation = { utf8mb4_0900_ai_ci = "utf8mb4_unicode_520_ci" }'
    for servers, line in (
        (("mariadb@10.6",), key),
        (("mysql@8.0.30",), f"# {key}"),
        (("mysql@8.0.30", "mariadb@10.6"), key),
    ):
        lines = text(*servers).splitlines()
        assert line in lines, servers
        said = lines[lines.index(line) - 1]
        assert said.startswith("# MariaDB before 11.4.5, MySQL before 8.0.1 lack them"), said
        read = parse_study(text(*servers), tmp_path / "mine.toml")
        assert bool(read.dataset.collation) is (line == key)


def test_a_first_file_says_which_key_a_study_needs(tmp_path: Path) -> None:
    dump = tmp_path / "shop.sql.gz"
    dump.write_bytes(gzip.compress((TABLE.format("utf8mb4_uca1400_ai_ci") + ROW).encode()))
    made = first_file(Source(str(dump), dump), tmp_path / "own.sql", with_values=True)
    key = collation_key(["utf8mb4_uca1400_ai_ci"])
    assert f"-- MySQL, MariaDB before 10.10.1 lack collations of it: a study there has also {key}." in (
        made.pages.text.splitlines()
    )
    assert lacked_by(["mysql@8.0"], ["utf8mb4_uca1400_ai_ci"])
