"""Records of what InnoDB and the server's threads did, second by second, at one load point of one block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.reporting.report.material import Material
from assay.reporting.report.records.timeline import typical_block

_MIB = 1 / (1 << 20)
_FLAT = 0.01
"""Share of the largest value within which a panel shows nothing: it is named in a line."""
_SOURCE = "status"


@dataclass(frozen=True)
class Signal:
    """One line of a panel: a rate (of a counter) or a level (of a gauge) of the server, times `scale`.

    Of `names`, without `_total`, the first that was sampled is taken, so that flavours share a line. With
    `missed_of` it is the share in per cent of these that are not among `names`.
    """

    key: str  # phrase: innodb.line.<key>
    names: tuple[str, ...]
    missed_of: tuple[str, ...] = ()
    scale: float = 1.0


@dataclass(frozen=True)
class InnodbPanel:
    """One small chart. `limited`: the redo log's limit of the checkpoint age stands on it."""

    key: str  # phrase: innodb.panel.<key>
    unit: str
    signals: tuple[Signal, ...]
    limited: bool = False


PANELS: tuple[InnodbPanel, ...] = (
    InnodbPanel(
        "hits",
        "%",
        (
            Signal(
                "hits",
                ("Innodb_buffer_pool_reads", "buffer_pool_reads"),
                ("Innodb_buffer_pool_read_requests", "buffer_pool_read_requests"),
            ),
        ),
    ),
    InnodbPanel("lock-time", "ms/s", (Signal("lock-time", ("Innodb_row_lock_time", "lock_row_lock_time")),)),
    InnodbPanel(
        "lock-waits",
        "1/s",
        (
            Signal("lock-waits", ("Innodb_row_lock_waits", "lock_row_lock_waits")),
            Signal("deadlocks", ("Innodb_deadlocks", "lock_deadlocks")),
        ),
    ),
    InnodbPanel("history", "", (Signal("history", ("Innodb_history_list_length", "trx_rseg_history_len")),)),
    InnodbPanel(
        "redo", "MiB/s", (Signal("redo", ("Innodb_os_log_written", "os_log_bytes_written"), scale=_MIB),)
    ),
    InnodbPanel(
        "checkpoint",
        "MiB",
        (Signal("checkpoint", ("Innodb_checkpoint_age", "log_lsn_checkpoint_age"), scale=_MIB),),
        limited=True,
    ),
    InnodbPanel(
        "flushed",
        "1/s",
        (
            Signal("flushed-all", ("Innodb_buffer_pool_pages_flushed", "buffer_pages_written")),
            Signal("flushed-lru", ("buffer_LRU_batch_flush_total_pages",)),
            Signal("flushed-adaptive", ("buffer_flush_adaptive_total_pages",)),
            Signal("flushed-background", ("buffer_flush_background_total_pages",)),
            Signal("flushed-sync", ("buffer_flush_sync_total_pages",)),
        ),
    ),
    InnodbPanel(
        "dirty", "", (Signal("dirty", ("Innodb_buffer_pool_pages_dirty", "buffer_pool_pages_dirty")),)
    ),
    InnodbPanel("threads", "", (Signal("threads", ("Threads_running",)),)),
    InnodbPanel(
        "handlers",
        "1/s",
        tuple(
            Signal(name, (f"Handler_{name}",))
            for name in ("read_key", "read_next", "read_rnd_next", "read_rnd", "write", "update", "delete")
        ),
    ),
    InnodbPanel(
        "temporary",
        "1/s",
        (
            Signal("temporary-all", ("Created_tmp_tables",)),
            Signal("temporary-disk", ("Created_tmp_disk_tables",)),
        ),
    ),
    InnodbPanel(
        "waits",
        "1/s",
        (
            Signal("log-waits", ("Innodb_log_waits", "log_waits")),
            Signal("free-waits", ("Innodb_buffer_pool_wait_free", "buffer_pool_wait_free")),
        ),
    ),
)

_LIMITS = ("Innodb_checkpoint_max_age", "Innodb_redo_log_capacity_resized")
"""Gauges in bytes that say the limit themselves: of MariaDB, and of MySQL from 8.0.30 on."""
_CAPACITY = "variables.innodb_redo_log_capacity"
_FILE, _FILES = "variables.innodb_log_file_size", "variables.innodb_log_files_in_group"


@dataclass(frozen=True)
class InnodbPoint:
    """A value in the second `t_s` from the start of the measured window; the warm-up is negative."""

    panel: str
    line: str
    unit: str
    treatment: str
    t_s: int
    value: float


@dataclass(frozen=True)
class InnodbSeconds:
    """The panels of one load point of one block.

    `flat` are the panels whose value is the same in all seconds and treatments, with it; `lacking` those that
    a server does not have, with the treatments, none of them meaning all. `limits`: of the checkpoint age in
    MiB, by treatment.
    """

    load: float
    block: int
    points: tuple[InnodbPoint, ...]
    flat: Mapping[str, float]
    lacking: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, float]

    @property
    def treatments(self) -> tuple[str, ...]:
        """The treatments that have values, in the study's order."""
        return tuple(
            dict.fromkeys(
                point.treatment for panel in PANELS for point in self.points if point.panel == panel.key
            )
        )

    @property
    def shown(self) -> list[InnodbPanel]:
        """The panels that something can be seen in."""
        seen = {point.panel for point in self.points}
        return [panel for panel in PANELS if panel.key in seen and panel.key not in self.flat]


def innodb_seconds(
    material: Material, load: float | None = None, block: int | None = None
) -> InnodbSeconds | None:
    """Returns the panels of a load point, by default the highest one, in a block, by default the typical one;
    None where no counters of a server were sampled there.
    """
    load = max(material.results.loads, default=None) if load is None else load
    if load is None:
        return None
    block = _block(material, load) if block is None else block
    if block is None:
        return None
    read = _read(material, load, block)
    if not read:
        return None
    treatments = [one for one in material.results.treatments if one in read]
    points, lacking = list[InnodbPoint](), dict[str, tuple[str, ...]]()
    for panel in PANELS:
        found = {one: list(_of_panel(panel, one, read[one])) for one in treatments}
        without = tuple(one for one in treatments if not found[one])
        if without:
            lacking[panel.key] = () if len(without) == len(treatments) else without
        points += [point for one in treatments for point in found[one]]
    points = list(_without_silent(points))
    flat = {panel.key: value for panel in PANELS if (value := _flat(panel.key, points)) is not None}
    return InnodbSeconds(
        load,
        block,
        tuple(points),
        flat,
        lacking,
        _limits(material, block, {one: read[one] for one in treatments}),
    )


_Seconds = Mapping[int, float]
_Read = Mapping[str, Mapping[str, _Seconds]]
"""Values by treatment, name and second."""


def _block(material: Material, load: float) -> int | None:
    typical = typical_block(material, load)
    if typical is not None:
        return typical
    rows = material.rows(
        "select min(block) as block from rates where load = ? and source = ?", (load, _SOURCE)
    )
    return rows[0]["block"] if rows else None


def _read(material: Material, load: float, block: int) -> _Read:
    names = {name for panel in PANELS for one in panel.signals for name in (*one.names, *one.missed_of)}
    read: dict[str, dict[str, dict[int, float]]] = {}
    for row in material.rows(
        "select treatment, name, t_s, value from rates where load = ? and block = ? and source = ?"
        " and list_contains(?, name) and value is not null and t_s is not null order by treatment, name, t_s",
        (load, block, _SOURCE, sorted({*names, *_LIMITS})),
    ):
        seconds = read.setdefault(row["treatment"], {}).setdefault(row["name"], {})
        seconds[round(row["t_s"])] = row["value"]
    return read


def _of_panel(panel: InnodbPanel, treatment: str, read: Mapping[str, _Seconds]) -> Iterator[InnodbPoint]:
    for signal in panel.signals:
        values = _first(signal.names, read)
        if signal.missed_of:
            whole = _first(signal.missed_of, read)
            values = {at: 100 * (1 - value / whole[at]) for at, value in values.items() if whole.get(at)}
        for at, value in values.items():
            yield InnodbPoint(panel.key, signal.key, panel.unit, treatment, at, value * signal.scale)


def _first(names: Sequence[str], read: Mapping[str, _Seconds]) -> _Seconds:
    return next((read[name] for name in names if name in read), {})


def _without_silent(points: Sequence[InnodbPoint]) -> Iterator[InnodbPoint]:
    """Yields the points without lines that are zero throughout, beside lines of their panel that are not."""
    heard = {(point.panel, point.line) for point in points if point.value}
    loud = {panel for panel, _ in heard}
    yield from (point for point in points if point.panel not in loud or (point.panel, point.line) in heard)


def _flat(panel: str, points: Sequence[InnodbPoint]) -> float | None:
    """Returns the value of a panel that shows nothing; None where it shows something, or has no value."""
    values = [point.value for point in points if point.panel == panel and point.t_s > 0]
    if not values or max(values) - min(values) > _FLAT * max(map(abs, values)):
        return None
    return sum(values) / len(values)


def _limits(material: Material, block: int, read: _Read) -> dict[str, float]:
    """Returns the limit of the checkpoint age of each treatment: as the server says it, or the size of its
    redo log.
    """
    found = {}
    for treatment, names in read.items():
        said = next((max(names[name].values()) for name in _LIMITS if name in names), None)
        if said:
            found[treatment] = said * _MIB
    variables: dict[str, dict[str, float]] = {}
    for row in material.rows(
        "select treatment, key, max(try_cast(facts.value as double)) as size"
        " from facts join runs using (run_id)"
        " where block = ? and scope = 'server' and moment = 'before' and list_contains(?, key) group by all",
        (block, [_CAPACITY, _FILE, _FILES]),
    ):
        variables.setdefault(row["treatment"], {})[row["key"]] = row["size"] or 0.0
    for treatment, sizes in variables.items():
        capacity = sizes.get(_CAPACITY) or sizes.get(_FILE, 0.0) * (sizes.get(_FILES) or 1.0)
        if capacity and treatment in read:
            found.setdefault(treatment, capacity * _MIB)
    return found
