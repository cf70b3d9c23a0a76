"""The word that joins the parts of a claim."""

from __future__ import annotations

from typing import Literal

Joint = Literal["and", "or"]
