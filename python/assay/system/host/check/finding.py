"""The type of a check's finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Facts = Mapping[str, Any]
"""Facts about the machine, as `host_facts` returns them."""

Outcome = Literal["ok", "note", "disturbs"]


@dataclass(frozen=True)
class Finding:
    """The finding of one check. The outcome `note` leaves results comparable with each other; `disturbs`
    means that results change or vary. `how_to_mend` is a command, or what to write into a study.
    """

    name: str
    outcome: Outcome
    found: str
    how_to_mend: str | None = None
