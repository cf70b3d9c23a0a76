"""A chart before it is rendered: its records and its Vega-Lite specification (https://vega.github.io/vega-lite/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """`name` is the file's name, `section` where it stands on the page.

    `records` are the dataclasses that are drawn, and are written beside it as CSV. `folded`: closed on the
    page until asked for.
    """

    section: str
    name: str
    title: str
    caption: str
    spec: Spec
    records: Sequence[Any]
    folded: bool = False


def values(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """Rows as inline data."""
    return {"values": list(rows)}
