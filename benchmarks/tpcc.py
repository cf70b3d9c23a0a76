"""Runs TPC-C by the engine, tpcc-mysql and sysbench-tpcc, each on tables that it loaded itself."""

from __future__ import annotations

import re
import resource
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import engine
from benchmarks.child import Child, ContestantFailed, last_words, run_child, well_ended
from benchmarks.databases import Databases
from benchmarks.fetched import Fetched
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures
from benchmarks.servers import Servers

TPCC_MYSQL = Fetched(
    "tpcc-mysql",
    "ASSAY_PEER_TPCC_MYSQL",
    ("tpcc_start", "tpcc_load", "create_table.sql", "add_fkey_idx.sql"),
    "Clone Percona-Lab/tpcc-mysql from GitHub and run make in its src",
)
SYSBENCH_TPCC = Fetched(
    "sysbench-tpcc",
    "ASSAY_PEER_SYSBENCH_TPCC",
    ("tpcc.lua", "tpcc_run.lua"),
    "Clone Percona-Lab/sysbench-tpcc from GitHub; sysbench runs it",
)

CONNECTIONS = 16
_PARTS = range(1, 5)  # of tpcc_load: items, warehouses with districts and stock, customers, orders
_WARM_UP_S = 1
_SOCKET_MOST = 50
_LOAD_LIMIT_S = 3600.0
_POOL_BYTES_EACH = 384 << 20
"""Bytes of the buffer pool for each warehouse of all databases: nothing is read from the disk."""


class Houses(Databases):
    """TPC-C databases with the same number of warehouses."""

    def at(self, name: str) -> Endpoint:
        """Returns the address of a database, with a socket that tpcc-mysql does not cut."""
        return replace(super().at(name), socket=self.servers.short_socket())

    def orders(self, name: str, district: str = "district") -> int:
        """Returns the number of New-Orders ever committed, as the tables count them."""
        return int(self.row(f"SELECT SUM(d_next_o_id) FROM {self.at(name).database}.{district}")[0])


def houses(servers: Servers, warehouses: int) -> Houses:
    """Returns databases with so many warehouses each."""
    wanted = (1 << 30) + warehouses * _POOL_BYTES_EACH

    def settings(pool: int) -> list[str]:
        return [f"SET GLOBAL innodb_buffer_pool_size = {wanted}"] if pool < wanted else []

    return Houses(servers, warehouses, "assay_tpcc", "", "SELECT @@innodb_buffer_pool_size", settings)


def ours(houses: Houses, dialect: str, seconds: int, *, warm_up_s: int = _WARM_UP_S) -> Figures:
    """Returns the engine's figures in one of its dialects: New-Orders of its own count and window, CPU of the
    whole process.
    """
    name, load = _loaded_by_us(houses, dialect)
    before, used = houses.orders(name), houses.servers.cpu_s()
    running = replace(load, seconds=seconds, warm_up_s=warm_up_s)
    figures = engine.run(running, houses.at(name))
    used, committed = houses.servers.cpu_s() - used, houses.orders(name) - before
    return {
        "orders_per_min": figures["new_order_inside"] * 60 / seconds,
        "committed_per_min": committed * 60 / (seconds + warm_up_s),
        "cpu_us_per_order": figures["cpu_s"] * 1e6 / committed,
        "server_us_per_order": used * 1e6 / committed,
        "rss_mb": figures["rss_mb"],
    }


def telling(houses: Houses, rate: float, seconds: int, interval_s: int) -> Figures:
    """Returns the engine's CPU time in an open loop that reports every `interval_s`."""
    name, load = _loaded_by_us(houses, "spec")
    running = replace(load, seconds=seconds, rate=rate, interval_s=interval_s)
    return engine.telling(running, houses.at(name))


def ours_load(houses: Houses, dialect: str) -> Figures:
    """Returns the figures of the engine's `prepare`: tables, rows, indexes, foreign keys."""
    with houses.passing() as endpoint:
        # tpcc_load knows TCP alone.
        load = replace(_load(houses, dialect), transport="tcp", loaders=len(_PARTS))
        used = houses.servers.cpu_s()
        figures = engine.prepare(load, endpoint)
        used = houses.servers.cpu_s() - used
        return _loaded(houses, figures["wall_s"], figures["cpu_s"] + used)


def tpcc_mysql(houses: Houses, seconds: int) -> Figures:
    """Returns tpcc_start's figures: its count by connection ("sum ver."), as the other is not atomic; CPU of
    the process.
    """
    name = "tpcc_mysql"
    endpoint = houses.filled(name, partial(_tpcc_load, houses))
    before, used = houses.orders(name), houses.servers.cpu_s()
    if len(str(endpoint.socket)) > _SOCKET_MOST:
        raise ContestantFailed(f"it cuts {endpoint.socket}: set TMPDIR to a shorter path")
    command = [
        *(str(TPCC_MYSQL.folder() / "tpcc_start"), "-h", "localhost", "-S", str(endpoint.socket)),
        *("-d", endpoint.database, "-u", "root", "-p", ""),
        *("-w", str(houses.size), "-c", str(CONNECTIONS)),
        *("-r", str(_WARM_UP_S), "-l", str(seconds), "-i", str(seconds)),
    ]
    child = well_ended(run_child(command, limit_s=seconds * 3 + 120))
    # Its exit code is 0 whatever happens.
    sums = child.stdout.partition("<Raw Results2(sum ver.)>")[2]
    found = re.search(r"\[0\] sc:(\d+)\s+lt:(\d+)", sums)
    used, committed = houses.servers.cpu_s() - used, houses.orders(name) - before
    if found is None or not committed:
        raise ContestantFailed(last_words(child.stderr, child.stdout))
    return {
        "orders_per_min": (int(found[1]) + int(found[2])) * 60 / seconds,
        "cpu_us_per_order": child.cpu_s * 1e6 / committed,
        "server_us_per_order": used * 1e6 / committed,
        "rss_mb": child.rss_mb,
    }


def tpcc_mysql_load(houses: Houses) -> Figures:
    """Returns the figures of tpcc_load in four parallel parts, as its load.sh starts it, between its two SQL
    files.
    """
    with houses.passing() as endpoint:
        start, used = time.monotonic(), houses.servers.cpu_s()
        loaders_s = _tpcc_load(houses, endpoint)
        used = houses.servers.cpu_s() - used
        return _loaded(houses, time.monotonic() - start, loaders_s + used)


def sysbench_tpcc(houses: Houses, seconds: int) -> Figures:
    """Returns sysbench-tpcc's figures. New-Orders are counted in the tables; CPU is the whole process's."""
    name = "sysbench"
    houses.filled(name, lambda _: _sysbench(houses, name, houses.size, "prepare", limit_s=_LOAD_LIMIT_S))
    before, used = houses.orders(name, "district1"), houses.servers.cpu_s()
    child = _sysbench(
        houses, name, CONNECTIONS, f"--time={seconds}", "--events=0", "run", limit_s=seconds * 3 + 120
    )
    used, committed = houses.servers.cpu_s() - used, houses.orders(name, "district1") - before
    if not committed:
        raise ContestantFailed(last_words(child.stdout))
    return {
        "committed_per_min": committed * 60 / seconds,
        "cpu_us_per_order": child.cpu_s * 1e6 / committed,
        "server_us_per_order": used * 1e6 / committed,
        "rss_mb": child.rss_mb,
    }


def _load(houses: Houses, dialect: str) -> Load:
    # The others' tables have foreign keys.
    options: Mapping[str, Any] = {
        "warehouses": houses.size,
        "dialect": dialect,
        "foreign_keys": True,
    }
    return Load("tpcc", CONNECTIONS, options=options)


def _loaded_by_us(houses: Houses, dialect: str) -> tuple[str, Load]:
    """Returns the database that the engine has loaded for a dialect, and the load on it."""
    name = f"ours_{dialect.replace('-', '_')}"
    load = _load(houses, dialect)
    houses.filled(name, partial(engine.prepare, load))
    return name, load


def _loaded(houses: Houses, wall_s: float, cpu_s: float) -> Figures:
    return {
        "wall_s": wall_s,
        "warehouses_per_min": houses.size * 60 / wall_s,
        "cpu_s_per_warehouse": cpu_s / houses.size,
    }


def _tpcc_load(houses: Houses, endpoint: Endpoint) -> float:
    """Returns the CPU time of its four processes, in seconds."""
    folder = TPCC_MYSQL.folder()
    _sql(houses, endpoint, folder / "create_table.sql")
    last = str(houses.size)
    place = ["-h", "127.0.0.1", "-P", str(endpoint.port), "-d", endpoint.database]
    login = ["-u", "root", "-p", endpoint.password]
    command = [str(folder / "tpcc_load"), *place, *login, "-w", last]
    parts = [
        subprocess.Popen(
            [*command, "-l", str(part), "-m", "1", "-n", last],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for part in _PARTS
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        deadline = time.monotonic() + _LOAD_LIMIT_S
        for part in parts:
            part.wait(max(deadline - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        raise ContestantFailed(f"tpcc_load is not done after {_LOAD_LIMIT_S:.0f} s") from None
    finally:
        for part in parts:
            part.kill()
            part.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    _sql(houses, endpoint, folder / "add_fkey_idx.sql")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _sql(houses: Houses, endpoint: Endpoint, path: Path) -> None:
    """Runs a file of statements, each ended by a semicolon, which none of them contains."""
    statements = path.read_text().split(";")
    houses.execute(*filter(str.strip, statements), database=endpoint.database)


def _sysbench(houses: Houses, name: str, threads: int, *words: str, limit_s: float) -> Child:
    endpoint = houses.at(name)
    command = [
        *("sysbench", "./tpcc.lua", "--db-driver=mysql", f"--mysql-socket={endpoint.socket}"),
        *("--mysql-user=root", f"--mysql-db={endpoint.database}"),
        *(f"--scale={houses.size}", "--tables=1", f"--threads={threads}"),
    ]
    # Its scripts find each other in the working directory.
    command = ["env", "-C", str(SYSBENCH_TPCC.folder()), *command, *words]
    return well_ended(run_child(command, limit_s=limit_s))
