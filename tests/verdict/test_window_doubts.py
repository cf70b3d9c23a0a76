"""What a window's seconds say: each course raises its doubt, a level none."""

from __future__ import annotations

import numpy as np
import pytest
from assay.testing.windows import with_stall
from assay.verdict.doubts import window
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote

SECOND = np.arange(120)
LEVEL = 1000 * (1 + np.random.default_rng(5).normal(0, 0.02, 120))


def seen(rates: np.ndarray) -> list[DoubtNote]:
    rung = RungSeen("run", 8.0, {}, {}, rates, {}, {}, None)
    return [*window.stalled(rung), *window.unsteady(rung)]


@pytest.mark.parametrize(
    ("course", "kind", "severity"),
    [
        (1 + 0.3 * SECOND / 120, "unsteady", "warning"),
        (1 - 0.5 * np.exp(-SECOND / 30), "not-reached", "warning"),
        (1 + 0.3 * (SECOND / 40 % 1), "cycling", "warning"),
        (1 + 0.3 * (SECOND / 20 % 1), "cycling", "note"),
    ],
)
def test_a_course_raises_its_doubt(course: np.ndarray, kind: str, severity: str) -> None:
    (note,) = seen(LEVEL * course)
    assert (note.kind, note.severity) == (kind, severity)


def test_a_level_raises_none() -> None:
    assert seen(LEVEL) == []


def test_a_stall_is_named_with_its_second_and_its_depth() -> None:
    (note,) = seen(with_stall(LEVEL, 70, seconds=10))
    assert (note.kind, note.facts["second"], note.facts["seconds"]) == ("stalled", 70, 10)
    assert note.facts["rate"] == pytest.approx(0.2, abs=0.02)
    assert "to 20% of its median for 10 s, from second 70" in note.message
