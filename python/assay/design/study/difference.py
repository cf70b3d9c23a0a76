"""Finds the keys in which two studies differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.design.study.identity import meaning
from assay.design.study.model.study import Study
from assay.design.study.values import level_text, shown

_SPELLED = {"schema_": "schema", "measure_s": "measure", "round_s": "round"}
_SECONDS = frozenset({"load.measure", "storage.round"})
_MOST = 5


def differences(old: Study, new: Study) -> list[str]:
    """Returns the differing keys that make two studies different experiments: `workload.table_size: 5000 →
    6000`.
    """
    return [f"{key}: {before} → {after}" for key, before, after in stated_differences(old, new)]


def stated_differences(old: Study, new: Study) -> list[tuple[str, str, str]]:
    """Returns the keys in which two studies state different things, with both values in words."""
    before, after = dict(_flat(meaning(old))), dict(_flat(meaning(new)))
    keys = [*before, *(key for key in after if key not in before)]
    return [
        (key, _said(key, before.get(key)), _said(key, after.get(key)))
        for key in keys
        if before.get(key) != after.get(key)
    ]


def difference_text(old: Study, new: Study) -> str:
    """Returns the differences between two studies in one line, the first few of many."""
    found = differences(old, new)
    more = len(found) - _MOST
    return "; ".join(found[:_MOST]) + (f"; and {more} more" if more > 0 else "")


def _flat(tables: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        key = f"{above}{_SPELLED.get(name, name)}"
        if name == "factors":
            yield from ((f'factor "{one["name"]}"', _levels(one)) for one in value)
        elif name in ("options", "files"):  # of a workload or an experiment: they stand beside `use`
            yield from _flat(value, above)
        elif name == "warmup":
            yield key, f"{value['kind']} {value['seconds']:g}s" if value.get("seconds") else value["kind"]
        elif isinstance(value, Mapping):
            yield from _flat(value, f"{key}.")
        else:
            yield key, value


def _levels(factor: Mapping[str, Any]) -> list[Any]:
    """Returns the levels of a factor; of a tied one each with the values of its keys."""
    if "keys" not in factor:
        return list(factor["levels"])
    found = []
    for level, row in zip(factor["levels"], factor["values"], strict=True):
        pairs = zip(factor["keys"], row, strict=True)
        settings = [f"{key}={level_text(value)}" for key, value in pairs if value is not None]
        found.append(f"{level} ({', '.join(settings)})")
    return found


def _said(key: str, value: Any) -> str:
    if value is None:
        return "(not set)"
    return str(value) if key == "load.warmup" else f'"{value:g}s"' if key in _SECONDS else shown(value)
