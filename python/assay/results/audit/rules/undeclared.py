"""The rule that results state the load under which they were measured."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_SERVER = re.compile(r"mysql|mariadb|percona|tidb|postgres|oceanbase|polardb|aurora|^(?:servers?|version|db)")
_RATE = re.compile(r"\b(?:tps|qps|ops|tpmc|throughput|iops)\b", re.IGNORECASE)
_UNKNOWN = {"unspecified", "unknown", "not stated", "n/a", "?"}


def _check(material: Material) -> Iterator[Finding]:
    yield from _of_load(material)
    yield from _of_server(material)
    yield from _of_studies(material)


def _of_server(material: Material) -> Iterator[Finding]:
    """Yields findings for studies that state their machines, but no server whose rates they print."""
    for sheet in material.with_columns("attribute", "value"):
        studies: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for line, row in sheet.rows:
            studies[row.get("study", "")].append((line, f"{row['attribute']} {row['value']}".lower()))
        for study, facts in studies.items():
            rates = [cell for cell in material.cells if cell.study == study and _is_of_server(cell)]
            named = any(_SERVER.search(text) for _, text in facts) or any(
                name in ("server", "version") for cell in rates for name, _ in cell.levels
            )
            if rates and not named and any("cpu" in text or "memory" in text for _, text in facts):
                yield Finding(
                    RULE.name,
                    "warning",
                    "medium",
                    sheet.file,
                    sheet.file.rsplit(".", 1)[0],
                    study or "every row",
                    "server",
                    facts[0][0],
                    "not stated",
                    "the server and its version",
                    f"{sheet.file} states machines and tools, but no server",
                    f"{rates[0].table} and others print its {rates[0].metric}",
                )


def _of_studies(material: Material) -> Iterator[Finding]:
    """Yields findings for studies that claim figures and print no table with them."""
    with_tables = {cell.study for cell in material.cells}
    for sheet in material.with_columns("claim", "hypothesis"):
        studies: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for line, row in sheet.rows:
            studies[row.get("study", "")].append((line, row["hypothesis"]))
        for study, claims in studies.items():
            of_rates = [(line, text) for line, text in claims if _RATE.search(text)]
            if not study or not with_tables or study in with_tables or len(of_rates) < 2:
                continue
            yield Finding(
                RULE.name,
                "warning",
                "medium",
                sheet.file,
                sheet.file.rsplit(".", 1)[0],
                study,
                "hypothesis",
                of_rates[0][0],
                f"{len(claims)} claims",
                "the figures that they rest on",
                "the study claims differences of rates, and none of its tables has one",
                f"{len(of_rates)} claims are about rates",
            )


def _is_of_server(cell: Cell) -> bool:
    role = role_of(cell.metric, cell.unit)
    return role is not None and role.kind in ("tps", "qps")


def _of_load(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        cells = [cell for row in table.rows.values() for cell in row.values()]
        rates = [
            c for c in cells if (role := role_of(c.metric, c.unit)) and role.kind in ("tps", "qps", "latency")
        ]
        blind = [cell for cell in rates if cell.level("workload").lower() in _UNKNOWN]
        if not blind or len(blind) < len(rates):
            continue
        loads = all(cell.rung is None for cell in blind)
        found = at(
            blind[0],
            RULE.name,
            "warning",
            "high",
            expected="the workload, its size, the number of connections",
            sign=f"the workload is {blind[0].level('workload')}",
            second_sign="nor is the number of connections" if loads else "",
        )
        yield replace(found, row="every row", column="workload, threads", printed=blind[0].level("workload"))


RULE = Rule("undeclared", "results that do not say of which load they are", _check)
