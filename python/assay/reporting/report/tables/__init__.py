"""Makes the tables of the report: one file and one line here for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assay.design.study import Kind
from assay.reporting.report.material import Material
from assay.reporting.report.tables import (
    comparisons,
    configuration,
    copies,
    costs,
    differences,
    digests,
    doubts,
    durability,
    effects,
    environment,
    errors,
    fairness,
    files,
    generator,
    heat,
    hosts,
    hypotheses,
    imported,
    ledgers,
    machine,
    matrix,
    paired,
    plans,
    reasons,
    ridge,
    runs,
    scaling,
    screening,
    settings,
    spread,
    statements,
    tails,
    waits,
    watched,
    wide,
)
from assay.reporting.report.tables.model import Table

Build = Callable[[Material], list[Table]]

TABLES: tuple[Build, ...] = (
    ledgers.tables,
    hypotheses.tables,
    matrix.tables,
    wide.tables,
    statements.tables,
    waits.tables,
    scaling.tables,
    effects.tables,
    screening.tables,
    copies.tables,
    comparisons.tables,
    tails.tables,
    paired.tables,
    hosts.tables,
    settings.tables,
    ridge.tables,
    heat.tables,
    spread.tables,
    files.tables,
    plans.tables,
    digests.tables,
    reasons.tables,
    costs.tables,
    generator.tables,
    errors.tables,
    fairness.tables,
    differences.tables,
    configuration.tables,
    durability.tables,
    environment.tables,
    watched.tables,
    machine.tables,
    doubts.tables,
    runs.tables,
    imported.tables,
)


BY_WORKLOAD: frozenset[Build] = frozenset(
    {
        wide.tables,
        statements.tables,
        waits.tables,
        scaling.tables,
        effects.tables,
        paired.tables,
        ridge.tables,
        heat.tables,
        spread.tables,
        files.tables,
        plans.tables,
        ledgers.tables,
        digests.tables,
        reasons.tables,
        costs.tables,
        generator.tables,
    }
)
"""Tables that compare treatments, made once for each kind of load where a study has several, and not at all
where it has many.
"""
OF_SERVERS: frozenset[Build] = frozenset(
    {fairness.tables, differences.tables, configuration.tables, durability.tables}
)
"""Tables about the servers, made once whatever the workloads."""
NEEDS: dict[Build, Kind] = {
    files.tables: "storage",
    settings.tables: "server",
    statements.tables: "server",
    waits.tables: "server",
    plans.tables: "server",
    ledgers.tables: "server",
    digests.tables: "server",
    generator.tables: "server",
    **dict.fromkeys(OF_SERVERS, "server"),
}
"""Tables that are made only for a study of this kind of subject, a server or storage."""

OF_IMPORTS: frozenset[Build] = frozenset(
    {
        hypotheses.tables,
        wide.tables,
        scaling.tables,
        effects.tables,
        comparisons.tables,
        tails.tables,
        paired.tables,
        heat.tables,
        spread.tables,
        files.tables,
        doubts.tables,
        runs.tables,
        imported.tables,
    }
)
"""The tables of imported results; every other one is about what only Assay observes, and would be empty or
say that nothing happened.
"""


def build_tables(material: Material) -> list[Table]:
    """Returns every table, also empty ones: the absence of errors is a result."""
    parts, servers = material.few_parts(), material.servers()
    kind = material.study.subject.kind
    tables: list[Table] = []
    for build in TABLES:
        if NEEDS.get(build, kind) != kind or (material.study.is_imported and build not in OF_IMPORTS):
            continue
        if build in BY_WORKLOAD:
            tables += [
                replace(table, name=part.name(table.name), title=part.title(table.title))
                for part in parts
                for table in build(part)
            ]
        else:
            tables += build(servers if build in OF_SERVERS else material)
    return tables
