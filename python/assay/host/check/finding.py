"""The outcome of one check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Facts = Mapping[str, Any]
"""Facts about the machine, as `host_facts` returns them."""

Outcome = Literal["ok", "note", "disturbs"]


@dataclass(frozen=True)
class Finding:
    """`note`: worth knowing, results stay comparable among themselves. `disturbs`: changes results, or lets
    them vary. `how_to_mend`: a command where there is one, or what to write into a study."""

    name: str
    outcome: Outcome
    found: str
    how_to_mend: str | None = None
