"""Reads Vega-Lite specifications: their marks with what they inherit, and the names that a reader sees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.reporting.report.charts.style import CONFIG, pixels

_LINES = re.compile(r"(.*)\[(?:datum\.label|\d+ - datum\.value)\]", re.DOTALL)


@dataclass(frozen=True)
class Unit:
    """One mark of a specification, with the rows and the channels that it draws by."""

    mark: Mapping[str, Any]
    encoding: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    @property
    def kind(self) -> str:
        return str(self.mark["type"])

    def field(self, channel: str) -> str:
        """Returns the field of a channel; empty where it has none."""
        return str(self.encoding.get(channel, {}).get("field", ""))

    def reaches(self) -> list[tuple[float, float]]:
        """Returns the ends of the intervals that are drawn as this mark; none for a mark of another kind."""
        fields = {self.field("x"), self.field("y")}, {self.field("x2"), self.field("y2")}
        if not fields[0] & {"low", "from"} or "high" not in fields[1]:
            return []
        return [(row["low"], row["high"]) for row in self.rows if row.get("low") is not None]


def units(spec: Mapping[str, Any]) -> list[Unit]:
    """Returns the marks of a specification in the order in which they are drawn."""
    return list(_units(spec, {}, []))


def _units(
    spec: Mapping[str, Any], encoding: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> Iterator[Unit]:
    rows = spec.get("data", {}).get("values", rows)
    for name in ("hconcat", "vconcat", "concat"):
        for part in spec.get(name, ()):
            yield from _units(part, {}, rows)
    own = {**encoding, **spec.get("encoding", {})}
    for part in spec.get("layer", ()):
        yield from _units(part, own, rows)
    if "mark" in spec:
        mark = spec["mark"] if isinstance(spec["mark"], dict) else {"type": spec["mark"]}
        yield Unit(mark, own, rows)


def keys(spec: Mapping[str, Any]) -> list[list[str]]:
    """Returns each list of names that is the key of something: of an axis of rows, and of a legend; as they
    are seen, cut where there is a limit.
    """
    found = []
    for unit in units(spec):
        for name, channel in unit.encoding.items():
            if name in ("x", "y") and channel.get("type") in ("nominal", "ordinal"):
                found.append(_of_axis(channel, unit.rows))
            elif name in ("color", "shape") and channel.get("legend"):
                found.append([_cut(one, _limit("legend")) for one in channel["scale"]["domain"]])
            elif name == "y" and "[" in str((channel.get("axis") or {}).get("labelExpr", "")):
                found.append(_of_axis(channel, unit.rows))
    return [list(names) for names in dict.fromkeys(map(tuple, found)) if names]


def texts(spec: Mapping[str, Any]) -> list[str]:
    """Returns all names and titles that are written in a picture, those of several lines as one."""
    said = [name for of in keys(spec) for name in of]
    for unit in units(spec):
        if unit.kind == "text" and "text" in unit.mark:
            said.append(_joined(unit.mark["text"]))
        elif unit.kind == "text":
            said += [str(row.get(unit.field("text"), "")) for row in unit.rows]
    return said


def titles(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yields the titles of panels that Vega places, with their properties."""
    if isinstance(title := spec.get("title"), dict):
        yield title
    for name in ("hconcat", "vconcat", "concat", "layer"):
        for part in spec.get(name, ()):
            yield from titles(part)


def scales(spec: Mapping[str, Any], channel: str) -> list[Mapping[str, Any]]:
    """Returns the quantitative channels of this name that have ticks of their own."""
    return [
        one
        for unit in units(spec)
        if (one := unit.encoding.get(channel, {})).get("type") == "quantitative"
        and (one.get("axis") or {}).get("values")
    ]


def _of_axis(channel: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    axis = channel.get("axis") or {}
    if axis.get("labels") is False or channel.get("axis", axis) is None:
        return []
    names = channel.get("scale", {}).get("domain") or list(
        dict.fromkeys(row[channel["field"]] for row in rows)
    )
    if known := _LINES.fullmatch(axis.get("labelExpr", "")):
        lines = json.loads(known[1])
        names = lines if isinstance(lines, list) else [lines[name] for name in names]
    limit = axis.get("labelLimit", _limit("axis"))
    return [_cut(name, limit) for name in names]


def _limit(part: str) -> float:
    return float(CONFIG[part].get("labelLimit", 160))


def _cut(name: str | Sequence[str], limit: float) -> str:
    lines = [name] if isinstance(name, str) else list(name)
    if limit and any(pixels(line) > limit for line in lines):
        lines = [line[: int(limit / 7)] + "…" for line in lines]
    return _joined(lines)


def _joined(lines: str | Sequence[str]) -> str:
    """Returns a name of several lines as one; a line that is broken in a space keeps it."""
    return lines if isinstance(lines, str) else "".join(lines)
