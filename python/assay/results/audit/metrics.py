"""Reads from a column's name and unit what it measures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_KINDS: tuple[tuple[str, str], ...] = (
    (
        "latency",
        r"latency|response|_rt$|^rt$|\blat\b|_lat$|(^|_)(mean|p\d+([._]\d+)?|max|min|avg)_(ns|us|ms|s)$",
    ),
    ("tps", r"\btps\b|transactions?\s*(/|per)\s*s(ec)?|trx"),
    ("qps", r"\bqps\b|quer(y|ies)\s*(/|per)\s*s(ec)?|\bop(eration)?s\s*(/|per)?\s*s(ec)?\b"),
    ("tpmc", r"\btpm-?c?\b|\bnopm\b|(new orders|transactions) ?(/|per) ?min"),
    ("iops", r"iops"),
    ("bandwidth", r"throughput|bandwidth|mi?b(/|_per_)s"),
    ("load", r"^load$|cpu.load|load.average|system.load"),
    ("share", r"iowait|share|_pct$|_percent$|\butil"),
    ("count", r"^requests$|^transactions$|^queries$|^issued$"),
)
_STATS = (
    ("min", r"(^|_|\s)min(imum)?(_|\s|$)"),
    ("max", r"(^|_|\s)max(imum)?(_|\s|$)"),
    ("mean", r"(^|_|\s)(avg|mean|average)(_|\s|$)"),
    ("stdev", r"stdev|std"),
)
_SUM = re.compile(r"(?:^|_|\s)sum(?:_|\s|$)")
_SHARE = re.compile(r"(?:_pct|_percent)$")
_QUANTILE = re.compile(r"(?:^|_|\s)(?:p(\d{2,3}(?:[._]\d+)?)|(\d{2}(?:\.\d+)?)(?:th|%))(?:_|\s|$)")
_CHANGE = re.compile(
    r"chang|diff|delta|δ|increas|decreas|reduc|gain|loss|drop|declin|degrad|improv|overhead|speed.?up|boost|uplift"
    r"|grow|regress|faster|slower|better|worse|higher|lower|compar|relative|normali[sz]|ratio|stdev|deviation|scal"
    r"|\bvs\b|versus|提升|提高|下降|降低|增加|减少|变化|差异|差值|改善|相对|对比|増加|減少|向上|향상|감소|증가|verbesser|veränder|mejora|amélior"
    r"|прирост|разниц"
)
"""Words of figures that compare two others."""
_PARTS = re.compile(r"(?:^|_|\s)(read|write|total)s?(?:_|\s|$)")

SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0}
BYTES_PER_S = {
    "B/s": 1.0,
    "KB/s": 1024.0,
    "KiB/s": 1024.0,
    "MiB/s": 1048576.0,
    "MB/s": 1048576.0,
    "Mb/s": 125000.0,
    "Mbit/s": 125000.0,
    "Kb/s": 125.0,
    "GB/s": 2.0**30,
    "GiB/s": 2.0**30,
}
"""Bytes per second of a unit. MB counts as 2^20 bytes, as in most tools; a small b is a bit."""


@dataclass(frozen=True)
class Role:
    """What a metric measures: its kind, its statistic (mean, min, max, a quantile), and the part it is of."""

    kind: str
    stat: str = "mean"
    quantile: float | None = None
    part: str = ""


@lru_cache(maxsize=1 << 12)  # tables repeat few columns in many cells
def is_server_rate(metric: str, unit: str = "") -> bool:
    """Returns whether a metric is a rate of transactions or queries of a server."""
    role = role_of(metric, unit)
    return role is not None and role.kind in ("tps", "qps")


def role_of(metric: str, unit: str = "") -> Role | None:
    """Returns the role of a metric; None for one that no rule knows."""
    name = re.sub(r"[\[\](){}:]", " ", metric.strip().lower()).strip()
    if _SUM.search(name):
        return None
    kind = "share" if _SHARE.search(name) else None
    kind = kind or next(
        (
            kind
            for kind, pattern in _KINDS
            if re.search(pattern, name) or re.search(pattern, name.replace("_", " "))
        ),
        None,
    )
    if kind is None:
        return Role("share") if unit.strip() == "%" else None
    found = _QUANTILE.search(name)
    quantile = None
    if found:
        quantile = float((found[1] or found[2]).replace("_", "."))
        quantile = quantile / 100 if quantile <= 100 else quantile / 10 ** (len(str(int(quantile))))
    stat = next((stat for stat, pattern in _STATS if re.search(pattern, name)), "mean")
    part = _PARTS.search(name)
    return Role(kind, "quantile" if quantile else stat, quantile, part[1] if part else "")


def is_comparison(head: str) -> bool:
    """Returns whether a head is of figures that compare two others, such as `tps improvement (%)`."""
    return _CHANGE.search(head.lower()) is not None


def seconds(value: float, unit: str) -> float:
    """Returns a time in seconds; a time without a unit counts as milliseconds."""
    return value * SECONDS.get(unit.strip().lower(), 1e-3)
