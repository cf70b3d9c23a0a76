"""Classes of faults in how a study was made: what it states, repeats, compares and controls."""

from __future__ import annotations

import random
from collections.abc import Callable

from fault_cases import (
    CLAIMS,
    HOSTS,
    LADDER,
    OPTIONS,
    PROSE,
    SERVERS,
    SETTINGS,
    Case,
    Files,
    compared,
    sweep,
    text_of,
)
from printed import law

CHARTS = "study,source_line,chart,kind,x_axis,x_ladder,y_axis,series,note\n"
SINGLE = "study,table,workload,metric,unit,threads,param,value,result\n"
FULL = (
    's1,h1,cpu,"2 x 8 cores"\ns1,h1,memory,64G\ns1,h1,os,Linux 6.1\ns1,h1,server,MySQL 8.0.36\n'
    "s1,h1,disk,2 x 1T NVMe\n"
)
LOAD = "s1,oltp,tables,8,\ns1,oltp,table-size,1000000,rows\ns1,oltp,innodb_buffer_pool_size,16G,\n"


def _table(chance: random.Random, factor: str = "cache") -> str:
    ladder, one, other = compared(chance)
    return text_of(sweep("t", factor, {"all": other, "none": one}, ladder))


def description_with_a_gap(chance: random.Random) -> Case:
    """A study describes its machines, and leaves out two things that its results depend on."""
    table, gap = _table(chance), chance.choice(("memory,64G", "server,MySQL 8.0.36", 'cpu,"2 x 8 cores"'))
    facts = "".join(f"{line}\n" for line in FULL.splitlines() if gap not in line)
    load = "".join(f"{line}\n" for line in LOAD.splitlines() if "pool" not in line)
    clean = {"t.csv": table, "h.csv": HOSTS + FULL, "s.csv": SETTINGS + LOAD}
    faulty = {"t.csv": table, "h.csv": HOSTS + facts, "s.csv": SETTINGS + load}
    return Case(faulty, clean, "undeclared", "the buffer pool")


def claims_on_single_runs(chance: random.Random) -> Case:
    """Claims compare single runs, or speak of a variation that nobody measured."""
    ladder = LADDER[: chance.choice((4, 5, 6))]
    curve, table = law(chance), {}
    for level, lead in (("all", 1.03), ("most", 1.015), ("none", 1.0)):
        table[level] = [round(curve(n) * lead, 2) for n in ladder]
    last = chance.choice(("cache=most ~ cache=none", "cache=most ~ cache=none within statistical variation"))
    claims = f"c1,s1,cache=all > cache=none,\nc2,s1,cache=most > cache=none,\nc3,s1,{last},\n"

    def files(repeats: str) -> Files:
        return {
            "t.csv": text_of(sweep("t", "cache", table, ladder)),
            "c.csv": CLAIMS + claims,
            "h.csv": HOSTS + FULL,
            "s.csv": SETTINGS + LOAD + repeats,
            "d.csv": SINGLE + "s1,t2,oltp,tps_stdev,1/s,8,cache,all,3.1\n" * bool(repeats),
        }

    faulty = {name: text for name, text in files("").items() if name != "d.csv"}
    return Case(faulty, files("s1,oltp,repeats,5,\n"), "repeats", "c3" if "stat" in last else "s1")


def means_without_their_spread(chance: random.Random) -> Case:
    """A study made several runs and prints their means alone, on which claims rest."""
    table = _table(chance)
    claims = "".join(f"c{n},s1,cache=all > cache=none,\n" for n in range(3))
    deviation = SINGLE + "s1,t2,oltp,tps_stdev,1/s,8,cache,all,3.1\n"
    rest = {"t.csv": table, "c.csv": CLAIMS + claims, "s.csv": SETTINGS + "s1,oltp,repeats,5,\n"}
    return Case(rest, rest | {"d.csv": deviation}, "repeats", "spread")


def one_run_in_several_tables(chance: random.Random) -> Case:
    """Tables for several settings begin with the same figure, to the digit."""
    factors = chance.sample(["innodb_a_size", "innodb_b_mode", "innodb_c_threads", "innodb_d_level"], 3)
    base = chance.randint(700, 9900) + 1

    def files(repeated: bool) -> Files:
        return {
            f"{factor}.csv": SINGLE
            + f"s1,{factor},oltp,tps,1/s,,{factor},0,{base + 7 * number * repeated}\n"
            + f"s1,{factor},oltp,tps,1/s,,{factor},1,{round(base * chance.uniform(0.8, 0.95))}\n"
            for number, factor in enumerate(factors)
        }

    return Case(files(False), files(True), "copies", "one run")


def claim_with_two_differences(chance: random.Random) -> Case:
    """A claim compares two things that differ in two respects, both of which it names."""
    tool, old, new = chance.choice(
        (("sysbench", "0.4", "1.0"), ("tpcc-mysql", "1.1", "2.0"), ("mysqlslap", "5.5", "8.0"))
    )
    one, other = chance.choice(
        (("prepared statements", "text statements"), ("jemalloc", "glibc"), ("local sockets", "TCP"))
    )

    def files(second: str) -> Files:
        text = f"{one} ({tool} {old}) give more qps than {other} ({tool} {second})"
        return {"t.csv": _table(chance), "c.csv": f"{CLAIMS}c1,s1,{text},\n"}

    return Case(files(new), files(old), "confounded", "c1")


def figure_of_another_machine(chance: random.Random) -> Case:
    """A rate in prose is of another machine and tool than the study that prints it."""
    threads, tool = chance.choice((56, 32, 96)), chance.choice(("1.0", "0.5"))
    facts = f"s1,h1,logical_threads,{threads}\ns1,h1,sysbench,{tool}\n"

    def files(number: int, version: str) -> Files:
        rows = "s1,1,qps_top,470000,1/s,point select\n"
        rows += f's1,2,qps_other,900000,1/s,"sysbench {version}, {number} logical threads"\n'
        return {"t.csv": _table(chance), "h.csv": HOSTS + facts, "p.csv": PROSE + rows}

    return Case(files(2 * threads, "0.4"), files(threads, tool), "confounded", "qps_other")


def chart_of_one_server(chance: random.Random) -> Case:
    """A chart shows one of the servers that the other charts compare."""
    one, other = chance.choice((("MariaDB 11.4", "MySQL 8.4"), ("MySQL 5.6", "MySQL 5.7"), ("v7.1", "v7.5")))

    def files(last: str) -> Files:
        rows = "".join(f"s1,{n},chart{n},line,threads,1 2 4,tps,{one}; {other},\n" for n in (1, 2))
        return {
            "t.csv": _table(chance),
            "x.csv": CHARTS + rows + f"s1,3,chart3,bar,format,a; b,time,{last},\n",
        }

    return Case(files(one), files(f"{one}; {other}"), "missing-controls", "chart3")


def claim_along_a_fixed_setting(chance: random.Random) -> Case:
    """A claim is about a course along something that no table varies."""
    depth = chance.choice((16, 32, 64))

    def files(depths: list[int]) -> Files:
        rows = "".join(f"s1,t,fio,iops,1/s,{n},job,j,{20000 + 90 * n}\n" for n in depths)
        head = SINGLE.replace("threads", "iodepth")
        options = f"s1,j,iodepth,{depth}\n"
        claim = f"c1,s1,iops(iodepth) saturates at ~{depth},\n"
        return {"t.csv": head + rows, "o.csv": OPTIONS + options, "c.csv": CLAIMS + claim}

    return Case(files([depth]), files([1, 4, 8, depth, 2 * depth]), "missing-controls", "c1")


def claims_against_each_other(chance: random.Random) -> Case:
    """A study claims an order of two servers over all loads, and that they are equal in one of them."""
    load = chance.choice(("LinkBench", "TPC-C", "YCSB"))

    def files(sign: str) -> Files:
        rows = f'c1,s1,ops(MariaDB) {sign} ops(MySQL),"{load}, row format"\n'
        rows += f"c2,s1,MariaDB 10.1 > MySQL 5.7,{load} and like loads\n"
        return {"t.csv": _table(chance), "c.csv": CLAIMS + rows}

    return Case(files("~"), files(">"), "contradictions", "c2")


def setting_that_the_load_does_not_use(chance: random.Random) -> Case:
    """Levels of a setting are compared under a load on which it does not act."""
    factor, idle, used = chance.choice(
        (
            ("innodb_purge_threads", "sysbench_insert", "oltp"),
            ("read_ahead_kb", "fileio_rndrw", "fileio_seqrd"),
            ("innodb_flush_log_at_trx_commit", "oltp_read_only", "oltp_read_write"),
            ("sync_binlog", "point_select", "update_index"),
        )
    )
    ladder, one, other = compared(chance)
    table = text_of(sweep("t", factor, {"0": one, "1": other}, ladder))
    faulty, clean = (table.replace(",oltp,", f",{load},") for load in (idle, used))
    return Case({"t.csv": faulty}, {"t.csv": clean}, "exercised", factor)


def servers_that_may_lose_commits(chance: random.Random) -> Case:
    """Results are of servers without durability, and no claim says so."""
    off = chance.choice(("innodb_flush_log_at_trx_commit,2", "innodb_flush_log_at_trx_commit,0"))
    table = _table(chance)

    def files(said: str) -> Files:
        rows = f"s1,MySQL,mysqld,{off},yes\ns1,MySQL,mysqld,innodb_doublewrite,0,yes\n"
        return {
            "t.csv": table,
            "v.csv": SERVERS + rows,
            "c.csv": f"{CLAIMS}c1,s1,cache=all > cache=none{said},\n",
        }

    return Case(files(""), files("; durability is off"), "durability", "doublewrite")


def setting_with_two_values(chance: random.Random) -> Case:
    """A test has two durations, or a number of connections and a range of them."""
    faulty, clean = chance.choice(
        (
            ("s1,run,maxtime,3500,s\ns1,run,duration,1,h\n", "s1,run,maxtime,3600,s\ns1,run,duration,1,h\n"),
            (
                "s1,run,connections,64,\ns1,run,threads_min,4,\ns1,run,threads_max,512,\n",
                "s1,run,threads_min,4,\ns1,run,threads_max,512,\n",
            ),
        )
    )
    table = _table(chance)
    return Case(
        {"t.csv": table, "s.csv": SETTINGS + faulty},
        {"t.csv": table, "s.csv": SETTINGS + clean},
        "stated-twice",
        "run",
    )


def warm_up_that_fills_nothing(chance: random.Random) -> Case:
    """A warm-up is too short for any disk to fill the buffer pool, although the data fill it."""
    table = _table(chance)
    pool, seconds = chance.choice((("50G", 30), ("200G", 60), ("100G", 20)))

    def files(time_s: int) -> Files:
        settings = f"s1,run,warehouses,3000,\ns1,run,rampup,{time_s},s\n"
        variables = f"s1,MySQL,mysqld,innodb_buffer_pool_size,{pool},yes\n"
        return {"t.csv": table, "s.csv": SETTINGS + settings, "v.csv": SERVERS + variables}

    return Case(files(seconds), files(3600), "warm-up", "rampup")


def operation_longer_than_its_run(chance: random.Random) -> Case:
    """The longest operation of a run lasts longer than the run."""
    curve, rows = law(chance), []
    bad = chance.choice(LADDER)
    for n in LADDER:
        rate = round(curve(n), 1)
        rows.append((n, rate, round(rate * 60), n / rate * 1000, chance.uniform(500, 5000)))

    def files(longest: float) -> Files:
        lines = "".join(
            f"{n},{rate},{count},{mean:.2f},{longest if n == bad else worst:.0f}\n"
            for n, rate, count, mean, worst in rows
        )
        return {"t.csv": "threads,qps,requests,latency_avg_ms,latency_max_ms\n" + lines}

    return Case(files(chance.uniform(90_000, 200_000)), files(2000.0), "longest", f"threads={bad}")


def parity_that_costs_nothing(chance: random.Random) -> Case:
    """Disks that write parity or copies are faster than the same disks without."""
    curve, level = law(chance), chance.choice(("raid5", "raid6", "raid10"))

    def files(lead: float) -> Files:
        levels = {"raid0": [curve(n) for n in LADDER], level: [curve(n) * lead for n in LADDER]}
        text = text_of(sweep("t", "raid_level", levels, LADDER)).replace(",oltp,tps,", ",fileio_rndrw,iops,")
        return {"t.csv": text}

    return Case(files(chance.uniform(1.25, 1.6)), files(chance.uniform(0.6, 0.97)), "resources", level)


CONDITIONS: tuple[Callable[[random.Random], Case], ...] = (
    description_with_a_gap,
    claims_on_single_runs,
    means_without_their_spread,
    one_run_in_several_tables,
    claim_with_two_differences,
    figure_of_another_machine,
    chart_of_one_server,
    claim_along_a_fixed_setting,
    claims_against_each_other,
    setting_that_the_load_does_not_use,
    servers_that_may_lose_commits,
    setting_with_two_values,
    warm_up_that_fills_nothing,
    operation_longer_than_its_run,
    parity_that_costs_nothing,
)
