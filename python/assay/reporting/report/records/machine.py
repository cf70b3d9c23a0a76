"""Records of host settings that the study changed, and of facts that changed during runs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.reporting.report.material import Material

# What moves by nature, and says nothing about whether runs are alike.
MOVING = re.compile(r".*free_bytes|cpu\.mhz|.*\.raid_sync_(?:completed|speed)|raid\..*\.(?:progress|at_work)")


@dataclass(frozen=True)
class KnobSetting:
    """A host setting that the study changed. `was` is the value before the runs; several are joined by " /
    ".
    """

    knob: str
    target: str
    was: str
    values: dict[str, str]  # treatment -> what it was set to; a treatment that left it alone is absent


@dataclass(frozen=True)
class Change:
    """A fact about the machine that differed after a run from before it."""

    fact: str
    before: str
    after: str
    runs: int


def settings(material: Material) -> list[KnobSetting]:
    """Returns the host settings that runs had, by name."""
    rows = material.rows(
        "select key, moment, treatment, list(distinct value order by value) as found"
        " from facts join runs using (run_id) where scope = 'setting' group by all order by key"
    )
    keys = list(dict.fromkeys(row["key"] for row in rows))
    found = []
    for key in keys:
        knob, _, target = key.partition(" ")
        here = [row for row in rows if row["key"] == key]
        was = sorted({value for row in here if row["moment"] == "was" for value in row["found"]})
        values = {row["treatment"]: " / ".join(row["found"]) for row in here if row["moment"] == "set"}
        found.append(KnobSetting(knob, target, " / ".join(was), values))
    return found


def changes(material: Material) -> list[Change]:
    """Returns facts of the host that differ after a run from before it; a fact that appeared or vanished has
    a dash.
    """
    rows = material.rows(
        "with before as (select * from facts where scope = 'host' and moment = 'before'),"
        " after as (select * from facts where scope = 'host' and moment = 'after'),"
        " whole as (select run_id from before intersect select run_id from after)"
        " select key, coalesce(b.value, '–') as was, coalesce(a.value, '–') as became,"
        " count(distinct run_id) as runs"
        " from before b full join after a using (run_id, key) join whole using (run_id)"
        " where b.value is distinct from a.value group by all order by key, was, became"
    )
    return [
        Change(row["key"], row["was"], row["became"], row["runs"])
        for row in rows
        if not MOVING.fullmatch(row["key"])
    ]
