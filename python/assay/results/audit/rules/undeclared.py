"""The rule that results state the load under which they were measured."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.metrics import is_server_rate, role_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import UNKNOWN, Kind, Statement, by_study

_SERVER_NAME = "the server and its version"
_NEEDED = (
    (
        _SERVER_NAME,
        r"mysql \d|mariadb \d|percona|tidb|postgres|oceanbase|polardb|aurora|^(?:servers?|version|db)\b",
    ),
    ("the buffer pool", r"buffer[_ -]?pool|shared_buffers"),
    (
        "the size of the data",
        r"table[_-]size|\brows\b|load_rows|warehouses|database[_-]size|data[_-]size|scale|maxid",
    ),
)
"""What results of servers depend on, with the words by which a file states it."""
_OF_HOST = (("the processors", r"cpu|core|processor"), ("the memory", r"memory|\bram\b"))
_SAYING: tuple[Kind, ...] = ("fact", "setting", "variable", "figure", "chart")
_CLAIMS, _MISSING, _DESCRIBED = 3, 2, 3
"""Claims about rates from which on a study without tables is asked, conditions that it then may not lack, and
facts that are a description of machines."""
_RATE = re.compile(r"\b(?:tps|qps|ops|tpmc|throughput|iops)\b", re.IGNORECASE)


def _check(material: Material) -> Iterator[Finding]:
    yield from _of_load(material)
    yield from _of_conditions(material)
    yield from _of_studies(material)


def _of_conditions(material: Material) -> Iterator[Finding]:
    """Yields one finding for each study that describes its machines, and not all that a comparison needs."""
    facts, claims = by_study(material, "fact"), by_study(material, "claim")
    for study, own in facts.items():
        rates = [
            cell for cell in material.cells if cell.study == study and is_server_rate(cell.metric, cell.unit)
        ]
        of_rates = [one for one in claims.get(study, ()) if _RATE.search(one.text)]
        if not rates and not (study and len(of_rates) >= _CLAIMS):
            continue
        if len({one.name for one in own}) < _DESCRIBED:
            continue
        missing = _missing(material, study, own, rates)
        if len(missing) >= _MISSING or (missing and _SERVER_NAME in missing and _knows_machine(own)):
            source = f"{rates[0].table} and others print" if rates else f"{len(of_rates)} claims are about"
            yield own[0].finding(
                RULE.name,
                expected=", ".join(missing),
                sign=f"no file states {', '.join(missing)}",
                second=f"{source} {rates[0].metric if rates else 'rates'}, which depends on them",
                printed="not stated",
                row=study or "every row",
            )


def _missing(material: Material, study: str, facts: list[Statement], rates: list[Cell]) -> list[str]:
    """Returns the conditions of a study that none of its files states."""
    stated = [
        f"{one.name} {one.text} {one.condition}".lower()
        for kind in _SAYING
        for one in by_study(material, kind).get(study, ())
    ]
    levels = [f"{name} {level}".lower() for cell in rates for name, level in cell.levels]
    known = "\n".join(dict.fromkeys([*stated, *levels]))
    of_hosts = "\n".join(f"{one.name} {one.text}".lower() for one in facts)
    missing = [name for name, words in _NEEDED if not re.search(words, known, re.MULTILINE)]
    missing += [name for name, words in _OF_HOST if not re.search(words, of_hosts, re.MULTILINE)]
    if _SERVER_NAME not in missing and not re.search(r"\d+\.\d+\.\d+", known):
        missing.append("the release of the server")
    return missing


def _knows_machine(facts: list[Statement]) -> bool:
    return any(re.search("cpu|memory", f"{one.name} {one.text}".lower()) for one in facts)


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
            yield sheet.finding(
                RULE.name,
                "warning",
                "medium",
                study,
                "hypothesis",
                of_rates[0][0],
                f"{len(claims)} claims",
                "the figures that they rest on",
                "the study claims differences of rates, and none of its tables has one",
                f"{len(of_rates)} claims are about rates",
            )


def _of_load(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        cells = [cell for row in table.rows.values() for cell in row.values()]
        rates = [
            c for c in cells if (role := role_of(c.metric, c.unit)) and role.kind in ("tps", "qps", "latency")
        ]
        blind = [cell for cell in rates if cell.level("workload").lower() in UNKNOWN]
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


RULE = Rule(
    "undeclared",
    "results that do not say of which load they are",
    _check,
    kind="conditions",
    must="results state their workload and number of connections; a study that describes its machines "
    "also states server, release, processors, memory, buffer pool and size of the data; claims "
    "about rates have a table",
)
