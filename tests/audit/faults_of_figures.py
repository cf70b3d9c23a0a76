"""Classes of faults in the figures of one table, each made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from fault_cases import (
    JOBS,
    LADDER,
    OPTIONS,
    PROSE,
    SETTINGS,
    Case,
    Files,
    compared,
    level_of,
    long_table,
    rungs_of,
    scaled,
    text_of,
    with_and_without,
)
from printed import Printed, latencies, oltp, samples


def identity_in_some_rows(chance: random.Random) -> Case:
    """Two or three rows of a series have queries that are no multiple of their transactions."""
    table = long_table(chance, oltp)
    level, rungs = level_of(chance, table), chance.sample(rungs_of(table), chance.choice((2, 3)))

    def change(faulty: Printed) -> None:
        for rung in rungs:
            row = faulty.at("qps", rung, level)
            row["result"] = scaled(row["result"], chance.uniform(0.5, 0.85))

    return Case(*with_and_without(table, change), "queries-per-transaction", "", len(rungs))


def identity_in_most_rows(chance: random.Random) -> Case:
    """All rows of one series but three break the identity that the other series keep."""
    table = long_table(chance, oltp)
    level, rungs = level_of(chance, table), rungs_of(table)[3:]

    def change(faulty: Printed) -> None:
        for rung in rungs:
            row = faulty.at("qps", rung, level)
            row["result"] = scaled(row["result"], chance.uniform(0.5, 0.85))

    return Case(*with_and_without(table, change), "queries-per-transaction", "", len(rungs))


def more_in_flight_than_connections(chance: random.Random) -> Case:
    """One, two, four or all mean latencies of a series are a quarter too long."""
    table = long_table(chance, latencies)
    ladder = rungs_of(table)
    level, rungs = level_of(chance, table), chance.sample(ladder, chance.choice((1, 2, 4, len(ladder))))

    def change(faulty: Printed) -> None:
        for rung in rungs:
            for metric in ("latency_avg", "latency_p95", "latency_max"):
                row = faulty.at(metric, rung, level)
                row["result"] = scaled(row["result"], 1.25)

    return Case(*with_and_without(table, change), "littles-law", "", len(rungs))


def total_of_other_parts(chance: random.Random) -> Case:
    """Most totals of a table are not the sum of the parts beside them."""
    table = samples(chance)
    rungs = rungs_of(table)
    some = chance.sample(rungs, int(0.6 * len(rungs)))

    def change(faulty: Printed) -> None:
        for row in faulty.rows:
            if row["metric"] == "total_throughput" and int(row["threads"]) in some:
                row["result"] = scaled(row["result"], chance.choice((0.85, 1.1, 1.2)))

    return Case(*with_and_without(table, change), "whole-and-parts", "", len(some))


def difference_of_other_figures(chance: random.Random) -> Case:
    """A difference in per cent has the wrong sign, or is of other figures."""
    ladder, old, new = compared(chance)
    changes = [100 * (b / a - 1) for a, b in zip(old, new, strict=True)]
    at = chance.randrange(len(ladder))
    wrong = changes.copy()
    wrong[at] = chance.choice((-changes[at], changes[at] + 11, changes[at] / 3))

    def written(of: list[float]) -> str:
        rows = zip(ladder, old, new, of, strict=True)
        head = "Threads,TPS v1.0,TPS v2.0,TPS improvement (%)\n"
        return head + "".join(f"{n},{a},{b},{change:.2f}\n" for n, a, b, change in rows)

    return Case(
        {"t.csv": written(wrong)}, {"t.csv": written(changes)}, "differences", f"threads={ladder[at]}"
    )


def digit_too_many(chance: random.Random) -> Case:
    """A figure of a short table with few digits has one too many, or one too few."""
    ladder, old, new = compared(chance, 0)
    at = chance.randrange(1, len(ladder) - 1)
    wrong = new.copy()
    wrong[at] = new[at] * chance.choice((10, 0.1))

    def files(of: list[float]) -> Files:
        rows = zip(ladder, old, of, strict=True)
        return {"t.csv": "threads,tps a,tps b\n" + "".join(f"{n},{a:.0f},{b:.0f}\n" for n, a, b in rows)}

    return Case(files(wrong), files(new), "decimal-slips|off-curve", f"threads={ladder[at]},")


def job_above_its_depth(chance: random.Random) -> Case:
    """Reads and writes together keep more in flight than jobs x depth."""
    jobs, depth = chance.choice((4, 16, 64)), chance.choice((8, 32))
    iops = chance.randint(800, 4000)

    def files(factor: float) -> Files:
        each = 1000 * jobs * depth / 2 / iops * factor
        rows = [f"s1,j,all,status_jobs,1,{jobs}\n"]
        for way in ("read", "write"):
            rows += [f"s1,j,{way},iops,1/s,{iops}\n", f"s1,j,{way},completion_latency_avg,ms,{each:.2f}\n"]
        options = OPTIONS + f"s1,j,iodepth,{depth}\ns1,j,numjobs,{jobs}\n"
        return {"f.csv": JOBS + "".join(rows), "o.csv": options}

    return Case(
        files(chance.uniform(1.06, 1.6)), files(chance.uniform(0.8, 0.99)), "jobs", "completion_latency_avg"
    )


def shares_of_other_bases(chance: random.Random) -> Case:
    """Two shares with their differences imply two figures of one thing."""
    base, share, other = chance.randint(200, 400) * 100, chance.randint(15, 30), chance.randint(40, 60)

    def files(second: float) -> Files:
        rows = (
            f"s1,5,page_below_plain,{share},%,\ns1,5,plain_minus_page,{round(base * share / 100)},ops/s,\n"
            f"s1,5,row_below_plain,{other},%,\ns1,5,plain_minus_row,{round(second * other / 100)},ops/s,\n"
        )
        return {"p.csv": PROSE + rows}

    return Case(files(base * chance.choice((0.6, 1.5))), files(base), "implied", "row_below_plain")


def time_of_another_length(chance: random.Random) -> Case:
    """Counts and rates make a longer time than the one stated."""
    stated, longer = chance.choice((60, 180, 600)), chance.uniform(1.3, 4)

    def files(factor: float) -> Files:
        table = Printed("t")
        for n in LADDER:
            rate = chance.uniform(800, 1200)
            table.add("requests", "1", n, "a", f"{rate * stated * factor:.0f}")
            table.add("qps", "1/s", n, "a", f"{rate:.2f}")
        return {"t.csv": text_of(table), "s.csv": SETTINGS + f"s1,oltp,max-time,{stated},s\n"}

    return Case(files(longer), files(1.0), "window", "states")


def failed_check_of_a_run(chance: random.Random) -> Case:
    """A run is compared although its own check failed."""
    head = "study,table,server,transaction,metric,unit,result\n"

    def files(verdict: str) -> Files:
        rows = [f"s1,t,A,{kind},rt_check,verdict,OK\n" for kind in ("New-Order", "Payment", "Delivery")]
        rows += [f"s1,t,A,Stock-Level,rt_check,verdict,{verdict}\n", "s1,t,A,all,tpmc,1/min,1460.78\n"]
        return {"t.csv": head + "".join(rows)}

    return Case(
        files(chance.choice(("NG", "[NG]", "FAIL", "Failed"))), files("OK"), "failed-checks", "Stock-Level"
    )


def rows_of_another_size(chance: random.Random) -> Case:
    """A file of sysbench's rows is many times as large as so many rows can be."""
    rows = chance.choice((1, 10, 50)) * 1_000_000
    table = "study,table,workload,metric,unit,threads,result\ns1,t,sysbench_load,load_time,s,8,3052\n"

    def files(gigabytes: float) -> Files:
        said = f"s1,5,load_rows,{rows},rows,\ns1,6,other,3,s,\ns1,5,load_file_size,{gigabytes:.1f},GB,\n"
        return {"t.csv": table, "p.csv": PROSE + said}

    real = rows * 230 / 2**30
    return Case(files(real * chance.uniform(8, 20)), files(real), "memory", "load, size")


def count_of_another_output(chance: random.Random) -> Case:
    """One count, rate or mean of a tool's output is not what its other counts make."""
    threads, time_s, done = chance.choice((8, 64, 256)), 300.0, chance.randint(200_000, 900_000)
    right = {
        "reads": f"{14 * done}",
        "writes": f"{4 * done}",
        "other": f"{2 * done}",
        "queries": f"{20 * done}",
        "transactions": f"{done}",
        "tps": f"{done / time_s:.2f}",
        "qps": f"{20 * done / time_s:.2f}",
        "elapsed_s": f"{time_s:.4f}",
        "events": f"{done}",
        "thread_events_mean": f"{done / threads:.4f}",
    }
    odd = chance.choice(("writes", "queries", "tps", "qps", "thread_events_mean"))

    def files(of: dict[str, str]) -> Files:
        rows = [f"s1,out,oltp,{name},,{threads},{text}" for name, text in of.items()]
        return {"out.csv": "\n".join(["study,table,workload,metric,unit,threads,result", *rows]) + "\n"}

    wrong = right | {odd: scaled(right[odd], chance.choice((0.9, 1.1)))}
    return Case(files(wrong), files(right), "printed-counts")


FIGURES: tuple[Callable[[random.Random], Case], ...] = (
    count_of_another_output,
    identity_in_some_rows,
    identity_in_most_rows,
    more_in_flight_than_connections,
    total_of_other_parts,
    difference_of_other_figures,
    digit_too_many,
    job_above_its_depth,
    shares_of_other_bases,
    time_of_another_length,
    failed_check_of_a_run,
    rows_of_another_size,
)
