"""Writes the text that sysbench prints about fileio, in its form, so that programs that read it can read
this.
"""

from __future__ import annotations

from statistics import fmean, pstdev

from assay.folder import WHOLE, Interval, RunResult
from assay.jobfiles import FILEIO_IO_MODES, FILEIO_MODES, Fileio
from assay.tally import Histogram, decode, merge, percentile_ms
from assay.version import VERSION

_MIB = 2**20
_PERCENT = 100


def heading(load: Fileio) -> str:
    """Returns the text before the load begins."""
    flags = " ".join(load.file_extra_flags) or "(none)"
    lines = [
        f"assay {VERSION} (in the form of sysbench 1.0.20)",
        "",
        "Running the test with following options:",
        f"Number of threads: {load.threads}",
        *(
            [f"Report intermediate results every {load.report_interval} second(s)"]
            if load.report_interval
            else []
        ),
        f"Initializing random number generator from {'seed' if load.rand_seed else 'current time'}"
        + (f" ({load.rand_seed})" if load.rand_seed else ""),
        "",
        "",
        f"Extra file open flags: {flags}",
        f"{load.file_num} files, {_size(load.file_bytes)} each",
        f"{_size(load.file_total_size)} total file size",
        f"Block size {_size(load.file_block_size)}",
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
    lines += [
        f"Using {FILEIO_IO_MODES[load.file_io_mode][1]} I/O mode",
        f"Doing {FILEIO_MODES[mode]} test",
        "Initializing worker threads...",
        "",
        "Threads started!",
        "",
    ]
    return "\n".join(lines)


def live_line(interval: Interval, elapsed_s: float, percentile: float) -> str:
    """Returns the line of an interval: `[ 1s ] reads: … MiB/s writes: … MiB/s fsyncs: …/s latency (ms,95%):
    …`.
    """
    seconds = (interval.end_ns - interval.start_ns) / 1e9
    moved = interval.io_bytes
    read = moved.read / _MIB / seconds if moved else 0.0
    written = moved.written / _MIB / seconds if moved else 0.0
    whole = interval.labels.get(WHOLE)
    latency = percentile_ms(whole.response or whole.service, percentile / _PERCENT) if whole else 0.0
    return (
        f"[ {elapsed_s:.0f}s ] reads: {read:.2f} MiB/s writes: {written:.2f} MiB/s "
        f"fsyncs: {interval.other / seconds:.2f}/s latency (ms,{percentile:g}%): {latency:.3f}"
    )


def summary(load: Fileio, result: RunResult) -> str:
    """Returns the text after the load. As in sysbench an fsync is an event, with its time among the
    others.
    """
    assert result.storage is not None
    (line,) = result.storage.jobs
    seconds = line.elapsed_s
    texts = [line.read.total, line.write.total, line.sync]
    times = [decode(text) for text in texts if text]
    whole = merge(times) if times else None
    events = line.read.operations + line.write.operations + line.syncs
    total_ms = whole.mean * whole.total / 1e6 if whole else 0.0
    # Which worker called how many fsyncs is not kept: they are spread as the operations are.
    scale = events / max(sum(line.worker_operations), 1)
    shares = [count * scale for count in line.worker_operations] or [0.0]
    rates = {
        "reads/s": line.read.operations / seconds,
        "writes/s": line.write.operations / seconds,
        "fsyncs/s": line.syncs / seconds,
    }
    moved = {
        "read, MiB/s": line.read.bytes / _MIB / seconds,
        "written, MiB/s": line.write.bytes / _MIB / seconds,
    }
    rows = [
        "",
        "File operations:",
        *(f"    {name + ':':<30}{value:.2f}" for name, value in rates.items()),
        "",
        "Throughput:",
        *(f"    {name + ':':<30}{value:.2f}" for name, value in moved.items()),
        "",
        "General statistics:",
        f"    {'total time:':<37}{seconds:.4f}s",
        f"    {'total number of events:':<37}{events}",
        "",
        "Latency (ms):",
        *(f"         {name + ':':<24}{value:>20.3f}" for name, value in _latency(whole, load).items()),
        f"         {'sum:':<24}{total_ms:>20.2f}",
        "",
        "Threads fairness:",
        f"    events (avg/stddev):           {fmean(shares):.4f}/{pstdev(shares):.2f}",
        f"    execution time (avg/stddev):   {total_ms / 1e3 / max(line.workers, 1):.4f}/0.00",
        "",
    ]
    return "\n".join(rows)


def _latency(whole: Histogram | None, load: Fileio) -> dict[str, float]:
    if whole is None:
        values = (0.0, 0.0, 0.0, 0.0)
    else:
        share = whole.percentile(load.percentile / _PERCENT)
        values = (whole.min / 1e6, whole.mean / 1e6, whole.max / 1e6, share / 1e6)
    names = ("min", "avg", "max", f"{load.percentile:g}th percentile")
    return dict(zip(names, values, strict=True))


def _size(size: int) -> str:
    """Returns a size as `16KiB`, `2GiB` or `1.5GiB`."""
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.5g}{unit}"
