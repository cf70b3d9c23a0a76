"""The phases of a load point."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Warmup(BaseModel):
    """The length of the load before the measured window."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["none", "fixed", "until-steady"]
    seconds: float = 0.0  # fixed: the length; until-steady: at most this long
