"""Classes of faults, each as files with the fault and the same files without it, made from a seed.

Unlike `faults.py`, a case may need several files: settings, claims, prose or options beside a table.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass

from printed import COLUMNS, Printed, latencies, law, oltp, samples

Files = dict[str, str]
CLAIMS = "claim,study,hypothesis,scope\n"
SETTINGS = "study,workload,setting,value,unit\n"
PROSE = "study,source_line,quantity,value,unit,condition\n"
HOSTS = "study,host,attribute,value\n"
SERVERS = "study,server,section,variable,value,active\n"
JOBS = "study,job,direction,metric,unit,result\n"
OPTIONS = "study,job,option,value\n"


@dataclass(frozen=True)
class Case:
    """Files with a fault and without it; a finding of `rule`, or of one of several, with `must` in one of its
    texts names it.
    """

    faulty: Files
    clean: Files
    rule: str
    must: str = ""
    least: int = 1  # findings that name it


def text_of(table: Printed) -> str:
    head = [table.axis if name == "threads" else name for name in COLUMNS]
    lines = [",".join(head), *(",".join(row[name] for name in COLUMNS) for row in table.rows)]
    return "\n".join(lines) + "\n"


def _with(clean: Printed, change: Callable[[Printed], None]) -> tuple[Files, Files]:
    faulty = copy.deepcopy(clean)
    change(faulty)
    return {f"{clean.name}.csv": text_of(faulty)}, {f"{clean.name}.csv": text_of(clean)}


def _scaled(text: str, factor: float) -> str:
    return f"{float(text) * factor:.{len(text.partition('.')[2])}f}"


def _long(chance: random.Random, make: Callable[[random.Random], Printed], rungs: int = 7) -> Printed:
    while True:
        table = make(chance)
        if len({row["threads"] for row in table.rows}) >= rungs:
            return table


def _rungs_of(table: Printed) -> list[int]:
    return sorted({int(row["threads"]) for row in table.rows})


def _level_of(chance: random.Random, table: Printed) -> str:
    return chance.choice(sorted({row["value"] for row in table.rows}))


def identity_in_some_rows(chance: random.Random) -> Case:
    """Two or three rows of a series have queries that are no multiple of their transactions."""
    table = _long(chance, oltp)
    level, rungs = _level_of(chance, table), chance.sample(_rungs_of(table), chance.choice((2, 3)))

    def change(faulty: Printed) -> None:
        for rung in rungs:
            row = faulty.at("qps", rung, level)
            row["result"] = _scaled(row["result"], chance.uniform(0.5, 0.85))

    return Case(*_with(table, change), "queries-per-transaction", "", len(rungs))


def identity_in_most_rows(chance: random.Random) -> Case:
    """All rows of one series but three break the identity that the other series keep."""
    table = _long(chance, oltp)
    level, rungs = _level_of(chance, table), _rungs_of(table)[3:]

    def change(faulty: Printed) -> None:
        for rung in rungs:
            row = faulty.at("qps", rung, level)
            row["result"] = _scaled(row["result"], chance.uniform(0.5, 0.85))

    return Case(*_with(table, change), "queries-per-transaction", "", len(rungs))


def more_in_flight_than_connections(chance: random.Random) -> Case:
    """One, two, four or all mean latencies of a series are a quarter too long."""
    table = _long(chance, latencies)
    ladder = _rungs_of(table)
    level, rungs = _level_of(chance, table), chance.sample(ladder, chance.choice((1, 2, 4, len(ladder))))

    def change(faulty: Printed) -> None:
        for rung in rungs:
            for metric in ("latency_avg", "latency_p95", "latency_max"):
                row = faulty.at(metric, rung, level)
                row["result"] = _scaled(row["result"], 1.25)

    return Case(*_with(table, change), "littles-law", "", len(rungs))


def total_of_other_parts(chance: random.Random) -> Case:
    """Most totals of a table are not the sum of the parts beside them."""
    table = samples(chance)
    rungs = _rungs_of(table)
    some = chance.sample(rungs, int(0.6 * len(rungs)))

    def change(faulty: Printed) -> None:
        for row in faulty.rows:
            if row["metric"] == "total_throughput" and int(row["threads"]) in some:
                row["result"] = _scaled(row["result"], chance.choice((0.85, 1.1, 1.2)))

    return Case(*_with(table, change), "whole-and-parts", "", len(some))


def _compared(chance: random.Random, digits: int = 2) -> tuple[list[int], list[float], list[float]]:
    ladder, curve, lead = (
        [8, 16, 32, 64, 128, 256][: chance.choice((4, 5, 6))],
        law(chance),
        chance.uniform(1.03, 1.3),
    )
    old = [round(curve(n), digits) for n in ladder]
    return ladder, old, [round(one * lead * chance.uniform(0.995, 1.005), digits) for one in old]


def difference_of_other_figures(chance: random.Random) -> Case:
    """A difference in per cent has the wrong sign, or is of other figures."""
    ladder, old, new = _compared(chance)
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


_RISES = ("improved", "increased", "higher", "faster", "提升")
_FALLS = ("reduced", "decreased", "lower", "slower", "下降")


def sentence_of_the_wrong_direction(chance: random.Random) -> Case:
    """A sentence above a pasted table says that a rate went down, and the table that it went up."""
    ladder, old, new = _compared(chance)
    mean = sum(100 * (b / a - 1) for a, b in zip(old, new, strict=True)) / len(ladder)

    def written(way: int) -> str:
        rise, fall = _RISES[way], _FALLS[way]
        word = rise if chance_of_fault else fall
        sentence = {
            0: f"Compared with v1.0, the throughput of v2.0 is {word} by {mean:.2f} %.",
            1: f"The throughput of v2.0 {word} by {mean:.1f}% over v1.0.",
            2: f"v2.0 has {mean:.1f} % {word} throughput than v1.0.",
            3: f"v2.0 is {mean:.0f}% {word} than v1.0.",
            4: f"与 v1.0 相比，v2.0 的吞吐量{word}了 {mean:.2f}%。",
        }[way]
        rows = "".join(f"| {n} | {a} | {b} |\n" for n, a, b in zip(ladder, old, new, strict=True))
        return f"# Result\n\n{sentence}\n\n| Threads | v1.0 TPS | v2.0 TPS |\n|---|---|---|\n{rows}"

    way = chance.randrange(5)
    chance_of_fault = True
    clean = written(way)
    chance_of_fault = False
    return Case({"t.md": written(way)}, {"t.md": clean}, "claims", "line 3")


def sentence_of_another_size(chance: random.Random) -> Case:
    """A claim states a change that no row of its table has."""
    ladder, old, new = _compared(chance)
    changes = [100 * (b / a - 1) for a, b in zip(old, new, strict=True)]
    mean = sum(changes) / len(changes)
    rows = "".join(f"{n},{a},{b}\n" for n, a, b in zip(ladder, old, new, strict=True))

    def files(size: float) -> Files:
        text = f"c1,,The throughput of v2.0 is {size:.1f} % higher than that of v1.0,\n"
        return {"t.csv": "threads,tps v1.0,tps v2.0\n" + rows, "c.csv": CLAIMS + text}

    return Case(files(max(changes) * chance.choice((1.2, 2.5)) + 2), files(mean), "claims", "c1")


def _sweep(
    name: str, factor: str, levels: dict[str, list[float]], ladder: list[int], digits: int = 2
) -> Printed:
    table = Printed(name)
    for level, values in levels.items():
        for n, value in zip(ladder, values, strict=True):
            table.add("tps", "1/s", n, level, f"{value:.{digits}f}", factor)
    return table


LADDER = [8, 16, 32, 64, 128, 256, 512]


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
        return _sweep("t", "cache", levels, LADDER)

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
            found[f"{factor}.csv"] = text_of(_sweep(factor, factor, levels, LADDER))
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
    table = _long(chance, oltp)
    ladder = _rungs_of(table)
    top, cap = ladder[-1], chance.choice(ladder[2:-1])
    name = chance.choice(("innodb_thread_concurrency", "max_connections"))

    def files(value: int) -> Files:
        return {"t.csv": text_of(table), "c.csv": SERVERS + f"s1,MySQL 8.0,mysqld,{name},{value},yes\n"}

    return Case(files(cap), files(top * 2), "limits", name)


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


def claim_in_other_words(chance: random.Random) -> Case:
    """A claim says slightly, clearly, no effect or a peak, and the table says otherwise."""
    curve = [400.0, 780.0, 1500.0, 2700.0, 3600.0, 3300.0, 2900.0]
    lead = {"slightly": 1.35, "clearly": 1.01, "effect": 1.3, "peak": 1.05}
    kind = chance.choice(sorted(lead))
    right = {"slightly": 1.04, "clearly": 1.3, "effect": 1.01, "peak": 1.05}
    text = {
        "slightly": "cache=all slightly > cache=none",
        "clearly": "cache=all clearly > cache=none",
        "effect": "cache has no effect",
        "peak": "tps(cache=all) peaks at 32 threads",
    }[kind]

    def files(factor: float, claim: str) -> Files:
        levels = {
            level: [one * of * chance.uniform(0.999, 1.001) for one in curve]
            for level, of in (("all", factor), ("none", 1.0))
        }
        table = _sweep("t", "cache", levels, LADDER)
        return {"t.csv": text_of(table), "c.csv": CLAIMS + f'c1,s1,"{claim}",\n'}

    return Case(files(lead[kind], text), files(right[kind], text.replace("32", "128")), "claims", "c1")


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


def factor_without_a_lever(chance: random.Random) -> Case:
    """Buffer pools are compared on data that the smallest of them holds."""
    curve = law(chance)
    rows = chance.choice((100_000, 1_000_000))

    def files(size: int) -> Files:
        levels = {level: [curve(n) * chance.uniform(0.98, 1.02) for n in LADDER] for level in ("8G", "16G")}
        table = _sweep("t", "innodb_buffer_pool_size", levels, LADDER)
        settings = f"s1,oltp,oltp-table-size,{size},rows\ns1,oltp,oltp-tables-count,4,\n"
        return {"t.csv": text_of(table), "s.csv": SETTINGS + settings}

    return Case(files(rows), files(200_000_000), "memory", "8G")


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


def machine_that_is_not_made(chance: random.Random) -> Case:
    """A machine has more sockets, or other cores, than its processor allows."""
    model, cores = chance.choice((("X5670", 6), ("E5-2650 v2", 8), ("E5-2680 v4", 14), ("Gold 6130", 16)))
    wrong = chance.choice((f"8 * {cores} cores", f"2 x {cores + 4} cores"))

    def files(layout: str) -> Files:
        return {"h.csv": HOSTS + f"s1,h1,cpu,Intel Xeon {model} @ 2.6GHz\ns1,h1,cpu_layout,{layout}\n"}

    return Case(files(wrong), files(f"2 x {cores} cores"), "processors", "cpu_layout")


def setting_against_its_own_test(chance: random.Random) -> Case:
    """The server runs with a level that its own table never measured, or found to be worse."""
    levels = {"1": 800.0, "2": 860.0, "4": 820.0, "8": 780.0}
    table = "".join(f"s1,t,oltp,tps,1/s,64,innodb_read_io_threads,{n},{v}\n" for n, v in levels.items())
    head = "study,table,workload,metric,unit,threads,param,value,result\n"

    def files(value: str) -> Files:
        variable = f"s1,MySQL 5.5,mysqld,innodb_read_io_threads,{value},yes\n"
        return {"t.csv": head + table, "c.csv": SERVERS + variable}

    return Case(files(chance.choice(("24", "8", "16", "1"))), files("2"), "chosen", "innodb_read_io_threads")


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


def rows_of_another_size(chance: random.Random) -> Case:
    """A file of sysbench's rows is many times as large as so many rows can be."""
    rows = chance.choice((1, 10, 50)) * 1_000_000
    table = "study,table,workload,metric,unit,threads,result\ns1,t,sysbench_load,load_time,s,8,3052\n"

    def files(gigabytes: float) -> Files:
        said = f"s1,5,load_rows,{rows},rows,\ns1,6,other,3,s,\ns1,5,load_file_size,{gigabytes:.1f},GB,\n"
        return {"t.csv": table, "p.csv": PROSE + said}

    real = rows * 230 / 2**30
    return Case(files(real * chance.uniform(8, 20)), files(real), "memory", "load, size")


def digit_too_many(chance: random.Random) -> Case:
    """A figure of a short table with few digits has one too many, or one too few."""
    ladder, old, new = _compared(chance, 0)
    at = chance.randrange(1, len(ladder) - 1)
    wrong = new.copy()
    wrong[at] = new[at] * chance.choice((10, 0.1))

    def files(of: list[float]) -> Files:
        rows = zip(ladder, old, of, strict=True)
        return {"t.csv": "threads,tps a,tps b\n" + "".join(f"{n},{a:.0f},{b:.0f}\n" for n, a, b in rows)}

    return Case(files(wrong), files(new), "decimal-slips|off-curve", f"threads={ladder[at]},")


def levels_of_two_machines(chance: random.Random) -> Case:
    """Levels are compared that were measured on two machines."""
    ladder, one, other = _compared(chance)
    table = text_of(_sweep("t", "raid_level", {"raid5": one, "raid10": other}, ladder))

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
        return {"t.csv": text_of(_sweep("t", name, levels, LADDER))}

    return Case(files(chance.uniform(0.6, 0.88)), files(chance.uniform(1.02, 1.6)), "resources", name)


def value_that_no_server_takes(chance: random.Random) -> Case:
    """A size in a configuration has a suffix that the server refuses."""
    variable, size = chance.choice(("innodb_log_file_size", "innodb_buffer_pool_size", "tmp_table_size")), 8

    def files(suffix: str) -> Files:
        rows = f"s1,MySQL 8.0,mysqld,{variable},{size}{suffix},yes\n"
        return {"c.csv": f"{SERVERS}s1,MySQL 8.0,mysqld,sort_buffer_size,2M,yes\n{rows}"}

    return Case(files(chance.choice(("GB", "MB", "GiB"))), files("G"), "option-values", variable)


def conclusion_with_another_figure(chance: random.Random) -> Case:
    """A conclusion states another figure than the text before it."""
    stated, other = chance.choice(((512, 128), (64, 256), (32, 16)))

    def files(said: int) -> Files:
        rows = "".join(
            f's1,{line},decline_from_threads,{figure},threads,"{where}"\n'
            for line, figure, where in (
                (5, stated, "12 CPU"),
                (8, stated, "16 CPU"),
                (20, said, "conclusion"),
            )
        )
        return {"p.csv": PROSE + rows}

    return Case(files(other), files(stated), "conclusions", str(other))


def claim_that_rests_on_an_error(chance: random.Random) -> Case:
    """A claim and a setting repeat a total that is not the sum of its parts."""
    read, write = chance.randint(1100, 1399), chance.randint(1100, 1399)

    def files(total: int) -> Files:
        rows = f"s1,j,read_iops,1/s,{read}\ns1,j,write_iops,1/s,{write}\ns1,j,iops_total,1/s,{total}\n"
        return {
            "f.csv": f"study,job,metric,unit,result\n{rows}",
            "c.csv": f"{CLAIMS}c1,s1,iops(mixed) ~ {total},\n",
        }

    right = read + write
    return Case(files(right + 100), files(right), "repeated-errors", "c1")


CLASSES: tuple[Callable[[random.Random], Case], ...] = (
    identity_in_some_rows,
    identity_in_most_rows,
    more_in_flight_than_connections,
    total_of_other_parts,
    difference_of_other_figures,
    sentence_of_the_wrong_direction,
    sentence_of_another_size,
    claim_in_other_words,
    levels_at_a_ceiling,
    baseline_of_another_day,
    mix_of_another_job,
    disk_of_another_load,
    setting_below_the_load,
    setting_against_its_own_test,
    factor_without_a_lever,
    time_of_another_length,
    failed_check_of_a_run,
    shares_of_other_bases,
    machine_that_is_not_made,
    job_above_its_depth,
    digit_too_many,
    rows_of_another_size,
    levels_of_two_machines,
    less_with_more,
    value_that_no_server_takes,
    conclusion_with_another_figure,
    claim_that_rests_on_an_error,
)
