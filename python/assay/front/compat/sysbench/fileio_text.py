"""Writes what sysbench prints about fileio alone; the rest is `text`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.base.tally import Histogram, decode, merge, percentile_ms
from assay.design.folder import WHOLE, Interval, RunResult
from assay.design.storage import FILEIO_FLAGS, FILEIO_IO_MODES, FILEIO_MODES, Fileio
from assay.front.compat.sysbench.text import (
    STARTED,
    STARTING,
    Heading,
    LatencyFigures,
    ThreadFigures,
    banner,
    fairness_text,
    general_statistics,
    heading,
    latency_text,
    size_text,
    stamp,
)

_MIB = 2**20
_PERCENT = 100


def flags_line(load: Fileio) -> str:
    """Returns the line about the flags with which files are opened; each has a space after it."""
    flags = "".join(f"{flag} " for flag in FILEIO_FLAGS if flag in load.file_extra_flags)
    return f"Extra file open flags: {flags or '(none)'}"


def preparing(load: Fileio, sizes: Mapping[Path, int]) -> str:
    """Returns the text before files are made; `sizes` are those of files that exist."""
    lines = [
        f"{load.file_num} files, {load.file_bytes // 1024}Kb each, {load.file_total_size // _MIB}Mb total",
        "Creating files for the test...",
        flags_line(load),
    ]
    for path in load.files:
        size = sizes.get(path, 0)
        what = "Reusing existing" if size >= load.file_bytes else "Extending existing" if size else "Creating"
        lines.append(f"{what} file {path.name}")
    return banner() + "".join(f"{line}\n" for line in lines)


def prepared(written: int, seconds: float) -> str:
    """Returns the line after files were made."""
    if not written:
        return "No bytes written.\n"
    return f"{written} bytes written in {seconds:.2f} seconds ({written / _MIB / seconds:.2f} MiB/sec).\n"


def unfit(load: Fileio, sizes: Mapping[Path, int]) -> str:
    """Returns sysbench's lines about the first file that the test cannot use; empty where all can be."""
    if load.file_test_mode == "seqwr":
        return ""  # it makes them
    for path in load.files:
        size = sizes.get(path)
        if size is None:
            return (
                f"FATAL: Cannot open file '{path.name}' errno = 2 (No such file or directory)\n"
                "WARNING: Did you forget to run the prepare step?\n"
            )
        if size < load.file_bytes:
            return (
                f"FATAL: Size of file '{path.name}' is {size_text(size)},"
                f" but at least {size_text(load.file_bytes)} is expected.\n"
                "WARNING: Did you run 'prepare' with different --file-total-size or --file-num values?\n"
            )
    return ""


def before(load: Fileio) -> str:
    """Returns the text before the load begins."""
    settings = Heading(
        threads=load.threads,
        warmup_s=load.warmup_time,
        rate=load.rate,
        report_interval_s=load.report_interval,
        validates=load.validate,
        seed=load.rand_seed,
    )
    lines = [
        flags_line(load),
        f"{load.file_num} files, {size_text(load.file_bytes)} each",
        f"{size_text(load.file_total_size)} total file size",
        f"Block size {size_text(load.file_block_size)}",
    ]
    mode = load.file_test_mode or ""
    if mode.startswith("rnd"):
        lines += [
            f"Number of IO requests: {load.events}",
            f"Read/Write ratio for combined random IO test: {load.file_rw_ratio:.2f}",
        ]
    if load.file_fsync_all:
        lines.append("Calling fsync() after each write operation.")
    elif load.file_fsync_freq:
        lines.append(f"Periodic FSYNC enabled, calling fsync() each {load.file_fsync_freq} requests.")
    if load.file_fsync_end:
        lines.append("Calling fsync() at the end of test, Enabled.")
    lines.append(f"Using {FILEIO_IO_MODES[load.file_io_mode][1]} I/O mode")
    if load.validate:
        lines.append("Using checksums validation.")
    lines.append(f"Doing {FILEIO_MODES[mode]} test")
    own = "".join(f"{line}\n" for line in lines)
    return f"{banner()}{heading(settings)}{own}{STARTING}{STARTED}"


def live_line(interval: Interval, elapsed_s: float, percentile: float) -> str:
    """Returns the line of an interval: `[ 1s ] reads: … MiB/s writes: … MiB/s fsyncs: …/s latency (ms,95%):
    …`.
    """
    seconds = (interval.end_ns - interval.start_ns) / 1e9
    moved = interval.io_bytes
    read = moved.read / _MIB / seconds if moved else 0.0
    written = moved.written / _MIB / seconds if moved else 0.0
    whole = interval.labels.get(WHOLE) if percentile else None
    latency = percentile_ms(whole.response or whole.service, percentile / _PERCENT) if whole else None
    return (
        f"{stamp(elapsed_s)} reads: {read:.2f} MiB/s writes: {written:.2f} MiB/s "
        f"fsyncs: {interval.other / seconds:.2f}/s latency (ms,{percentile:g}%): {latency or 0.0:.3f}"
    )


def summary(load: Fileio, result: RunResult) -> str:
    """Returns the text after the load. As in sysbench an fsync between the operations is an event, with its
    time among the others, and one at the end is not.
    """
    assert result.storage is not None
    (line,) = result.storage.jobs
    seconds = line.elapsed_s
    texts = [line.read.total, line.write.total, line.sync]
    times = [decode(text) for text in texts if text]
    latency = _latency(merge(times) if times else None, load.percentile)
    events = line.read.operations + line.write.operations + line.syncs
    # Which worker called how many fsyncs is not kept: they are spread as the operations are.
    scale = events / max(sum(line.worker_operations), 1)
    busy_s = latency.sum_ms / 1e3 / max(line.workers, 1)
    threads = [ThreadFigures(events=count * scale, busy_s=busy_s) for count in line.worker_operations]
    rates = {
        "reads/s": line.read.operations / seconds,
        "writes/s": line.write.operations / seconds,
        "fsyncs/s": (line.syncs + line.end_syncs) / seconds,
    }
    moved = {
        "read, MiB/s": line.read.bytes / _MIB / seconds,
        "written, MiB/s": line.write.bytes / _MIB / seconds,
    }
    own = [
        "",
        "File operations:",
        *(f"    {name + ':':<30}{value:.2f}" for name, value in rates.items()),
        "",
        "Throughput:",
        *(f"    {name + ':':<30}{value:.2f}" for name, value in moved.items()),
        "",
    ]
    parts = [
        *(f"{line}\n" for line in own),
        general_statistics(seconds, events),
        latency_text(latency, load.percentile),
        fairness_text(threads),
    ]
    return "".join(parts)


def _latency(times: Histogram | None, percentile: float) -> LatencyFigures:
    if times is None:
        return LatencyFigures()
    return LatencyFigures(
        min_ms=times.min / 1e6,
        mean_ms=times.mean / 1e6,
        max_ms=times.max / 1e6,
        percentile_ms=times.percentile(percentile / _PERCENT) / 1e6,
        sum_ms=times.mean * times.total / 1e6,
    )
