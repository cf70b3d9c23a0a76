"""Names the load points at which treatments are explained, each at its own most telling one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from assay.reporting.report.material import Material


class _Explained(Protocol):
    @property
    def treatment(self) -> str: ...

    @property
    def load(self) -> float: ...


def loads_in_words(material: Material, records: Iterable[_Explained]) -> str:
    """Returns all load points of records, in words."""
    loads = dict.fromkeys(one.load for one in records)
    return material.words.listed(material.load_words(load) for load in loads)


def panel_title(material: Material, name: str, records: Iterable[_Explained], treatment: str) -> str:
    """Returns the title of a treatment's panel: its name, with its load point where others have another."""
    of = {one.treatment: one.load for one in records}
    if len(set(of.values())) == 1:
        return name
    return material.words("chart.at", name=name, load=material.load_words(of[treatment]))
