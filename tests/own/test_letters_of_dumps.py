"""Letters of a dump that not every server has are seen, and a study has what they need."""

from __future__ import annotations

import gzip
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import parse_study
from assay.experiments.own import (
    CHARACTER_SET,
    Letters,
    Source,
    collation_key,
    first_file,
    lacked_by,
    letters_of,
)
from assay.front.cli import exit_code_of
from assay.front.cli.study_template import TemplateContent, study_text
from assay.system.server import Instance
from assay.system.server.flavour import FLAVOURS, UTF8MB4_BY_DEFAULT, family_of, stand_in

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
    assert letters_of(plain).collations == letters_of(packed).collations == tuple(found)
    # One that lies across two pieces of what is read.
    plain.write_text("-" * ((1 << 20) - len(TABLE)) + text)
    assert letters_of(plain).collations == tuple(found)


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


def content(servers: tuple[str, ...], letters: Letters, **more: str) -> TemplateContent:
    asked = TemplateContent(
        name="mine",
        servers=servers,
        workload="oltp_read_only",
        factor="",
        threads=(1,),
        measure="1s",
        blocks=6,
        dump="shop.sql",
        letters=letters,
    )
    return replace(asked, **more)  # type: ignore[arg-type]


def test_a_study_has_the_key_where_one_of_its_servers_lacks_a_collation(tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(TABLE + ROW)

    def text(*servers: str) -> str:
        return study_text(content(servers, Letters(("utf8mb4_0900_ai_ci",))))

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


PLAIN = "CREATE TABLE a (id int PRIMARY KEY, t varchar(9)){};\n"
CHINESE = "INSERT INTO a VALUES (1,'部门');\n"


@pytest.mark.parametrize(
    ("text", "unnamed"),
    [
        (PLAIN.format("") + CHINESE, True),
        (PLAIN.format(" ENGINE=InnoDB COMMENT='部门'") + ROW, True),
        (PLAIN.format("") + ROW, False),
        (PLAIN.format(" CHARSET=utf8mb4") + CHINESE, False),
        ("CREATE DATABASE shop DEFAULT CHARACTER SET utf8;\nUSE shop;\n" + PLAIN.format("") + CHINESE, False),
        ("CREATE DATABASE shop;\nUSE shop;\n" + PLAIN.format("") + CHINESE, True),
        # A table without text, in place of a view.
        ("CREATE TABLE v (id tinyint NOT NULL);\n" + PLAIN.format(" CHARSET=utf8") + CHINESE, False),
    ],
)
def test_tables_that_name_no_character_set_are_seen(text: str, unnamed: bool, tmp_path: Path) -> None:
    dump = tmp_path / "shop.sql"
    dump.write_text(text)
    assert letters_of(dump) == Letters((), unnamed)
    # Bytes of another character set say nothing of the server's.
    dump.write_bytes(text.encode("gbk"))
    assert letters_of(dump) == Letters()


def test_a_study_has_the_character_set_where_a_server_has_another_by_default(tmp_path: Path) -> None:
    letters = Letters((), unnamed=True)

    def variables(asked: TemplateContent) -> dict[str, object]:
        return dict(parse_study(study_text(asked), tmp_path / "mine.toml").server.variables)

    (tmp_path / "shop.sql").write_text(PLAIN.format("") + CHINESE)
    name = "character_set_server"
    assert variables(content(("mariadb@10.11",), letters)) == {name: "utf8mb4"}
    assert variables(content(("mysql@8.0.30", "mysql@5.7"), letters)) == {name: "utf8mb4"}
    assert not variables(content(("mysql@8.0.30",), letters))
    assert not variables(content(("mariadb@10.11",), Letters()))
    factor = f"server.variables.{name}=latin1,utf8mb4"
    assert not variables(content(("mariadb@10.11",), letters, factor=factor))


@pytest.mark.live
def test_a_server_has_the_character_set_that_is_said(mariadb: Instance) -> None:
    with closing(mariadb.connect()) as connection:
        ((default,),) = connection.rows(
            "SELECT DEFAULT_CHARACTER_SET_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'mysql'",
            columns=1,
        )
    build = mariadb.build
    assert UTF8MB4_BY_DEFAULT.is_known(build.flavour_name, build.version) is (str(default) == "utf8mb4")


@pytest.mark.live
def test_a_check_says_how_it_has_letters_that_a_table_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "shop.sql").write_text(PLAIN.format("") + CHINESE)
    own = tmp_path / "own.sql"
    own.write_text("-- @data shop.sql\nSELECT t FROM a WHERE id = 1;\n")
    command = ["own", "check", str(own)]
    assert exit_code_of(command)
    said = capsys.readouterr().err
    assert f"write {CHARACTER_SET} into [server.variables]" in said
    assert exit_code_of([*command, *said.rpartition("; here: ")[2].split()]) == 0
