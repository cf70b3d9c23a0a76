"""The tables of host settings that the study changed, and of facts that changed during runs."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.machine import changes, settings
from assay.reporting.report.tables.model import Column, Table, named_columns

MANY = 20


def tables(material: Material) -> list[Table]:
    """Returns `machine-settings`, where there are some, and `machine-changes`: one row a fact and pair of
    values.
    """
    words = material.words
    turned = settings(material)
    treatments = [t for t in material.results.treatments if any(t in one.values for one in turned)]
    changed = changes(material)
    set_by_study = Table(
        "environment",
        "machine-settings",
        words("machine.settings-title"),
        (
            *named_columns(words, "column", setting="text", target="text", was="text"),
            *(Column(treatment, treatment, kind="text", side=True) for treatment in treatments),
        ),
        tuple(
            (f"host.{one.knob}", one.target, one.was, *(one.values.get(t, "–") for t in treatments))
            for one in turned
        ),
        note=words("machine.settings-note"),
    )
    by_itself = Table(
        "environment",
        "machine-changes",
        words("machine.changes-title"),
        (*named_columns(words, "column", fact="text", before="text", after="text", runs="number"),),
        tuple((one.fact, one.before, one.after, one.runs) for one in changed),
        note=words("machine.changes-note") if changed else "",
        empty=words("machine.changes-empty"),
        folded=len(changed) > MANY,
    )
    return [set_by_study, by_itself] if turned else [by_itself]
