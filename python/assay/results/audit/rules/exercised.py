"""The rule that a load exercises the setting whose levels it compares."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_READS = r"read_?only|(?:^|_)select|point_?select|(?:^|_)(?:seq|rnd|rand)?(?:rd|read)$|\bread-only"
_INSERTS = r"(?:^|[_ -])(?:load|insert|inserts|import)$|^(?:load|insert)(?:[_ -]|$)"
_IDLE: tuple[tuple[str, str, str], ...] = (
    (
        r"purge",
        f"{_INSERTS}|{_READS}",
        "purge removes what updates and deletes leave, and the load has neither",
    ),
    (r"read_ahead", r"rnd|rand", "read-ahead fetches what follows, and the load reads at random places"),
    (
        r"doublewrite|flush_log_at_trx|sync_binlog|log_file_size|change_buffer|dirty_pages",
        _READS,
        "it acts on changes, and the load makes none",
    ),
)
"""Settings by name, the loads on which they do not act, and why (MySQL manual, InnoDB storage engine)."""
_KINDS = ("tps", "qps", "iops", "bandwidth", "latency")


def _check(material: Material) -> Iterator[Finding]:
    told: set[tuple[str, str, str]] = set()
    for (study, file, factor), cells in _factors(material).items():
        for setting, loads, why in _IDLE:
            place = (study, file, setting)
            load = cells[0].level("workload").lower()
            if place in told or not re.search(setting, factor.lower()) or not re.search(loads, load):
                continue
            told.add(place)
            levels = ", ".join(dict.fromkeys(cell.level(factor) for cell in cells))
            yield replace(
                at(
                    cells[0],
                    RULE.name,
                    "warning",
                    "medium",
                    expected=f"a load on which {factor} acts",
                    sign=f"{factor} is compared under {load}: {why}",
                    second_sign=f"the levels {levels} differ in nothing that this load does",
                ),
                row="every row",
                column=factor,
                printed=levels,
            )


def _factors(material: Material) -> dict[tuple[str, str, str], list[Cell]]:
    """Returns the figures of each table that compares levels of a factor under one named load."""
    cells: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        is_time = cell.metric.endswith("time")
        if cell.level("workload") and (is_time or (role is not None and role.kind in _KINDS)):
            cells[cell.study, cell.file].append(cell)
    found: dict[tuple[str, str, str], list[Cell]] = {}
    for (study, file), some in cells.items():
        if len({cell.level("workload") for cell in some}) > 1:
            continue
        for factor in dict.fromkeys(name for cell in some for name, _ in cell.levels):
            if len({cell.level(factor) for cell in some} - {""}) >= 2:
                found[study, file, factor] = some
    return found


RULE = Rule(
    "exercised",
    "settings that are compared under a load on which they do not act",
    _check,
    kind="settings",
    must="a load acts on the setting whose levels are compared under it",
)
