"""Tables of one's own are, after a load, those that the server's own client makes of the files."""

from __future__ import annotations

import json
import lzma
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import InputError, ServerError
from assay.design.plan import OwnData
from assay.measurement.source.dataset.fingerprint import loaded_tables
from assay.measurement.source.dataset.own_tables import Loading, settle
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Instance
from dump_folders import MYDUMPER, SHELL, TABLE, folder

pytestmark = pytest.mark.live

DUMP = r"""/*M!999999\- enable the sandbox mode */
-- MariaDB dump
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
CREATE TABLE `b` (`id` int NOT NULL AUTO_INCREMENT, `a` int, PRIMARY KEY (`id`), KEY `a` (`a`),
  CONSTRAINT `f` FOREIGN KEY (`a`) REFERENCES `a` (`id`)) ENGINE=InnoDB;
LOCK TABLES `b` WRITE;
/*!40000 ALTER TABLE `b` DISABLE KEYS */;
INSERT INTO `b` VALUES (0,2),(1,1),
(2,1);
/*!40000 ALTER TABLE `b` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `a`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `a` (
  `id` int NOT NULL,
  `t` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL COMMENT 'a; b',
  `l` varchar(9) CHARACTER SET latin1,
  `x` varbinary(20),
  `j` longtext CHECK (json_valid(`j`)),
  `g` point,
  `s` int GENERATED ALWAYS AS (`id` * 2) STORED,
  `at` timestamp NULL,
  PRIMARY KEY (`id`), KEY `t` (`t`), FULLTEXT KEY `f` (`t`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO `a` (`id`, `t`, `l`, `x`, `j`, `g`, `at`) VALUES (1,'it''s \'x\'; 😀\n','é',0x00FF27,'{"a": [1, "\\n"]}',ST_GeomFromText('POINT(1 2)'),'2026-01-05 12:00:00'),(2,NULL,NULL,_binary '\0\\','[]',NULL,NULL);
INSERT INTO `a` (`id`, `t`) VALUES (3,'-- no; comment');
/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;
/*!50003 SET sql_mode              = 'STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`gone`@`%`*/ /*!50003 TRIGGER `tr` BEFORE INSERT ON `a` FOR EACH ROW BEGIN SET NEW.t = 'x;'; END */;;
CREATE DEFINER=`gone`@`%` PROCEDURE `p`() BEGIN SELECT 1; SELECT 'b;'; END;;
DELIMITER ;
/*!50003 SET sql_mode              = @saved_sql_mode */ ;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`gone`@`%` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS SELECT `id` FROM `a` WHERE `t` <> ';' */;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
"""  # noqa: E501
COLLATIONS = {"utf8mb4_0900_ai_ci": "utf8mb4_unicode_520_ci"}
OBJECTS = ("TRIGGER tr", "PROCEDURE p", "VIEW v", "TABLE a", "TABLE b")

Load = Callable[..., list[str]]


@pytest.fixture
def load(mariadb: Instance) -> Iterator[Load]:
    made = []
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SET GLOBAL local_infile = ON")

        def loaded(
            path: Path, database: str | None, collations: dict[str, str] | None = None, named: str = ""
        ) -> list[str]:
            made.append(database or named)
            own = OwnData(f"dump:{path}", str(path), "", database, collations=collations or {})
            done, notes = Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)
            assert settle(mariadb, own, done).database == made[-1]
            return notes

        yield loaded
        for database in filter(None, made):
            cursor.execute(f"DROP DATABASE IF EXISTS `{database}`")


def _holds(server: Instance, database: str) -> list[object]:
    """What is in a database: checksums of tables, and the texts of all objects."""
    found: list[object] = []
    with closing(server.connect()) as connection:
        connection.select_db(database)
        for table in ("a", "b"):
            found += [connection.rows(f"CHECKSUM TABLE {table}")[0][1]]
            found += [connection.rows(f"SELECT * FROM {table} ORDER BY id")]
        for one in OBJECTS:
            texts = connection.rows(f"SHOW CREATE {one}")[0]
            found += [str(text).replace(f"`{database}`", "") for text in texts[1:4]]
    return found


def test_tables_are_those_that_the_client_makes(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    dump = tmp_path / "shop.sql.xz"
    dump.write_bytes(lzma.compress(b"\xef\xbb\xbf" + DUMP.replace(";\n", ";\r\n").encode()))

    notes = load(dump, "by_engine", COLLATIONS)

    client = shutil.which("mariadb") or shutil.which("mysql")
    assert client is not None
    text = DUMP.replace("utf8mb4_0900_ai_ci", COLLATIONS["utf8mb4_0900_ai_ci"])
    for gone in ("DEFINER=`gone`@`%`", ",NO_AUTO_CREATE_USER"):
        text = text.replace(gone, "")
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE DATABASE by_client")
        command = [client, "--no-defaults", f"--socket={mariadb.socket}", "--user=root", "by_client"]
        subprocess.run(command, input=text.encode(), check=True)
        try:
            assert _holds(mariadb, "by_engine") == _holds(mariadb, "by_client")
        finally:
            cursor.execute("DROP DATABASE by_client")
    said = "\n".join(notes)
    for part in (
        "transactions and locks",
        "keys that are disabled",
        "3 definers",
        "1 sql_mode",
        "1 collation",
    ):
        assert part in said
    assert "in order over one connection" not in said


def test_folders_of_dump_programs_are_loaded(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    for name, files in (("of_shell", SHELL), ("of_mydumper", MYDUMPER)):
        load(folder(tmp_path / name, files), None, named="shop")
        with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
            rows = connection.rows("SELECT id, b FROM shop.a ORDER BY id")
            assert list(rows) == [(1, "a"), (2, "b")]
            connection.select_db("shop")
            assert connection.rows("SHOW CREATE TRIGGER t")
            assert connection.rows("SHOW CREATE VIEW v")
            cursor.execute("DROP DATABASE shop")


def _met_in_statements(place: Path) -> Path:
    """Returns a dump of ten tables with two statements each, of which every connection takes one."""
    rows = [",".join(f"({first + row},'{'x' * 60_000}')" for row in range(20)) for first in (0, 20)]
    made = [TABLE.replace("`a`", f"`t{number}`") for number in range(10)]
    filled = [f"INSERT INTO t{number} VALUES {some};\n" for number in range(10) for some in rows]
    dump = place / "met.sql"
    dump.write_text("".join(["SET unique_checks = 0, foreign_key_checks = 0;\n", *made, *filled]))
    return dump


def _met_in_files(place: Path) -> Path:
    """Returns a folder of MySQL Shell with forty tables, each in four files of ten rows."""
    names = [f"t{number}" for number in range(40)]
    files = {name: SHELL[name].replace("shop", "met") for name in ("@.json", "@.done.json")}
    parts = {name: f"met@{name}" for name in names}
    files["met.sql"] = "CREATE DATABASE met;"
    files["met.json"] = json.dumps({"tables": names, "views": [], "basenames": parts})
    for name, part in parts.items():
        files[f"{part}.sql"] = TABLE.replace("`a`", f"`{name}`")
        files[f"{part}.json"] = json.dumps(
            {"options": {"columns": ["id", "b"]}, "includesData": True, "extension": "tsv"}
        )
        for piece in range(4):
            mark = "@@" if piece == 3 else "@"
            rows = "".join(f"{10 * piece + row}\tx\n" for row in range(10))
            files[f"{part}{mark}{piece}.tsv"] = rows
    return folder(place / "met", files)


@pytest.mark.parametrize("made", [_met_in_statements, _met_in_files])
def test_connections_that_meet_in_an_empty_table_try_again(
    made: Callable[[Path], Path], mariadb: Instance, load: Load, tmp_path: Path
) -> None:
    load(made(tmp_path), "met")

    with closing(mariadb.connect()) as connection:
        tables = [name for (name,) in connection.rows("SHOW TABLES FROM met")]
        counts = [connection.rows(f"SELECT count(*), count(DISTINCT id) FROM met.{name}") for name in tables]
    assert len(tables) >= 10
    assert all(count == [(40, 40)] for count in map(list, counts))


NAMED = """DROP DATABASE IF EXISTS Named;
CREATE DATABASE `Named` DEFAULT CHARACTER SET latin1;
USE `Named`;
CREATE TABLE a (id int PRIMARY KEY, t varchar(9));
INSERT INTO Named.a VALUES (1,'x'),(2,'y');
CREATE VIEW v AS SELECT t FROM Named.a;
"""


def test_a_dump_is_loaded_into_the_only_database_that_it_names(
    mariadb: Instance, load: Load, tmp_path: Path
) -> None:
    dump = tmp_path / "named.sql"
    dump.write_text(NAMED)

    notes = load(dump, None, named="Named")

    with closing(mariadb.connect()) as connection:
        assert connection.rows("SELECT t FROM Named.v ORDER BY t") == [("x",), ("y",)]
        assert "CHARSET=latin1" in str(connection.rows("SHOW CREATE TABLE Named.a")[0][1])
    assert "left out of the files: 2 statements about databases" in notes

    dump.write_text(
        "CREATE DATABASE Cased;\nUSE cased;\nCREATE TABLE a (id int);\nINSERT INTO a VALUES (1);\n"
    )
    load(dump, None, named="Cased")  # whoever writes for Windows or macOS does not heed capitals
    with closing(mariadb.connect()) as connection:
        assert connection.rows("SELECT id FROM Cased.a") == [(1,)]

    dump.write_text(NAMED + "CREATE TABLE other.b (id int);\n")
    with pytest.raises(InputError, match="several databases: Named, other") as refused:
        load(dump, None)
    assert 'database = "Named"' in str(refused.value.hint)


def test_a_table_that_keeps_old_rows_is_counted(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    dump = tmp_path / "kept.sql"
    dump.write_text(
        "CREATE TABLE a (id int PRIMARY KEY) WITH SYSTEM VERSIONING;\nINSERT INTO a VALUES (1),(2);\n"
        "CREATE SEQUENCE s;\nCREATE VIEW v AS SELECT id FROM a;\n"
    )
    load(dump, "kept")
    with closing(mariadb.connect()) as connection:
        assert [(table.name, table.rows) for table in loaded_tables(connection, "kept")] == [("a", 2)]


def test_rows_of_files_and_what_the_server_refuses(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    schema = "CREATE TABLE a (id int PRIMARY KEY, b varchar(20), c int);\n"
    (folder / "schema.sql").write_text(schema)
    (folder / "a.csv").write_text('c,id,b\n7,1,"x, ""y""\nz"\n8,2,plain "q"\n')
    load(folder, "of_rows")
    with closing(mariadb.connect()) as connection:
        rows = connection.rows("SELECT id, b, c FROM of_rows.a ORDER BY id")
    assert list(rows) == [(1, 'x, "y"\nz', 7), (2, 'plain "q"', 8)]

    (folder / "a.csv").write_text("c,id,b\nseven,3,x\n")
    with pytest.raises(ServerError, match=r"a\.csv: record 1 and on: a took 1 of 1 rows, with 1 warning"):
        load(folder, "of_rows_2")

    own = tmp_path / "own.sql"
    own.write_text(f"{schema}LOAD DATA LOCAL INFILE 'shop/rows' INTO TABLE a FIELDS TERMINATED BY ';';\n")
    (folder / "rows").write_text("1;x;7\n2;y;8\n")
    load(own, "of_local")
    with closing(mariadb.connect()) as connection:
        rows = connection.rows("SELECT id, b, c FROM of_local.a ORDER BY id")
    assert list(rows) == [(1, "x", 7), (2, "y", 8)]

    wrong = tmp_path / "wrong.sql"
    wrong.write_text(f"{schema}INSERT INTO a VALUES (1,'x',2);\n\nCREATE VIEW v AS SELECT gone FROM a;\n")
    with pytest.raises(ServerError, match=r"wrong\.sql:4: CREATE VIEW v AS SELECT gone"):
        load(wrong, "of_wrong")

    wrong.write_text(f"{schema}INSERT INTO a VALUES (1,'x','y');\n")
    with pytest.raises(ServerError, match="Incorrect integer value") as refused:
        load(wrong, "of_wrong_2")
    assert "does not fit its column" in str(refused.value.hint)


RARE = b"""SET NAMES gbk;
SET unique_checks = 0, foreign_key_checks = 0;
ALTER DATABASE `rare` COLLATE utf8mb4_bin;
CREATE TABLE a (id int PRIMARY KEY, t varchar(9) CHARACTER SET gbk, u int, UNIQUE KEY (u)) ENGINE=InnoDB;
INSERT INTO a VALUES (1,'\xd5\x5c',7),(2,'it''s',8);
INSERT INTO a VALUES (3,'x',9);
CREATE TABLE b (t varchar(9)) ENGINE=InnoDB;
INSERT INTO b VALUES ('y');
DELIMITER $$
CREATE PROCEDURE p() BEGIN SELECT 1; END
DELIMITER ;
DELIMITER $$
BEGIN NOT ATOMIC INSERT INTO b VALUES ('z'); END$$
DELIMITER ;
"""


def test_what_dumps_rarely_have_is_taken_as_it_stands(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    dump = tmp_path / "rare.sql"
    dump.write_bytes(RARE)
    packed = tmp_path / "rare.sql.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(dump, "export/rare.sql")

    notes = load(packed if shutil.which("unzip") else dump, "rare")

    assert not any("order" in note for note in notes)
    with closing(mariadb.connect()) as connection:
        assert list(connection.rows("SELECT t, u FROM rare.a ORDER BY id")) == [
            ("\u8aa0", 7),
            ("it's", 8),
            ("x", 9),
        ]
        assert list(connection.rows("SELECT t FROM rare.b ORDER BY t")) == [("y",), ("z",)]
        assert "utf8mb4_bin" in str(connection.rows("SHOW CREATE TABLE rare.b")[0][1])
        assert connection.rows("SHOW CREATE PROCEDURE rare.p")

    dump.write_bytes(RARE.replace(b"(3,'x',9)", b"(3,'x',8)"))
    with pytest.raises(ServerError, match=r"rare\.sql:[56]\b.*Duplicate entry '8'"):
        load(dump, "rare_2")


ORDERED = """CREATE TABLE a (id int AUTO_INCREMENT PRIMARY KEY, b int, KEY b (b));
INSERT INTO a (b) VALUES (7);
SET @first = LAST_INSERT_ID();
DROP TABLE a;
CREATE TABLE a (id int PRIMARY KEY, c int);
INSERT INTO a VALUES (@first, 1);
SELECT CONCAT('ALTER TABLE a ADD d', c, ' int') INTO @text FROM a;
PREPARE add_column FROM @text;
EXECUTE add_column;
CREATE VIEW v AS SELECT c FROM a;
"""


def test_a_file_whose_order_matters_keeps_it(mariadb: Instance, tmp_path: Path) -> None:
    """Also without its rows, as `assay plan` tries it; what needs them is said to be untried."""
    dump = tmp_path / "ordered.sql"
    dump.write_text(ORDERED)
    own = OwnData(f"dump:{dump}", str(dump), "", "of_order")
    loading = Loading(mariadb.build, own, Interrupts())
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        try:
            _, notes = loading.carry_out(mariadb, structure_only=True)
            assert connection.rows("SELECT COUNT(*) FROM of_order.v") == [(0,)]
            assert "2 statements could not be tried without the rows, the first at ordered.sql:8" in notes

            cursor.execute("DROP DATABASE of_order")
            loading.carry_out(mariadb)
            assert connection.rows("SELECT id, c, d1 FROM of_order.a") == [(1, 1, None)]

            after = Loading(mariadb.build, replace(own, indexes_after=True), Interrupts())
            with pytest.raises(InputError, match=r"the order of the files matters: ordered\.sql:2: "):
                after.carry_out(mariadb)
        finally:
            cursor.execute("DROP DATABASE IF EXISTS of_order")
