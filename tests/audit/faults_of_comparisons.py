"""Classes of faults in what is compared: levels, machines, loads and settings; each made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from fault_cases import (
    HOSTS,
    JOBS,
    LADDER,
    SERVERS,
    SETTINGS,
    Case,
    Files,
    compared,
    long_table,
    rungs_of,
    sweep,
    text_of,
)
from printed import Printed, law, oltp


def levels_at_a_ceiling(chance: random.Random) -> Case:
    """From some load point on all levels stand at the limit of something else."""
    curve, top = law(chance), chance.choice((3, 4))
    ceiling = curve(LADDER[top]) * 0.8

    def table(is_capped: bool) -> Printed:
        levels = {}
        for level, lead in (("0", 1.0), ("1", 1.12)):
            free = [curve(n) * lead * chance.uniform(0.99, 1.01) for n in LADDER]
            capped = [
                ceiling * chance.uniform(0.9998, 1.0002) if at >= top else one for at, one in enumerate(free)
            ]
            levels[level] = [
                min(a, b) if at < top else b for at, (a, b) in enumerate(zip(free, capped, strict=True))
            ]
            levels[level] = levels[level] if is_capped else free
        return sweep("t", "cache", levels, LADDER)

    return Case(
        {"t.csv": text_of(table(True))}, {"t.csv": text_of(table(False))}, "ceiling", f">={LADDER[top]}"
    )


def baseline_of_another_day(chance: random.Random) -> Case:
    """One of four tables has no level near the installation that the others share."""
    curve = law(chance)
    factors = ["cache", "flush", "purge", "spin"]
    odd, drift = chance.choice(factors[1:]), chance.choice((0.75, 0.85, 1.2))

    def files(off: float) -> Files:
        found = {}
        for factor in factors:
            here = off if factor == odd else 1.0
            levels = {
                level: [curve(n) * lead * here * chance.uniform(0.99, 1.01) for n in LADDER]
                for level, lead in (("a", 1.0), ("b", 1.06))
            }
            found[f"{factor}.csv"] = text_of(sweep(factor, factor, levels, LADDER))
        return found

    return Case(files(drift), files(1.0), "baseline", odd)


def mix_of_another_job(chance: random.Random) -> Case:
    """Reads and writes are not in the ratio that the settings state."""
    ratio, other = chance.choice(((1.5, 1.0), (2.0, 3.2), (3.0, 1.4), (1.0, 2.5)))

    def files(of: float) -> Files:
        table = Printed("t", axis="sample")
        for n in range(1, 13):
            write = chance.uniform(90, 110)
            read = write * of * chance.uniform(0.97, 1.03)
            table.add("read_throughput", "MB/s", n, "raid5", f"{read:.2f}", "raid")
            table.add("write_throughput", "MB/s", n, "raid5", f"{write:.2f}", "raid")
        return {
            "t.csv": text_of(table).replace(",oltp,", ",fileio_rndrw,"),
            "s.csv": SETTINGS + f"s1,fileio_rndrw,read_write_ratio,{ratio},\n",
        }

    return Case(files(other), files(ratio), "mix", "reads for a write")


def disk_of_another_load(chance: random.Random) -> Case:
    """A job that only reads shares its disk with writes."""
    issued = chance.randint(40_000, 400_000)

    def files(writes: int) -> Files:
        rows = [("read", "issued", issued), ("write", "issued", 0), ("read", "disk_ios", int(issued * 1.01))]
        rows.append(("write", "disk_ios", writes))
        return {"f.csv": JOBS + "".join(f"s1,randread_4k,{way},{name},ios,{n}\n" for way, name, n in rows)}

    return Case(files(issued * chance.randint(1, 20)), files(chance.randint(0, 50)), "mix", "disk_ios")


def setting_below_the_load(chance: random.Random) -> Case:
    """A setting lets fewer threads in than the load has."""
    table = long_table(chance, oltp)
    ladder = rungs_of(table)
    top, cap = ladder[-1], chance.choice(ladder[2:-1])
    name = chance.choice(("innodb_thread_concurrency", "max_connections"))

    def files(value: int) -> Files:
        return {"t.csv": text_of(table), "c.csv": SERVERS + f"s1,MySQL 8.0,mysqld,{name},{value},yes\n"}

    return Case(files(cap), files(top * 2), "limits", name)


def setting_against_its_own_test(chance: random.Random) -> Case:
    """The server runs with a level that its own table never measured, or found to be worse."""
    levels = {"1": 800.0, "2": 860.0, "4": 820.0, "8": 780.0}
    table = "".join(f"s1,t,oltp,tps,1/s,64,innodb_read_io_threads,{n},{v}\n" for n, v in levels.items())
    head = "study,table,workload,metric,unit,threads,param,value,result\n"

    def files(value: str) -> Files:
        variable = f"s1,MySQL 5.5,mysqld,innodb_read_io_threads,{value},yes\n"
        return {"t.csv": head + table, "c.csv": SERVERS + variable}

    return Case(files(chance.choice(("24", "8", "16", "1"))), files("2"), "chosen", "innodb_read_io_threads")


def factor_without_a_lever(chance: random.Random) -> Case:
    """Buffer pools are compared on data that the smallest of them holds."""
    curve = law(chance)
    rows = chance.choice((100_000, 1_000_000))

    def files(size: int) -> Files:
        levels = {level: [curve(n) * chance.uniform(0.98, 1.02) for n in LADDER] for level in ("8G", "16G")}
        table = sweep("t", "innodb_buffer_pool_size", levels, LADDER)
        settings = f"s1,oltp,oltp-table-size,{size},rows\ns1,oltp,oltp-tables-count,4,\n"
        return {"t.csv": text_of(table), "s.csv": SETTINGS + settings}

    return Case(files(rows), files(200_000_000), "memory", "8G")


def machine_that_is_not_made(chance: random.Random) -> Case:
    """A machine has more sockets, or other cores, than its processor allows."""
    model, cores = chance.choice((("X5670", 6), ("E5-2650 v2", 8), ("E5-2680 v4", 14), ("Gold 6130", 16)))
    wrong = chance.choice((f"8 * {cores} cores", f"2 x {cores + 4} cores"))

    def files(layout: str) -> Files:
        return {"h.csv": HOSTS + f"s1,h1,cpu,Intel Xeon {model} @ 2.6GHz\ns1,h1,cpu_layout,{layout}\n"}

    return Case(files(wrong), files(f"2 x {cores} cores"), "processors", "cpu_layout")


def levels_of_two_machines(chance: random.Random) -> Case:
    """Levels are compared that were measured on two machines."""
    ladder, one, other = compared(chance)
    table = text_of(sweep("t", "raid_level", {"raid5": one, "raid10": other}, ladder))

    def files(second: str) -> Files:
        rows = f's1,h1,storage,"6 disks, raid5"\ns1,{second},storage,"6 disks, raid10"\n'
        return {"t.csv": table, "h.csv": HOSTS + rows}

    return Case(files("h2"), files("h1"), "hosts", "raid5")


def less_with_more(chance: random.Random) -> Case:
    """A server with more processors or memory has less throughput at most load points."""
    curve = law(chance)
    name, small, large = chance.choice(
        (("cpus", "8", "16"), ("memory", "32G", "64G"), ("innodb_buffer_pool_size", "512M", "4G"))
    )

    def files(lead: float) -> Files:
        levels = {
            level: [curve(n) * of * chance.uniform(0.985, 1.015) for n in LADDER]
            for level, of in ((small, 1.0), (large, lead))
        }
        return {"t.csv": text_of(sweep("t", name, levels, LADDER))}

    return Case(files(chance.uniform(0.6, 0.88)), files(chance.uniform(1.02, 1.6)), "resources", name)


def value_that_no_server_takes(chance: random.Random) -> Case:
    """A size in a configuration has a suffix that the server refuses."""
    variable, size = chance.choice(("innodb_log_file_size", "innodb_buffer_pool_size", "tmp_table_size")), 8

    def files(suffix: str) -> Files:
        rows = f"s1,MySQL 8.0,mysqld,{variable},{size}{suffix},yes\n"
        return {"c.csv": f"{SERVERS}s1,MySQL 8.0,mysqld,sort_buffer_size,2M,yes\n{rows}"}

    return Case(files(chance.choice(("GB", "MB", "GiB"))), files("G"), "option-values", variable)


COMPARISONS: tuple[Callable[[random.Random], Case], ...] = (
    levels_at_a_ceiling,
    baseline_of_another_day,
    mix_of_another_job,
    disk_of_another_load,
    setting_below_the_load,
    setting_against_its_own_test,
    factor_without_a_lever,
    machine_that_is_not_made,
    levels_of_two_machines,
    less_with_more,
    value_that_no_server_takes,
)
