"""Dumps are loaded as the server's own client loads them, or refused by file and line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import AssayError, ServerError
from assay.design.plan import OwnData
from assay.measurement.source.dataset.own_tables import Loading, settle
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Connection, Instance

pytestmark = pytest.mark.live

HEAD = """/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET UNIQUE_CHECKS=0, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
"""
TABLE = "CREATE TABLE a (id int PRIMARY KEY, t text, n int, UNIQUE KEY n (n)) ENGINE=InnoDB;\n"


def _rows(first: int) -> str:
    """A hundred rows of 4 kB, one a line."""
    return ",\n".join(f"({row},'{'x),(' * 1000}',{-row})" for row in range(first, first + 100))


FILLED = "".join(f"INSERT INTO a VALUES {_rows(at)};\n" for at in range(0, 800, 100))
LONG = HEAD + TABLE + FILLED
"""Three megabytes of one table, which two connections share; its statements begin at lines 5, 105 … 705."""

DUMPS = {
    "long": LONG,
    "anew": TABLE + "INSERT INTO a VALUES (1,'x',1),(2,'y',2);\n"
    "INSERT INTO a VALUES (1,'z',1) ON DUPLICATE KEY UPDATE t = CONCAT(t, VALUES(t));\n"
    "REPLACE INTO a VALUES (2,'w',3);\n"
    "INSERT IGNORE INTO a VALUES (2,'never',9),(4,'four',4);\n",
    "of_rows": TABLE + "INSERT INTO a VALUES (1,'x',1);\nCREATE TABLE b AS SELECT id, t FROM a;\n"
    "INSERT INTO a VALUES (2,'y',2);\n",
    "cycle": HEAD
    + "CREATE TABLE a (id int PRIMARY KEY, b int, CONSTRAINT a1 FOREIGN KEY (b) REFERENCES b (id));\n"
    "INSERT INTO a VALUES (1,2),(2,1);\n"
    "CREATE TABLE b (id int PRIMARY KEY, a int, CONSTRAINT b1 FOREIGN KEY (a) REFERENCES a (id));\n"
    "INSERT INTO b VALUES (1,1),(2,2);\n",
    "made": HEAD + "CREATE TABLE a (id int PRIMARY KEY, v int GENERATED ALWAYS AS (id * 2) VIRTUAL,\n"
    "  s int AS (id + 1) STORED, KEY v (v));\nINSERT INTO a (id) VALUES (1),(2);\n"
    "INSERT INTO a VALUES (3, DEFAULT, DEFAULT);\n",
    "parts": HEAD + "CREATE TABLE a (id int, y int, PRIMARY KEY (id, y))\n"
    "/*!50100 PARTITION BY RANGE (y) (PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB,\n"
    " PARTITION p1 VALUES LESS THAN MAXVALUE ENGINE = InnoDB) */;\nINSERT INTO a VALUES (1,5),(2,50);\n",
    "objects": HEAD + TABLE + "INSERT INTO a VALUES (1,'x',1);\n"
    "/*!50003 SET @saved = @@sql_mode */;\n/*!50003 SET sql_mode = 'STRICT_TRANS_TABLES' */;\nDELIMITER ;;\n"
    "/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.t = ';;'; END */;;\n"
    "CREATE FUNCTION f(x int) RETURNS int DETERMINISTIC BEGIN RETURN x + 1; END;;\n"
    "/*!50106 CREATE EVENT e ON SCHEDULE EVERY 1 YEAR DISABLE DO DELETE FROM a */;;\nDELIMITER ;\n"
    "/*!50003 SET sql_mode = @saved */;\n/*!50001 CREATE VIEW w AS SELECT f(id) AS g FROM a */;\n",
    "purged": "SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;\nSET @@SESSION.SQL_LOG_BIN= 0;\n"
    "/*M!100000 SELECT 1 */;\n/*!50503 SET NAMES utf8mb4 */;\n"
    + TABLE
    + "/*!50503 INSERT INTO a VALUES (1,'é',1) */;\n"
    "LOCK TABLES a WRITE;\n/*!40000 ALTER TABLE a DISABLE KEYS */;\nINSERT INTO a VALUES (2,'y',2);\n"
    "/*!40000 ALTER TABLE a ENABLE KEYS */;\nUNLOCK TABLES;\n"
    "SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN;\n",
    "counted": "CREATE TABLE a (id int AUTO_INCREMENT PRIMARY KEY, t varchar(9), KEY (t));\n"
    "INSERT INTO a (t) VALUES ('x'),('y');\nINSERT INTO a (t) VALUES ('z');\n",
    "other": TABLE.replace("InnoDB", "MyISAM") + FILLED,
}


@pytest.fixture
def admin(mariadb: Instance) -> Iterator[Connection]:
    with closing(mariadb.connect()) as connection:
        yield connection
        _drop(connection)


def _drop(admin: Connection) -> None:
    with admin.cursor() as cursor:
        for database in ("by_engine", "by_client"):
            cursor.execute(f"DROP DATABASE IF EXISTS {database}")


def _by_client(server: Instance, admin: Connection, text: str) -> None:
    client = shutil.which("mariadb") or shutil.which("mysql")
    assert client is not None
    with admin.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE DATABASE by_client")
    command = [client, "--no-defaults", f"--socket={server.socket}", "--user=root", "by_client"]
    subprocess.run(command, input=text.encode(), check=True)


def _holds(admin: Connection, database: str) -> dict[str, object]:
    """What a database holds: rows and definitions of its tables, and its other objects."""
    admin.select_db(database)
    found: dict[str, object] = {}
    for name, kind in admin.rows("SHOW FULL TABLES"):
        rows = sorted(map(repr, admin.rows(f"SELECT * FROM {name}")))
        shown = "VIEW" if kind == "VIEW" else "TABLE"
        texts = str(admin.rows(f"SHOW CREATE {shown} {name}")[0][1]).replace(database, "")
        sums = admin.rows(f"CHECKSUM TABLE {name}")[0][1] if shown == "TABLE" else None
        found[name] = (rows, texts, sums)
    for kind, column in (("TRIGGERS", "TRIGGER"), ("ROUTINES", "ROUTINE"), ("EVENTS", "EVENT")):
        ask = f"SELECT {column}_NAME FROM information_schema.{kind} WHERE {column}_SCHEMA = '{database}'"
        found[kind] = sorted(admin.rows(ask))
    return found


@pytest.mark.parametrize("name", DUMPS)
def test_a_dump_makes_what_the_client_makes(
    name: str, mariadb: Instance, admin: Connection, tmp_path: Path
) -> None:
    dump = tmp_path / f"{name}.sql"
    dump.write_text(DUMPS[name])
    own = OwnData(f"dump:{dump}", str(dump), "", "by_engine")

    done, _ = Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)

    settle(mariadb, own, done)
    _by_client(mariadb, admin, DUMPS[name])
    assert _holds(admin, "by_engine") == _holds(admin, "by_client")


def test_indexes_that_are_made_later_are_the_same(
    mariadb: Instance, admin: Connection, tmp_path: Path
) -> None:
    second = LONG.replace(" a ", " b ").replace("UNIQUE KEY n (n)", "KEY t (t(9)), FULLTEXT KEY f (t)")
    dump = tmp_path / "later.sql"
    dump.write_text(LONG + second)
    own = OwnData(f"dump:{dump}", str(dump), "", "by_engine", indexes_after=True)

    _, notes = Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)

    _by_client(mariadb, admin, LONG + second)
    assert _holds(admin, "by_engine") == _holds(admin, "by_client")
    assert "made indexes after the rows, by 3 statements" in notes

    dump.write_text(LONG.replace(",-799)", ",-1)"))
    _drop(admin)
    with pytest.raises(ServerError, match=r"later\.sql:4: ALTER TABLE a ADD UNIQUE KEY n .*Duplicate entry"):
        Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        ("x),(", r"torn\.sql:804: a quote or a comment is not closed"),
        ("799", r"torn\.sql:705: the last row is not closed; is the file whole\?"),
        ("\n(", r"torn\.sql:705: the last row is not closed; is the file whole\?"),
        ("(700", r"torn\.sql:705: the last row is not closed; is the file whole\?"),
        ("", r"torn\.sql:405: server error 1062 .*Duplicate entry '499'"),
    ],
)
def test_what_is_wrong_in_rows_is_named_by_its_line(
    cut: str, words: str, mariadb: Instance, admin: Connection, tmp_path: Path
) -> None:
    """The last occurrence of `cut` and what follows it are missing; or two rows have the same key."""
    dump = tmp_path / "torn.sql"
    dump.write_text(LONG[: LONG.rindex(cut)] if cut else LONG.replace("(450,", "(499,"))
    own = OwnData(f"dump:{dump}", str(dump), "", "by_engine")

    with pytest.raises(AssayError, match=words):
        Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)

    assert bool(admin.rows("SHOW DATABASES LIKE 'by_engine'")) == (not cut)
