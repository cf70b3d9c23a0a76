"""A chart before it is rendered: its records and its Vega-Lite specification (https://vega.github.io/vega-lite/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart: its records and specification. `name` is its file's name, `section` its place on the page.

    `says` is one sentence made from the records, the heading of the figure. `caption` explains the marks that
    were drawn, and `method` how to read them, for who asks. `records` are the dataclasses that are drawn, and
    are written beside it as CSV. `folded`: closed on the page until the reader opens it.
    """

    section: str
    name: str
    title: str
    caption: str
    spec: Spec
    records: Sequence[Any]
    folded: bool = False
    says: str = ""
    method: str = ""


def values(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """Returns rows as inline data of a specification."""
    return {"values": list(rows)}
