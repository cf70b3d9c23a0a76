"""Right tables in the shapes of public pages: tools, languages, units, ties and constants that mean nothing.

Each function makes files from a seed. What looks odd in them is right: equal figures at a limit, means above
percentiles in overload, shares that make 100.1, retries, a baseline that two tables share and say so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fault_cases import Files
from printed import law

Make = Callable[[random.Random], Files]


def table(head: Sequence[str], rows: Sequence[Sequence[object]], by: str = ",") -> str:
    return "".join(by.join(map(str, row)) + "\n" for row in (head, *rows))


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(map(str, row)) + " |\n" for row in (head, ["--:"] * len(head), *rows)]
    return "".join(lines)


def curve(chance: random.Random, ladder: Sequence[int], noise: float = 0.012) -> list[float]:
    of = law(chance)
    return [of(n) * chance.uniform(1 - noise, 1 + noise) for n in ladder]


def german(value: float, digits: int = 2) -> str:
    return f"{value:,.{digits}f}".replace(",", "_").replace(".", ",").replace("_", ".")


def sysbench_of_two_versions(chance: random.Random) -> Files:
    ladder = [1, 4, 16, 64, 256]
    old, lead = curve(chance, ladder), chance.uniform(1.05, 1.2)
    new = [one * lead * chance.uniform(0.99, 1.01) for one in old]
    files = {}
    for name, rates in (("v80", old), ("v84", new)):
        rows = [
            (n, f"{x:.2f}", f"{20 * round(x, 2):.1f}", f"{n / x * 1000:.2f}", f"{1.5 * n / x * 1000:.2f}")
            for n, x in zip(ladder, rates, strict=True)
        ]
        files[f"{name}.csv"] = table(("threads", "tps", "qps", "latency_avg_ms", "latency_p95_ms"), rows)
    changes = [
        (n, f"{a:.2f}", f"{b:.2f}", f"{100 * (round(b, 2) / round(a, 2) - 1):.1f}")
        for n, a, b in zip(ladder, old, new, strict=True)
    ]
    files["summary.csv"] = table(("threads", "tps_v80", "tps_v84", "change_pct"), changes)
    best = max(range(len(ladder)), key=lambda place: new[place])
    files["claims.txt"] = (
        f"v84 is faster than v80 at 64 threads.\nv84 reaches {new[best]:.0f} tps at {ladder[best]} threads.\n"
        "Both releases have their lowest throughput at 1 thread.\n"
    )
    return files


def fio_by_depth(chance: random.Random) -> Files:
    rows = []
    for depth in (1, 4, 16, 32, 64):
        rate = round(600_000 * depth / (depth + 9) * chance.uniform(0.99, 1.01))
        mean = 4 * depth / rate * 1e6
        rows.append((depth, f"{rate:,}", round(rate / 256), f"{mean:.1f}", f"{1.9 * mean:.1f}"))
    text = "## libaio, direct=1, 4 KiB random reads, numjobs=4\n\n"
    text += markdown(("iodepth", "IOPS", "BW (MiB/s)", "lat avg (us)", "lat p99 (us)"), rows)
    mixed = []
    for block, reads in ((4, 231_400), (8, 168_900), (16, 98_210), (64, 27_330)):
        writes = round(reads * 3 / 7 * chance.uniform(0.997, 1.003))
        mixed.append((f"{block}k", reads, writes, reads + writes, round(reads * block / 1024)))
    text += "\n## randrw, rwmixread=70[^1]\n\n"
    text += markdown(("bs", "read IOPS", "write IOPS", "total IOPS", "read MiB/s"), mixed)
    return {"fio.md": text + "\n[^1]: after preconditioning.\n"}


def hammerdb_in_german(chance: random.Random) -> Files:
    rows = []
    for users, peak in ((8, 118_400), (16, 221_900), (32, 371_200), (64, 462_700)):
        runs = [round(peak * chance.uniform(0.985, 1.015)) for _ in range(3)]
        mean = sum(runs) / 3
        cells = [german(one, 0) for one in (*runs, mean, 2.3258 * mean)]
        rows.append((users, *cells, german(mean / users, 1)))
    head = ("Virtuelle Benutzer", "Lauf 1 NOPM", "Lauf 2 NOPM", "Lauf 3 NOPM", "Mittelwert NOPM")
    text = table((*head, "Mittelwert TPM", "NOPM je Benutzer"), rows, ";")
    said = "Bei 64 Benutzern ist der Mittelwert NOPM am höchsten.\n"
    said += "Der Durchsatz steigt mit jeder Stufe der Benutzer.\n"
    return {"hammerdb.csv": text, "aussagen.txt": said}


def processor_time_in_french(chance: random.Random) -> Files:
    rows = []
    for users in (8, 16, 32, 64):
        busy = round(chance.uniform(15, 60), 1)
        system, wait = round(chance.uniform(3, 20), 1), round(chance.uniform(1, 9), 1)
        rest = 100 - busy - system - wait
        rows.append((users, *(f"{one:.1f}".replace(".", ",") for one in (busy, system, wait, rest))))
    head = ("Nombre de connexions", "CPU user %", "CPU système %", "CPU attente %", "CPU libre %")
    return {"charge.csv": table(head, rows, ";")}


def ycsb(chance: random.Random) -> Files:
    rows = []
    for name, share, rate in (
        ("A", 0.5, 41_830),
        ("B", 0.95, 78_120),
        ("C", 1.0, 92_340),
        ("F", 0.5, 33_910),
    ):
        time_s = round(10_000_000 / rate, 2)
        reads = 10_000_000 if share == 1 else round(10_000_000 * share + chance.randint(-1500, 1500))
        done = 10_000_000 / time_s
        mean = round(64 / done * 1e6)
        rows.append((name, 64, 10_000_000, time_s, round(done, 1), reads, 10_000_000 - reads, mean, 4 * mean))
    head = ("workload", "threads", "operations", "runtime_s", "throughput_ops_s", "read_ops", "update_ops")
    head = (*head, "avg_latency_us", "p99_latency_us")
    ladder = [8, 16, 32, 64, 128]
    columns = [curve(chance, ladder) for _ in range(3)]
    by_threads = [(n, *(round(one[place]) for one in columns)) for place, n in enumerate(ladder)]
    threads = table(("threads", "workload_A", "workload_B", "workload_C"), by_threads, "\t")
    return {"ycsb.tsv": table(head, rows, "\t"), "ycsb_threads.tsv": threads}


def repeats_of_ycsb(chance: random.Random) -> Files:
    rows = []
    for run in range(1, 7):
        figures = [chance.randint(a, b) for a, b in ((2900, 3100), (5700, 6300), (3300, 3600), (6900, 7500))]
        rows.append((run, round(41_830 * chance.uniform(0.98, 1.02), 1), *figures))
    head = ("run", "throughput_ops_s", "read_p95_us", "read_p99_us", "update_p95_us", "update_p99_us")
    return {"repeats.tsv": table(head, rows, "\t")}


def pgbench_of_two_servers(chance: random.Random) -> Files:
    ladder = [1, 8, 32, 96, 192]
    one = curve(chance, ladder)
    other = [x * chance.uniform(0.85, 1.25) for x in one]
    rows = [
        (n, f"{a:.1f}", f"{n / a * 1000:.3f}", f"{b:.1f}", f"{n / b * 1000:.3f}", f"{b / a:.2f}")
        for n, a, b in zip(ladder, one, other, strict=True)
    ]
    head = (
        "clients",
        "server A tps",
        "server A lat avg (ms)",
        "server B tps",
        "server B lat avg (ms)",
        "B/A",
    )
    settings = "variable,server A,server B\nshared_buffers,16GB,16GB\nfsync,on,on\nport,5432,5433\n"
    return {"pgbench.csv": table(head, rows), "settings.csv": settings}


def settings_that_are_the_subject(chance: random.Random) -> Files:
    ladder = [8, 32, 128]
    plain, tuned = curve(chance, ladder), curve(chance, ladder)
    rows = [(n, f"{a:.1f}", f"{b:.1f}") for n, a, b in zip(ladder, plain, tuned, strict=True)]
    settings = "variable,default,tuned\ninnodb_buffer_pool_size,128M,64G\ninnodb_io_capacity,200,10000\n"
    settings += "innodb_flush_method,fsync,O_DIRECT\nsync_binlog,1,1\n"
    return {"t.csv": table(("threads", "tps default", "tps tuned"), rows), "settings.csv": settings}


def tpcc_by_warehouses(chance: random.Random) -> Files:
    rows = []
    for house in (100, 500, 1000):
        for users in (16, 64):
            rows.append(
                (house, users, round(chance.uniform(20_000, 40_000), 1), round(chance.uniform(20, 80), 1))
            )
    return {"tpcc.csv": table(("warehouses", "connections", "TpmC", "New-Order p90 (ms)"), rows)}


def offered_rate(chance: random.Random) -> Files:
    rows = [
        (rate, server, rate, round(chance.uniform(5, 9) + rate / 900, 2))
        for rate in (1000, 2000, 4000)
        for server in ("v6.5", "v7.5")
    ]
    return {"rate.csv": table(("offered_rate_tps", "server", "achieved_tps", "p99_ms"), rows)}


def stalls(chance: random.Random) -> Files:
    rows = []
    for n, share in ((16, 0.55), (32, 0.5), (64, 1.85), (128, 2.2)):
        rate = round(12_000 * chance.uniform(0.98, 1.02))
        mean = n / rate * 1000
        rows.append((n, rate, f"{mean:.2f}", f"{mean * share:.2f}", chance.randint(1200, 3200)))
    return {
        "stalls.csv": table(("threads", "qps", "latency_avg_ms", "latency_p95_ms", "latency_max_ms"), rows)
    }


def chinese_write_policy(chance: random.Random) -> Files:
    ladder = [8, 16, 32, 64, 128, 256]
    back = curve(chance, ladder)
    through = [one * chance.uniform(0.88, 0.95) for one in back]
    head = ["线程数"]
    for name in ("WriteBack", "WriteThrough"):
        head += [f"{name} TPS", f"{name} QPS", f"{name} 平均延迟(毫秒)"]
    rows = [
        (
            n,
            *(
                cell
                for x in (a, b)
                for cell in (f"{x:.1f}", f"{18 * round(x, 1):.1f}", f"{n / x * 1000:.2f}")
            ),
        )
        for n, a, b in zip(ladder, back, through, strict=True)
    ]
    return {"写策略.csv": table(head, rows), "说明.txt": "在所有线程数下，WriteBack 都比 WriteThrough 快。\n"}


def baseline_that_is_named(chance: random.Random) -> Files:
    ladder = [8, 16, 32, 64, 128]
    base = [f"{one:.1f}" for one in curve(chance, ladder)]
    other, third = ([f"{one:.1f}" for one in curve(chance, ladder)] for _ in range(2))
    first = table(
        ("threads", "tps WriteBack", "tps WriteThrough"), list(zip(ladder, base, other, strict=True))
    )
    head = ("threads", "tps WriteBack+ReadAhead", "tps WriteBack+NoRead")
    return {"policy.csv": first, "read.csv": table(head, list(zip(ladder, base, third, strict=True)))}


def relative_rates(chance: random.Random) -> Files:
    names = ("l.i0", "l.x", "l.i1", "qr100", "qp100")
    absolute = {name: [round(chance.uniform(9000, 90_000)) for _ in names] for name in ("ma", "my80", "my84")}
    text = "-- absolute: operations/s\n" + _spaced(names, absolute)
    shares = {
        name: [f"{one / base:.2f}" for one, base in zip(rates, absolute["ma"], strict=True)]
        for name, rates in absolute.items()
    }
    return {"ibench.txt": f"{text}\n-- relative to ma\n{_spaced(names, shares)}"}


def _spaced(names: Sequence[str], rows: dict[str, list[str]] | dict[str, list[int]]) -> str:
    lines = [f"{'dbms':<8}" + "".join(f"{name:>10}" for name in names)]
    lines += [f"{name:<8}" + "".join(f"{one:>10}" for one in cells) for name, cells in rows.items()]
    return "\n".join(lines) + "\n"


def load_of_tables(chance: random.Random) -> Files:
    rows = []
    for name in ("ma1011", "my8032", "my8406"):
        time_s, each = chance.randint(1100, 1400), chance.randint(140, 160)
        rows.append(
            (name, 8, 50_000_000, 400_000_000, time_s, round(4e8 / time_s), f"{4e8 * each / 1e9:.1f}", each)
        )
    head = ("dbms", "tables", "rows_per_table", "total_rows", "load_seconds", "rows_per_second", "size_GB")
    return {"load.csv": table((*head, "bytes_per_row"), rows)}


def equal_at_a_limit(chance: random.Random) -> Files:
    rows = [(n, *(round(chance.uniform(0.2, 0.9) * 100 * n) for _ in range(2))) for n in (1, 2, 4)]
    rows += [(n, 940, 940) for n in (8, 16)]
    return {"net.csv": table(("threads", "A MB/s", "B MB/s"), rows)}


def retries(chance: random.Random) -> Files:
    rows = []
    for n, more in ((8, 0), (16, 0.001), (32, 0.004), (64, 0.011), (128, 0.035)):
        rate = round(300 * n / (1 + n / 60) * chance.uniform(0.98, 1.02), 2)
        rows.append((n, f"{rate:.2f}", f"{20 * rate * (1 + more):.2f}", f"{rate * more:.2f}"))
    return {"retries.csv": table(("threads", "tps", "qps", "ignored errors/s"), rows)}


def footnotes_and_units(chance: random.Random) -> Files:
    rows = []
    for place, (n, x) in enumerate(zip((1, 16, 64), curve(chance, [1, 16, 64]), strict=True)):
        mark = "*" if place == 1 else ""
        rows.append((n, f"{x:,.0f}{mark}", f"{n / x * 1000:.2f} ms / {1.7 * n / x * 1000:.2f} ms"))
    return {"t.md": markdown(("Threads", "TPS", "avg / p95"), rows) + "\n\\* after a restart.\n"}


def load_points_across(chance: random.Random) -> Files:
    rows = [(name, *(f"{one:.0f}" for one in curve(chance, [8, 16, 32]))) for name in ("ext4", "xfs", "zfs")]
    return {"fs.md": "# TPS by threads\n\n" + markdown(("file system", "8", "16", "32"), rows)}


def server_over_versions(chance: random.Random) -> Files:
    rows = [
        (version, f"{chance.uniform(900, 1100):.1f}", f"{chance.uniform(60, 90):.1f}", "4.0 GB")
        for version in ("5.7.44", "8.0.36", "8.4.0")
    ]
    return {"v.csv": table(("version", "tps", "p99 (ms)", "memory"), rows)}


CLEAN: tuple[Make, ...] = (
    sysbench_of_two_versions,
    fio_by_depth,
    hammerdb_in_german,
    processor_time_in_french,
    ycsb,
    repeats_of_ycsb,
    pgbench_of_two_servers,
    settings_that_are_the_subject,
    tpcc_by_warehouses,
    offered_rate,
    stalls,
    chinese_write_policy,
    baseline_that_is_named,
    relative_rates,
    load_of_tables,
    equal_at_a_limit,
    retries,
    footnotes_and_units,
    load_points_across,
    server_over_versions,
)
