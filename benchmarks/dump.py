"""A dump as mysqldump writes it, and the ways to load it: by the engine, and by the server's own client."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from assay.system.server import Connection

from benchmarks.child import ContestantFailed, run_child, well_ended
from benchmarks.load import Endpoint
from benchmarks.rows import Figures

_TABLES = 4
_ROW = "({id},{k},'{c}','{pad}','2026-01-{day:02d} 12:00:00',{price})"
_ROW_BYTES = 232
_HEAD = """-- MariaDB dump
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
"""
_TABLE = """DROP TABLE IF EXISTS `orders{number}`;
CREATE TABLE `orders{number}` (
  `id` int NOT NULL AUTO_INCREMENT, `k` int NOT NULL, `c` char(120) NOT NULL, `pad` char(60) NOT NULL,
  `at` datetime NOT NULL, `price` decimal(10,2) NOT NULL,
  PRIMARY KEY (`id`), KEY `k` (`k`), KEY `at` (`at`,`k`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES `orders{number}` WRITE;
/*!40000 ALTER TABLE `orders{number}` DISABLE KEYS */;
"""
_STATEMENT_BYTES = 1_000_000
"""The length of a statement of mysqldump (`net_buffer_length`)."""


def rows_of(size: int) -> int:
    """Returns the rows of a dump of about so many bytes."""
    return size // _ROW_BYTES


@cache
def dump_of(rows: int, folder: Path) -> Path:
    """Returns a dump of so many rows of 220 bytes over four tables; it is written once."""
    path = folder / f"dump-{rows}.sql"
    with path.open("w") as out:
        out.write(_HEAD)
        for number in range(_TABLES):
            out.write(_TABLE.format(number=number))
            for values in _statements(number, rows // _TABLES):
                out.write(f"INSERT INTO `orders{number}` VALUES {values};\n")
            out.write(f"/*!40000 ALTER TABLE `orders{number}` ENABLE KEYS */;\nUNLOCK TABLES;\n")
    return path


def _statements(number: int, rows: int) -> Iterator[str]:
    drawn = random.Random(number)
    texts = [f"{drawn.getrandbits(400):0120d}"[:119] for _ in range(997)]
    values: list[str] = []
    size = 0
    for row in range(1, rows + 1):
        text = texts[row % len(texts)]
        given = {"k": drawn.randrange(rows), "c": text, "pad": text[:59], "day": row % 28 + 1}
        values.append(_ROW.format(id=row, price=row % 9973 / 100, **given))
        size += len(values[-1])
        if size > _STATEMENT_BYTES or row == rows:
            yield ",".join(values)
            values, size = [], 0


def loaded_by(
    way: Callable[[Path, Endpoint, str], Figures],
    path: Path,
    endpoint: Endpoint,
    admin: Callable[[], Connection],
) -> Figures:
    """Loads the dump into a new database in one way; the figures have a number that follows from the rows."""
    database = "dumped"
    with closing(admin()) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE OR REPLACE DATABASE {database}")
        figures = way(path, endpoint, database)
        tables = ", ".join(f"{database}.orders{number}" for number in range(_TABLES))
        cursor.execute(f"CHECKSUM TABLE {tables}")
        checksum = sum(int(found[1]) for found in cursor.fetchall())
        cursor.execute(f"DROP DATABASE {database}")
    return {**figures, "checksum": float(checksum), "mb_per_s": path.stat().st_size / 1e6 / figures["wall_s"]}


def by_client(path: Path, endpoint: Endpoint, database: str) -> Figures:
    """Loads the dump with the client, as `mysql < dump.sql` does."""
    client = shutil.which("mariadb") or shutil.which("mysql")
    if client is None:
        raise ContestantFailed("no client: install mariadb-client")
    command = [client, "--no-defaults", f"--socket={endpoint.socket}", "--user=root", database]
    source = f"source {path}\n".encode()
    child = well_ended(run_child(command, stdin=source, limit_s=1800))
    return {"wall_s": child.wall_s, "cpu_s": child.cpu_s, "rss_mb": child.rss_mb}
