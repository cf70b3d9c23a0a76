"""A job for the engine, as schema/job.json describes it."""

from __future__ import annotations

from typing import Any

Job = dict[str, Any]
