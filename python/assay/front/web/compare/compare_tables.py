"""The tables of a comparison of two treatments."""

from __future__ import annotations

from assay.design.study import is_far
from assay.front.web.compare.compared import Compared
from assay.front.web.compare.matrix import figure
from assay.reporting.report import (
    Column,
    Figure,
    Ratio,
    Table,
    Word,
    Words,
    explain_estimate,
    named_columns,
)

_OF_TREATMENTS = frozenset(
    {"server_flavour", "server_version", "server_sha256", "server_address", "dataset", "data", "workload"}
)
_ORDER = {"unequal": 0, "varied": 1, "same": 2}


def rows_table(words: Words, found: Compared) -> Table:
    """Returns one row a measure and load point, base before new, for the forms that programs read."""
    kind = "paired" if found.is_paired else "unpaired"
    decisions = (row.decision for row in found.rows if row.decision is not None)
    estimates = dict.fromkeys(explain_estimate(words, one) for one in decisions if not one.is_firm)
    return Table(
        "", "comparison", words("web.compare.rows"),
        (
            *named_columns(words, "column", measure="text", unit="text"),
            Column("load", words("web.column.load")),
            *named_columns(words, "web.compare", base="number", new="number"),
            Column("ratio", words("web.compare.axis"), kind="ratio"),
            Column("blocks", words("column.blocks")),
            *([Column("looks", words("web.compare.looks"), kind="text")] if found.has_looks else []),
        ),
        tuple(
            (
                words.measure(row.measure),
                words.unit(row.unit),
                row.load,
                figure(row.base, "base"),
                figure(row.new, "new"),
                Ratio(row.ratio, row.low, row.high, row.word)
                if row.word
                else Figure(row.ratio, row.low, row.high),
                row.blocks,
                *([row.look and words(f"web.compare.looks-{row.look}")] if found.has_looks else []),
            )
            for row in found.rows
        ),
        note=words.sentences([words(f"web.compare.{kind}-note"), *estimates]),
        empty=words("web.compare.nothing" + (found.lack and f"-{found.lack}")),
    )  # fmt: skip


def differences_table(words: Words, found: Compared) -> Table:
    """Returns what the runs of both sides say of themselves; unequal facts first."""
    stated = [(words(f"web.compare.fact-{name}"), _state(found, name, old, new), old, new)
              for name, old, new in found.facts]  # fmt: skip
    rows = [
        (fact, Word(state), old, new)
        for fact, state, old, new in sorted(stated, key=lambda one: _ORDER[one[1]])
    ]
    rows += [
        (words("web.compare.stated", name=one.name), Word("unequal"), one.left, one.right)
        for one in found.stated
    ]
    old, new = found.canary
    if old is not None and new is not None:
        apart = new / old - 1
        near = "unequal" if is_far(old, new) else "same"
        rows.append(
            (words("web.compare.fact-canary"), Word(near), f"{old:,.0f} µs", f"{new:,.0f} µs ({apart:+.1%})")
        )
    return Table(
        "", "sides", words("web.compare.differences"),
        (
            Column("fact", words("column.fact"), kind="text"),
            Column("state", words("column.status"), kind="word"),
            *named_columns(words, "web.compare", base="text", new="text"),
        ),
        tuple(rows),
    )  # fmt: skip


def settings_table(words: Words, found: Compared) -> Table:
    """Returns the server variables whose values differ."""
    rows = tuple((one.name, one.left, one.right) for one in found.settings or ())
    return Table(
        "", "settings", words("web.compare.settings", count=len(rows)),
        (
            Column("variable", words("column.variable"), kind="code"),
            *named_columns(words, "web.compare", base="text", new="text"),
        ),
        rows,
        empty=words("web.compare.settings-unknown" if found.settings is None else "web.compare.no-settings"),
        folded=len(rows) > 12,
    )  # fmt: skip


def _state(found: Compared, name: str, old: str, new: str) -> str:
    """Returns whether a fact is equal, unequal, or what the study varies: within one study, server and data
    follow from the treatment.
    """
    if old == new:
        return "same"
    return "varied" if found.is_paired and name in _OF_TREATMENTS else "unequal"
