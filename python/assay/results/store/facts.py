"""Flattens facts into keys: {"cpu": {"model": …}} becomes cpu.model; a list of values becomes one text."""

from __future__ import annotations

import json
from collections.abc import Iterator


def flatten(value: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yields (key, text) of every leaf; a list of tables is numbered from 0, or keyed by its entries'
    `name`.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flatten(inner, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for number, inner in enumerate(value):
            name = inner.get("name", number) if isinstance(inner, dict) else number
            yield from flatten(inner, f"{prefix}.{name}")
    elif isinstance(value, list):
        yield prefix, ", ".join(_text(inner) for inner in value)
    else:
        yield prefix, _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
