"""The options of fio's job files that change no load here, and those that Assay refuses with a reason.

What an option does is in fio's HOWTO. An option belongs to the first list only if the requests that reach the
file or the device, and their times, are the same with and without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class WithoutEffect:
    """The reason why an option changes no load here; `values` are those of which that is true (None: all)."""

    why: str
    values: tuple[str, ...] | None = None


_PERCENTILES = WithoutEffect("Assay records every time, and prints its own list of percentiles")
_LOGS = WithoutEffect("no such log is written: --json has every half second and the histograms")
_CLOCK = WithoutEffect("Assay reads its own clock, and measures every operation")
_UNITS = WithoutEffect("Assay prints its own units")
_LAYING_OUT = WithoutEffect("files are made before the load, one after the other, and synced")
_REPEATABLE = WithoutEffect("the order of operations follows from the seed")
_OFF = ("0", "false")

WITHOUT_EFFECT: Mapping[str, WithoutEffect] = {
    "name": WithoutEffect("it names the job in the results"),
    **dict.fromkeys(
        (
            "percentile_list",
            "lat_percentiles",
            "clat_percentiles",
            "slat_percentiles",
            "disable_lat",
            "disable_clat",
            "disable_slat",
            "disable_bw_measurement",
            "stats",
        ),
        _PERCENTILES,
    ),
    **dict.fromkeys(
        (
            "write_lat_log",
            "write_hist_log",
            "write_iolog",
            "log_avg_msec",
            "log_hist_msec",
            "log_hist_coarseness",
            "log_max_value",
            "log_offset",
            "log_unix_epoch",
            "log_prio",
            "log_compression",
            "log_store_compressed",
            "per_job_logs",
            "bwavgtime",
            "iopsavgtime",
            "disk_util",
        ),
        _LOGS,
    ),
    **dict.fromkeys(("gtod_reduce", "gtod_cpu", "clocksource"), _CLOCK),
    **dict.fromkeys(("unit_base", "significant_figures", "unified_rw_reporting"), _UNITS),
    "kb_base": WithoutEffect("a size's k is 1024, its ki 1000", ("1024",)),
    **dict.fromkeys(("create_serialize", "create_fsync"), _LAYING_OUT),
    **dict.fromkeys(("allrandrepeat", "random_generator"), _REPEATABLE),
    "softrandommap": WithoutEffect("the order of blocks needs no map in memory"),
    "refill_buffers": WithoutEffect(
        "buffers hold numbers that do not compress, and are written many times: only a device that removes"
        " duplicates sees the difference"
    ),
    "scramble_buffers": WithoutEffect("buffers hold numbers that do not compress"),
    "zero_buffers": WithoutEffect("buffers hold numbers that do not compress", _OFF),
    "buffer_compress_percentage": WithoutEffect("buffers hold numbers that do not compress", _OFF),
    "dedupe_percentage": WithoutEffect("buffers hold numbers that do not compress", _OFF),
    "fallocate": WithoutEffect(
        "a file that is only written gets its room before the load; one that is read is filled",
        ("posix", "native", "1"),
    ),
    "create_on_open": WithoutEffect("files are made before the load", _OFF),
    "create_only": WithoutEffect("files are made before the load", _OFF),
    "file_append": WithoutEffect("the load begins at the offset", _OFF),
    "exitall": WithoutEffect("every job runs to its own end", _OFF),
    "startdelay": WithoutEffect("all jobs of a stage start together", ("0", "0s")),
    "continue_on_error": WithoutEffect("the first error of a job ends it", ("none", *_OFF)),
}

_SEVERAL_STAGES = (
    "all jobs of a stage start together; put a stonewall between jobs that run one after the other"
)
_CONTENT = "buffers hold numbers that do not compress"

REFUSED: Mapping[str, str] = {
    "startdelay": _SEVERAL_STAGES,
    "wait_for": _SEVERAL_STAGES,
    "exitall_on_error": "the first error of a job ends it, and the others go on",
    "exit_what": "every job runs to its own end",
    "latency_target": "a study with several rates, [load] rate, shows the highest that meets a latency",
    "latency_window": "it belongs to latency_target",
    "latency_percentile": "it belongs to latency_target",
    "max_latency": "a claim of a study names the longest time that is allowed",
    "rate_min": "the rate that was reached is in the results",
    "rate_iops_min": "the rate that was reached is in the results",
    "rate_cycle": "the rate that was reached is in the results",
    "cpus_allowed": "bind the whole command: taskset --cpu-list LIST assay fio …",
    "cpumask": "bind the whole command: taskset MASK assay fio …",
    "numa_cpu_nodes": "bind the whole command: numactl --cpunodebind=LIST assay fio …",
    "numa_mem_policy": "bind the whole command: numactl --membind=LIST assay fio …",
    "nice": "start the whole command with nice",
    "prio": "start the whole command with ionice",
    "prioclass": "start the whole command with ionice",
    "ioscheduler": "a study sets it, [host] block.scheduler, and puts it back",
    "steadystate": "a study repeats rounds of the load until a steady state, [storage] rounds",
    "read_iolog": "Assay replays no trace",
    "replay_redirect": "Assay replays no trace",
    "buffer_pattern": _CONTENT,
    "exec_prerun": "run the command before assay fio",
    "exec_postrun": "run the command after assay fio",
    "openfiles": "a job has all its files open",
    "fsync_on_close": "end_fsync syncs at the end of the load",
    "sync_file_range": "fsync and fdatasync sync after a number of writes",
    "write_barrier": "fsync and fdatasync sync after a number of writes",
    "trim_percentage": "Assay sends no trims",
    "verify_pattern": "verify=crc32c writes blocks that can be checked",
    "uid": "start the whole command as that account",
    "gid": "start the whole command as that account",
}
"""Well-known options that would change the load here, each with what Assay does, or what to do instead."""
