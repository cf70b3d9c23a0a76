"""Runs LinkBench by the engine and by the original in Java, each on tables that it loaded itself."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import partial

from benchmarks import engine, linkbench_java
from benchmarks.databases import Databases
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures
from benchmarks.servers import Servers

CONNECTIONS = 16
WARM_UP_S = 5
_FEWEST_S = 10
_LOAD_LIMIT_S = 1800.0
_BYTES_OF_A_LINK, _BYTES_OF_AN_ID = 400, 600
"""Room in the buffer pool, all indexes and pages half full; no graph has fewer links than its hub."""
_HUB_LINKS, _LINKS_OF_AN_ID = 1_000_000, 5

_BIG = "BIGINT UNSIGNED NOT NULL DEFAULT 0"
_TABLES = (
    f"CREATE TABLE linktable (id1 {_BIG}, id2 {_BIG}, link_type {_BIG},"
    f" visibility TINYINT NOT NULL DEFAULT 0, data VARCHAR(255) NOT NULL DEFAULT '', time {_BIG},"
    " version INT UNSIGNED NOT NULL DEFAULT 0, PRIMARY KEY (link_type, id1, id2))"
    " ENGINE = InnoDB CHARSET = latin1 PARTITION BY KEY (id1) PARTITIONS 16",
    f"CREATE TABLE counttable (id {_BIG}, link_type {_BIG}, count INT UNSIGNED NOT NULL DEFAULT 0,"
    f" time {_BIG}, version {_BIG}, PRIMARY KEY (id, link_type)) ENGINE = InnoDB CHARSET = latin1",
    "CREATE TABLE nodetable (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
    " type INT UNSIGNED NOT NULL, version BIGINT UNSIGNED NOT NULL, time INT UNSIGNED NOT NULL,"
    " data MEDIUMTEXT NOT NULL) ENGINE = InnoDB CHARSET = latin1",
)
_INDEX = "CREATE INDEX id1_type ON linktable (id1, link_type, visibility, time, id2, version, data)"


def graphs(servers: Servers, ids: int) -> Databases:
    """Returns databases of so many ids each, on a server that holds all of them in memory and lets the driver
    log in.
    """
    graph = _BYTES_OF_A_LINK * (_HUB_LINKS + _LINKS_OF_AN_ID * ids) + _BYTES_OF_AN_ID * ids

    def settings(pool: int, old_mode: str, version: str) -> list[str]:
        statements = []
        if pool < (1 << 30) + 3 * graph:
            statements.append(f"SET GLOBAL innodb_buffer_pool_size = {(1 << 30) + 3 * graph}")
        # Its Connector/J ends at collations without a number, which came with MariaDB 10.10.
        if _numbers(version) >= (10, 10) and "NO_NULL_COLLATION_IDS" not in old_mode:
            statements.append("SET GLOBAL old_mode = CONCAT_WS(',', @@old_mode, 'NO_NULL_COLLATION_IDS')")
        return statements

    question = "SELECT @@innodb_buffer_pool_size, @@old_mode, VERSION()"
    return Databases(servers, ids, "assay_linkbench", " CHARACTER SET latin1", question, settings)


def window_s(seconds: int) -> int:
    """Returns the measured seconds, at least the fewest in which the original shows a rate."""
    return max(seconds, _FEWEST_S)


def ours(graphs: Databases, seconds: int) -> Figures:
    """Returns the engine's figures: CPU of the whole process over all operations, the warm-up's included."""
    load = _load(graphs)
    endpoint = graphs.filled("ours", partial(engine.prepare, load))
    running = replace(load, seconds=window_s(seconds), warm_up_s=WARM_UP_S)
    figures = engine.run(running, endpoint)
    return {
        "operations_per_s": figures["tps"],
        "cpu_us_per_operation": figures["cpu_s"] * 1e6 / (figures["events"] + figures["warm_up_events"]),
        "rss_mb": figures["rss_mb"],
    }


def original(graphs: Databases, seconds: int) -> Figures:
    """Returns the Java program's figures: its rate while all requesters ran; CPU, less that of its start,
    over all operations.
    """
    endpoint = graphs.filled("java", partial(_java_load, graphs))
    window = window_s(seconds)
    asked = {**_of_graph(graphs), "requesters": CONNECTIONS, "maxtime": window, "warmup_time": WARM_UP_S}
    one_each = {**asked, "requests": 1, "warmup_time": 0}
    start = linkbench_java.run(endpoint, "-r", one_each, limit_s=120)
    child = linkbench_java.run(endpoint, "-r", {**asked, "requests": 10**8}, limit_s=window * 3 + 120)
    operations = linkbench_java.operations(child.stderr)
    return {
        "operations_per_s": linkbench_java.steady_rate(child.stderr),
        "cpu_us_per_operation": (child.cpu_s - start.cpu_s) * 1e6 / operations,
        "rss_mb": child.rss_mb,
    }


def ours_load(graphs: Databases) -> Figures:
    """Returns the figures of the engine's `prepare`: tables, rows, index."""
    with graphs.passing() as endpoint:
        figures = engine.prepare(_load(graphs), endpoint)
        (links,) = graphs.row(f"SELECT COUNT(*) FROM {endpoint.database}.linktable")
        return {**figures, "links_per_s": links / figures["wall_s"]}


def original_load(graphs: Databases) -> Figures:
    """Returns the original's own seconds for the rows, and those for the index that its README creates
    afterwards.
    """
    with graphs.passing() as endpoint:
        return _java_load(graphs, endpoint)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)", version)
    return tuple(int(part) for part in found.groups()) if found and "MariaDB" in version else (0, 0)


def _load(graphs: Databases) -> Load:
    # The original knows TCP and text alone.
    options = {"maxid1": graphs.size + 1, "compat": "java"}
    return Load("linkbench", CONNECTIONS, transport="tcp", prepared=False, options=options)


def _java_load(graphs: Databases, endpoint: Endpoint) -> Figures:
    graphs.execute(*_TABLES, database=endpoint.database)
    child = linkbench_java.run(endpoint, "-l", _of_graph(graphs), limit_s=_LOAD_LIMIT_S)
    links, rows_s = linkbench_java.loaded(child.stderr)
    start = time.monotonic()
    graphs.execute(_INDEX, database=endpoint.database)
    wall_s = rows_s + time.monotonic() - start
    return {"wall_s": wall_s, "cpu_s": child.cpu_s, "rss_mb": child.rss_mb, "links_per_s": links / wall_s}


def _of_graph(graphs: Databases) -> dict[str, int]:
    return {"maxid1": graphs.size + 1}
