"""Where an answer holds: server, data, machine, window and date, in one line."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assay.base.decoding import whole_number
from assay.base.numbers import duration, number
from assay.design.study import DEFAULT_PLACE
from assay.reporting.report.material import MAIN, Material
from assay.reporting.report.records.runs import servers

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = {"mariadb": "MariaDB", "mysql": "MySQL", "percona": "Percona Server"}
MOST = 3
"""Up to so many servers, or directories, are named."""


def where(material: Material) -> list[str]:
    """Returns what the study ran on, piece by piece; what nobody recorded is left out."""
    return [one for one in (*_system(material), *_machine(material), *_time(material)) if one]


def _system(material: Material) -> Iterator[str]:
    words, study = material.words, material.study
    if study.is_imported:
        rows = material.rows(f"SELECT DISTINCT imported FROM {MAIN}.runs ORDER BY imported")
        yield words("answer.imported", tools=words.listed(row["imported"] for row in rows if row["imported"]))
    found = [_named(one) for one in servers(material)]
    if study.subject.kind == "server" and not study.is_imported:
        found = found or [", ".join(study.servers)]
    if len(found) > MOST:
        yield words("answer.servers", count=len(found), some=words.listed(found[:MOST]))
    else:
        yield words.listed(found)
    if study.subject.kind == "storage":
        if not study.is_imported:
            yield directories(material)
        yield study.workload.use.partition(":")[2] or study.workload.use
    else:
        yield _data(material)


def _named(server: str) -> str:
    flavour, _, version = server.partition(" ")
    return f"{_NAMES.get(flavour, flavour)} {version}".strip()


def directories(material: Material) -> str:
    """Returns the directories of the files under load."""
    study = material.study
    levels = dict.fromkeys(study.varied.get("storage.directory", (study.storage.directory,)))
    own = material.words("files-table.own-place")
    return ", ".join(own if level in (None, DEFAULT_PLACE) else str(level) for level in levels)


def _data(material: Material) -> str:
    """Returns the workload and the size of its data, where the study states and does not vary it."""
    words, study = material.words, material.study
    workload = words.listed(study.workloads[:MOST]) + (" …" if len(study.workloads) > MOST else "")
    if study.is_imported:
        return ""
    sizes = {
        name: value
        for name, value in study.workload.options.items()
        if f"workload.{name}" not in study.varied and isinstance(value, int) and value > 0
    }
    size = ""
    if "table_size" in sizes and "workload.tables" not in study.varied:
        size = words("answer.rows", count=number(sizes["table_size"] * sizes.get("tables", 1)))
    elif "warehouses" in sizes:
        size = words("answer.warehouses", count=number(sizes["warehouses"]))
    elif "recordcount" in sizes:
        size = words("answer.rows", count=number(sizes["recordcount"]))
    elif "maxid1" in sizes:
        size = words("answer.ids", count=number(sizes["maxid1"] - 1))
    return words.listed(one for one in (workload, size) if one)


def _machine(material: Material) -> Iterator[str]:
    """Yields the machines: processors and memory of one, the number of several."""
    words = material.words
    rows = material.rows(
        "SELECT key, list(DISTINCT value ORDER BY value) AS found FROM facts WHERE scope = 'host'"
        " AND moment = 'before' AND key IN ('system.hostname', 'cpu.model', 'cpu.logical',"
        " 'memory.total_bytes') GROUP BY key"
    )
    facts = {row["key"]: row["found"] for row in rows}
    hosts = len(facts.get("system.hostname", ()))
    if hosts > 1:
        yield words("answer.hosts", count=hosts)
    single = {key: found[0] for key, found in facts.items() if len(found) == 1}
    model, count = single.get("cpu.model", ""), single.get("cpu.logical", "")
    if model or count:
        yield f"{count} × {model}" if model and count else model or words("answer.processors", count=count)
    memory = whole_number(single.get("memory.total_bytes", ""))
    if memory:
        yield f"{number(memory / (1 << 30), 0)} GiB"


def _time(material: Material) -> Iterator[str]:
    """Yields the length of the measured window, and the day on which the first run began."""
    if not material.study.is_imported:
        yield material.words("answer.window", seconds=duration(material.study.load.measure_s))
    began = [row["began"] for row in material.rows(f"SELECT min(started_ns) AS began FROM {MAIN}.runs")]
    if began[0]:
        yield f"{datetime.fromtimestamp(began[0] / 1e9, UTC):%Y-%m-%d}"
