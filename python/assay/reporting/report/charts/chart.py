"""A chart before it is rendered: its records and its Vega-Lite specification (https://vega.github.io/vega-lite/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart: its records and specification. `name` is its file's name, `section` its place on the page.

    `records` are the dataclasses that are drawn, and are written beside it as CSV. `folded`: closed on the
    page until the reader opens it. `says`: one sentence made from the records; `build_charts` puts it
    before the caption.
    """

    section: str
    name: str
    title: str
    caption: str
    spec: Spec
    records: Sequence[Any]
    folded: bool = False
    says: str = ""


def values(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """Returns rows as inline data of a specification."""
    return {"values": list(rows)}
