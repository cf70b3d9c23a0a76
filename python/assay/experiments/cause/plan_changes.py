"""The changes that may give a statement another plan: flags of optimizer_switch, other variables of the
optimizer, hints of an index, refreshed statistics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.design.study import Scalar, number, option_text, same_value
from assay.results.verdict import Step
from assay.system.server import quoted_name

SWITCH = "optimizer_switch"
Kind = Literal["flag", "variable", "index", "statistics"]

_OF_THE_OPTIMIZER = re.compile(
    r"optimizer_(?!trace|switch|costs|where_cost|disk_setup_cost|scan_setup_cost)\w+"
    r"|eq_range_index_dive_limit|range_optimizer_max_mem_size|max_seeks_for_key|join_cache_level"
    r"|join_buffer_(?:size|space_limit)|use_stat_tables|mrr_buffer_size|in_predicate_conversion_threshold"
    r"|sort_buffer_size|read_rnd_buffer_size|(?:max_heap|tmp)_table_size|histogram_\w+|big_tables|sql_big_selects"
    r"|internal_tmp_mem_storage_engine|windowing_use_high_precision|cte_max_recursion_depth|group_concat_max_len"
)
_FLAG = re.compile(r"([a-z_]+)=(on|off)", re.IGNORECASE)


@dataclass(frozen=True)
class PlanChange:
    """One change on the server of the second treatment: `flag` of optimizer_switch or `variable` with a
    value, an `index` for a table, or `statistics` of a table.
    """

    kind: Kind
    name: str
    value: Scalar = ""

    def __str__(self) -> str:
        if self.kind == "flag":
            return f"{SWITCH}='{self.name}={self.value}'"
        if self.kind == "variable":
            return f"{self.name}={option_text(self.value)}"
        return (
            f"FORCE INDEX ({self.value}) on {self.name}"
            if self.kind == "index"
            else f"ANALYZE TABLE {self.name}"
        )

    @property
    def is_setting(self) -> bool:
        """Whether a study can set it as a variable of the server."""
        return self.kind in ("flag", "variable")


def switches(text: str) -> dict[str, str]:
    """Returns the flags of an optimizer_switch; those that are neither on nor off are left out."""
    return {name.lower(): value.lower() for name, value in _FLAG.findall(text)}


def setting_changes(first: Mapping[str, str], second: Mapping[str, str]) -> tuple[PlanChange, ...]:
    """Returns what can be set for a session of the second treatment's server: first the flags and variables
    in which it differs from the first treatment's, then all other flags turned round.

    `first`, `second`: variables in force.
    """
    theirs, ours = switches(first.get(SWITCH, "")), switches(second.get(SWITCH, ""))
    apart = [
        PlanChange("flag", name, theirs[name]) for name in ours if theirs.get(name, ours[name]) != ours[name]
    ]
    variables = [
        PlanChange("variable", name, _scalar(first[name]))
        for name, value in second.items()
        if name in first and _OF_THE_OPTIMIZER.fullmatch(name) and not same_value(first[name], value)
    ]
    turned = [
        PlanChange("flag", name, "off" if value == "on" else "on")
        for name, value in ours.items()
        if theirs.get(name, value) == value
    ]
    return (*apart, *variables, *turned)


def index_changes(plan: Sequence[Step]) -> Iterator[PlanChange]:
    """Yields a hint for each table to which a plan goes by an index."""
    for step in plan:
        if step.key and step.table and not step.table.startswith("<"):
            yield PlanChange("index", step.table, step.key)


def contradicts(changes: Sequence[PlanChange]) -> bool:
    """Returns whether two of the changes set one thing."""
    names = [(one.kind, one.name) for one in changes]
    return len(set(names)) < len(names)


def with_indexes(statement: str, changes: Sequence[PlanChange]) -> str | None:
    """Returns a statement that forces the indexes of the changes; None where a table is not found in it.

    A table is found by its name or its alias after FROM, JOIN, UPDATE or a comma.
    """
    for one in changes:
        if one.kind != "index":
            continue
        name = re.escape(one.name)
        place = re.compile(
            rf"(?is)(?:\b(?:from|join|update)\b|,)\s*(?:`?\w+`?\s*\.\s*)?"
            rf"(?:`?{name}`?(?!\s*\.)(?!\w)(?!\s+(?:as\s+)?`?(?!where\b|set\b|join\b|inner\b|left\b|right\b|cross\b|on\b"
            rf"|using\b|order\b|group\b|limit\b|having\b|for\b|straight_join\b|natural\b)\w+`?)"
            rf"|`?\w+`?\s+(?:as\s+)?`?{name}`?(?!\w)(?!\s*\.))"
        )
        found = place.search(statement)
        if found is None:
            return None
        rest = statement[found.end() :]
        statement = f"{statement[: found.end()]} FORCE INDEX ({quoted_name(str(one.value))})"
        statement += rest
    return statement


def variables_of(changes: Sequence[PlanChange], stated: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the server variables that make the changes, beside those that a treatment states already."""
    found: dict[str, Scalar] = {one.name: one.value for one in changes if one.kind == "variable"}
    flags = {one.name: str(one.value) for one in changes if one.kind == "flag"}
    if flags:
        flags = {**switches(str(stated.get(SWITCH, ""))), **flags}
        found[SWITCH] = ",".join(f"{name}={value}" for name, value in flags.items())
    return found


def _scalar(text: str) -> Scalar:
    found = number(text)
    if found is None:
        return text
    return int(found) if found == int(found) else float(found)
