"""Classes of faults in tables as pages print them, each made from the clean shapes by one change."""

from __future__ import annotations

import random
from collections.abc import Callable

import clean_shapes as shapes
from fault_cases import Case, Files


def _changed(files: Files, name: str, change: Callable[[list[list[str]]], None], by: str = ",") -> Files:
    rows = [line.split(by) for line in files[name].splitlines()]
    change(rows)
    return files | {name: "".join(by.join(row) + "\n" for row in rows)}


def run_far_from_the_others(chance: random.Random) -> Case:
    """One of three runs is far below the two others of its row."""
    clean = shapes.hammerdb_in_german(chance)
    row, run = chance.choice((1, 2, 3)), chance.choice((1, 2, 3))

    def change(rows: list[list[str]]) -> None:
        value = float(rows[row][run].replace(".", "")) * chance.uniform(0.5, 0.7)
        rows[row][run] = shapes.german(value, 0)

    return Case(_changed(clean, "hammerdb.csv", change, ";"), clean, "odd-runs", f"Lauf {run}")


def cell_of_another_series(chance: random.Random) -> Case:
    """One cell is that of the series beside it, which lies apart at all other load points."""
    ladder, low = [8, 16, 32, 64, 128], [chance.uniform(10_000, 11_000) * n**0.5 for n in (1, 2, 4, 8, 14)]
    rows = [
        (n, f"{x:.1f}", f"{x * chance.uniform(1.15, 1.25):.1f}") for n, x in zip(ladder, low, strict=True)
    ]
    clean = {"t.csv": shapes.table(("threads", "qps ext4", "qps xfs"), rows)}
    row = chance.choice((1, 2, 3, 4, 5))

    def change(rows: list[list[str]]) -> None:
        rows[row][1] = rows[row][2]

    return Case(_changed(clean, "t.csv", change), clean, "copied-cells", f"threads={ladder[row - 1]}")


def run_that_is_another(chance: random.Random) -> Case:
    """One of several repeats has every figure of another one."""
    clean = shapes.repeats_of_ycsb(chance)
    first, again = sorted(chance.sample(range(1, 7), 2))

    def change(rows: list[list[str]]) -> None:
        rows[again][1:] = rows[first][1:]

    return Case(_changed(clean, "repeats.tsv", change, "\t"), clean, "repeated-rows", f"run={again}")


def percentile_below_its_mean(chance: random.Random) -> Case:
    """A high percentile is below the mean in one row of a series, and well above it in all others."""
    clean = shapes.sysbench_of_two_versions(chance)
    row = chance.choice((1, 2, 3, 4, 5))

    def change(rows: list[list[str]]) -> None:
        rows[row][4] = f"{float(rows[row][3]) * chance.uniform(0.5, 0.9):.2f}"

    return Case(_changed(clean, "v84.csv", change), clean, "order", "p95")


def relative_figure_of_no_rate(chance: random.Random) -> Case:
    """A relative figure is not the quotient of the absolute ones, or the base is not 1."""
    clean = shapes.relative_rates(chance)
    absolute, _, relative = clean["ibench.txt"].partition("-- relative")
    name = chance.choice(("ma ", "my80", "my84"))
    lines = relative.splitlines()
    place = next(at for at, line in enumerate(lines) if line.startswith(name))
    old = lines[place].split()[2]
    lines[place] = lines[place].replace(f" {old}", f" {float(old) * chance.choice((0.9, 1.12)):.2f}", 1)
    faulty = {"ibench.txt": f"{absolute}-- relative" + "\n".join(lines) + "\n"}
    return Case(faulty, clean, "relative", name.strip())


def quotient_against_its_head(chance: random.Random) -> Case:
    """A column whose head says `a per b` does not follow from a and b in one row of three."""
    clean = shapes.load_of_tables(chance)
    row, column = chance.choice((1, 2, 3)), chance.choice((3, 5, 6))

    def change(rows: list[list[str]]) -> None:
        digits = len(rows[row][column].partition(".")[2])
        rows[row][column] = f"{float(rows[row][column]) * chance.choice((0.95, 1.04, 1.1)):.{digits}f}"

    return Case(_changed(clean, "load.csv", change), clean, "columns", "")


def mix_of_another_workload(chance: random.Random) -> Case:
    """Reads and updates are not in the mix of the row's workload, although they add up."""
    clean = shapes.ycsb(chance)
    row = chance.choice((1, 2, 3))

    def change(rows: list[list[str]]) -> None:
        reads = round(int(rows[row][5]) * chance.choice((0.85, 0.9)))
        rows[row][5:7] = [str(reads), str(10_000_000 - reads)]

    return Case(_changed(clean, "ycsb.tsv", change, "\t"), clean, "known-mixes", f"workload={'ABC'[row - 1]}")


def servers_with_other_settings(chance: random.Random) -> Case:
    """A table of settings by server has another value for one of two servers that are compared."""
    clean = shapes.pgbench_of_two_servers(chance)
    old, new = chance.choice((("fsync,on,on", "fsync,on,off"), ("16GB,16GB", "16GB,8GB")))
    clean["settings.csv"] += "wal_level,replica,replica\nmax_connections,500,500\n"
    faulty = clean | {"settings.csv": clean["settings.csv"].replace(old, new)}
    return Case(faulty, clean, "servers-settings", old.partition(",")[0][:5] if "fsync" in old else "shared")


def ceiling_from_the_first_load(chance: random.Random) -> Case:
    """All levels stand at one limit from the first load point on, and a claim calls them equal."""
    levels, ladder = ("1000", "5000", "20000"), (16, 64, 256)
    top = chance.uniform(30_000, 60_000)

    def files(limited: bool) -> Files:
        rows = [
            (level, n, round(top * chance.uniform(0.9995, 1.0005) * (1 if limited else 0.5 + place / 4)))
            for level in levels
            for place, n in enumerate(ladder)
        ]
        text = shapes.table(("innodb_io_capacity", "threads", "IOPS"), rows)
        return {"t.csv": text, "said.txt": "innodb_io_capacity has no effect on IOPS.\n"}

    return Case(files(True), files(False), "ceiling", "said.txt")


def sentence_of_another_order(chance: random.Random) -> Case:
    """A sentence in a file of its own names the slower of two as the faster one, or another figure."""
    clean = shapes.sysbench_of_two_versions(chance)
    said = clean["claims.txt"]
    number = said.split("reaches ")[1].split(" tps")[0]
    faulty, line = chance.choice(
        (
            (said.replace("v84 is faster than v80", "v80 is faster than v84"), 1),
            (said.replace(number, f"{float(number) * 1.1:.0f}"), 2),
            (said.replace("lowest throughput at 1 thread", "highest throughput at 4 threads"), 3),
        )
    )
    return Case(clean | {"claims.txt": faulty}, clean, "claims", f"line {line}")


def sentence_in_another_language(chance: random.Random) -> Case:
    """A sentence in German or Chinese says what the table beside it denies."""
    if chance.random() < 0.5:
        clean = shapes.chinese_write_policy(chance)
        other = clean["说明.txt"].replace("WriteBack 都比 WriteThrough", "WriteThrough 都比 WriteBack")
        return Case(clean | {"说明.txt": other}, clean, "claims", "line 1")
    clean = shapes.hammerdb_in_german(chance)
    users = chance.choice((8, 16, 32))
    other = clean["aussagen.txt"].replace("Bei 64 Benutzern", f"Bei {users} Benutzern")
    return Case(clean | {"aussagen.txt": other}, clean, "claims", "line 1")


def ratio_of_no_two_columns(chance: random.Random) -> Case:
    """A column called ratio is the quotient of two others in all rows but one."""
    rows = []
    for name in ("orders", "lines", "stock", "history", "items"):
        plain, packed = chance.uniform(200, 900), chance.uniform(60, 190)
        plain, packed = round(plain, 1), round(packed, 1)
        rows.append([name, f"{plain}", f"{packed}", f"{plain / packed:.2f}"])
    clean = {"t.csv": shapes.table(("table", "plain GB", "packed GB", "ratio"), rows)}
    row = chance.choice((1, 2, 3, 4, 5))

    def change(lines: list[list[str]]) -> None:
        lines[row][3] = f"{float(lines[row][3]) * chance.choice((0.9, 1.1)):.2f}"

    return Case(_changed(clean, "t.csv", change), clean, "columns", rows[row - 1][0])


PAGES: tuple[Callable[[random.Random], Case], ...] = (
    run_far_from_the_others,
    cell_of_another_series,
    run_that_is_another,
    percentile_below_its_mean,
    relative_figure_of_no_rate,
    quotient_against_its_head,
    mix_of_another_workload,
    servers_with_other_settings,
    ceiling_from_the_first_load,
    sentence_of_another_order,
    sentence_in_another_language,
    ratio_of_no_two_columns,
)
