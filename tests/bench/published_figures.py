"""What a published evaluation (MySQL 5.5.8 beside 5.1.54, 2010) printed of its five jobs of fio.

Names and units of its figures, and where each stands in our results.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LEVELS = ("1", "2", "4", "8", "16", "32", ">=64")
CALLS = ("0", "4", "8", "16", "32", "64", ">=64")
LATENCIES = (
    *(f"{us}us" for us in (250, 500, 750, 1000)),
    *(f"{ms}ms" for ms in (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000)),
)
NUMBER = r"([\d.]+)"
SHORT = r"([\d.]+[kKMG]?)"
TIMES = ("min", "max", "avg", "stdev")


@dataclass(frozen=True)
class Published:
    """One figure of one job: what it was called, and where it is.

    `text` is sought in what `--output fio` prints of the job, `path` in `--output fio-json` (None: fio's has
    no such figure either), `measure` in the table `files` of a study's report.
    """

    name: str
    text: str
    path: tuple[str, ...] | None
    measure: str


def figures(direction: str) -> list[Published]:
    """Published figures of reads, or of writes."""
    head = rf"  {direction}: IOPS={SHORT}, BW={SHORT}[KMG]iB/s \([^)]*\)\({SHORT}[KMG]iB/{NUMBER}msec\)"
    found = [
        Published("io_total MB", head, (direction, "io_bytes"), f"{direction}_mib"),
        Published("bandwidth KB/s, MB/s", head, (direction, "bw"), f"{direction}_mib_per_s"),
        Published("iops 1/s", head, (direction, "iops"), f"{direction}_iops"),
        Published("runtime ms", head, (direction, "runtime"), "job_runtime_max_ms"),
    ]
    times = f"{{}} \\([nm u]*sec\\): min= *{SHORT}, max= *{SHORT}, avg= *{NUMBER}, stdev= *{NUMBER}"
    for name, line, key, part in (
        ("submit", "slat", "slat_ns", "submit"),
        ("completion", "clat", "clat_ns", "completion"),
    ):
        for time, of_json, ours in zip(
            TIMES, ("min", "max", "mean", "stddev"), ("min", "max", "mean", "stdev"), strict=True
        ):
            found.append(
                Published(
                    f"{name}_latency_{time}",
                    rf"(?s)  {direction}: .*?" + times.format(line),
                    (direction, key, of_json),
                    f"{direction}_{part}_{ours}_ms",
                )
            )
    spread = (
        rf"(?s)  {direction}: .*?bw \( *[KM]iB/s\): min= *{NUMBER}, max= *{NUMBER}, per={NUMBER}%,"
        rf" avg= *{NUMBER}, stdev= *{NUMBER}"
    )
    for name, key, ours in (
        ("min", "bw_min", "worker_bandwidth_min"),
        ("max", "bw_max", "worker_bandwidth_max"),
        ("share", "bw_agg", "worker_bandwidth_share_pct"),
        ("avg", "bw_mean", "worker_bandwidth_mean"),
        ("stdev", "bw_dev", "worker_bandwidth_stdev"),
    ):
        found.append(Published(f"per_job_bandwidth_{name}", spread, (direction, key), f"{direction}_{ours}"))
    group = (
        rf" {direction.upper()}: bw={SHORT}[KMG]iB/s \([^)]*\), {SHORT}[KMG]iB/s-{SHORT}[KMG]iB/s \([^)]*\),"
        rf" io={SHORT}[KMG]iB \([^)]*\), run={NUMBER}-{NUMBER}msec"
    )
    for name, ours in (
        ("io_total", f"{direction}_mib"),
        ("aggrb", f"{direction}_mib_per_s"),
        ("minb", f"{direction}_job_bandwidth_min"),
        ("maxb", f"{direction}_job_bandwidth_max"),
        ("mint", "job_runtime_min_ms"),
        ("maxt", "job_runtime_max_ms"),
    ):
        found.append(Published(f"group_{name}", group, None, ours))
    return found


def either(direction: str) -> list[Published]:
    """Published figures of both directions, whether the job moved anything in them or not."""
    at = ["read", "write"].index(direction)
    issued = r"issued rwts: total=" + r"\d+," * at + rf"{NUMBER}.* short=" + r"\d+," * at + NUMBER
    pair = rf"{NUMBER}/" if at == 0 else rf"\d+/{NUMBER}"
    found = [
        Published("issued", issued, (direction, "total_ios"), f"{direction}_issued"),
        Published("short", issued, (direction, "short_ios"), f"{direction}_short"),
    ]
    for name, of_text, ours in (
        ("ios", "ios", "ios"),
        ("merges", "merge", "merges"),
        ("ticks", "ticks", "ticks_ms"),
    ):
        path = ("disk_util", f"{direction}_{name}")
        text = rf"(?s)Disk stats.*{of_text}={pair}"
        found.append(Published(f"disk_{name}", text, path, f"disk_{direction}_{ours}"))
    return found


def common() -> list[Published]:
    found = [
        Published("status_jobs", rf"jobs={NUMBER}\)", ("job options", "numjobs"), "workers"),
        Published("disk_in_queue", rf"in_queue={NUMBER}", ("disk_util", "in_queue"), "disk_queue_ms"),
        Published("disk_util", rf"util={NUMBER}%", ("disk_util", "util"), "disk_util_pct"),
    ]
    for of_text, key, ours in (
        ("usr", "usr_cpu", "worker_user_pct"),
        ("sys", "sys_cpu", "worker_system_pct"),
        ("ctx", "ctx", "context_switches"),
        ("majf", "majf", "major_faults"),
        ("minf", "minf", "minor_faults"),
    ):
        found.append(Published(f"cpu_{of_text}", rf"cpu +: .*{of_text}={NUMBER}", (key,), ours))
    for name, line, levels, key, ours in (
        ("io_depth_share", "IO depths", LEVELS, "iodepth_level", "depth"),
        ("submit_batch_share", "submit", CALLS, "iodepth_submit", "submitted"),
        ("complete_batch_share", "complete", CALLS, "iodepth_complete", "collected"),
    ):
        for level in levels:
            found.append(
                Published(
                    f"{name} {level}",
                    rf"{line} +: .*(?<!>=){re.escape(level)}={NUMBER}%",
                    (key, level),
                    f"{ours}_{level.replace('>=64', '64_up')}_pct",
                )
            )
    return found


def latencies() -> list[Published]:
    """Shares that are 0 are left out of fio's text, and of our table where no treatment has any."""
    found = []
    for latency in (*LATENCIES, ">=2000ms"):
        amount, unit = latency[:-2], latency[-2:]
        key = {"us": "latency_us", "ms": "latency_ms"}[unit]
        ms = float(amount.lstrip(">=")) / (1000 if unit == "us" else 1)
        measure = "latency_beyond_pct" if amount.startswith(">") else f"latency_below_{ms:g}_ms_pct"
        text = rf"lat \({unit}ec\) +: .*\b{amount}={NUMBER}%".replace(r"\b>", ">")
        found.append(Published(f"latency_share <={latency}", text, (key, amount), measure))
    return found


JOBS = {
    "randread_4k": ("read",),
    "randread_1M": ("read",),
    "randwrite_4k": ("write",),
    "randwrite_1M": ("write",),
    "randrw_4k": ("read", "write"),
}


def published(job: str) -> list[Published]:
    sides = [figure for direction in JOBS[job] for figure in figures(direction)]
    return [*sides, *either("read"), *either("write"), *common()]
