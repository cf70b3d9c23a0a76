"""What a window's seconds say: each course raises its doubt, a level none."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.verdict.doubts import state, window
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.results import DoubtNote
from assay.testing.windows import with_stall

SECOND = np.arange(120)
LEVEL = 1000 * (1 + np.random.default_rng(5).normal(0, 0.02, 120))


def seen(rates: np.ndarray) -> list[DoubtNote]:
    rung = RungSeen("run", 8.0, {}, {}, rates, {}, {}, None, {})
    return [*window.stalled(rung), *window.unsteady(rung)]


def of_state(**state_of: np.ndarray) -> list[DoubtNote]:
    rung = RungSeen("run", 8.0, {}, {}, LEVEL, {}, {}, None, state_of)
    return [*state.filling(rung), *state.gathering(rung)]


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


ROOM = np.full(120, 8000.0)
NOISE = np.random.default_rng(6).normal(0, 1, 120)
FALLING = 500 * np.exp(-SECOND / 60) + 5 * NOISE[::-1]


@pytest.mark.parametrize(
    ("held", "read", "raised"),
    [
        (8000 * (1 - 0.5 * np.exp(-SECOND / 60)), FALLING, True),
        (8000 * (1 - 0.5 * np.exp(-SECOND / 10)), FALLING, False),  # full by the end
        (8000 * (1 - 0.5 * np.exp(-SECOND / 60)), 500 + 20 * NOISE, False),  # tables grow: what is read stays
        (6000 + 5 * NOISE, FALLING, False),
        (8000 * (1 - 0.5 * np.exp(-SECOND / 60)), FALLING / 100, False),  # too few to matter
        (6000 + 5 * NOISE, 500 + 20 * NOISE, False),
    ],
)
def test_a_pool_that_fills_is_named(held: np.ndarray, read: np.ndarray, raised: bool) -> None:
    found = of_state(
        Innodb_buffer_pool_pages_data=held, Innodb_buffer_pool_pages_total=ROOM, Innodb_pages_read_total=read
    )
    assert [note.kind for note in found] == ["pool-filling"] * raised
    if raised:
        assert "from 50% to 93% of its pages" in found[0].message


@pytest.mark.parametrize(
    ("name", "level", "raised"),
    [
        ("Innodb_history_list_length", 400.0 * SECOND + 500 * NOISE, True),
        ("trx_rseg_history_len", 400.0 * SECOND, True),
        ("Innodb_history_list_length", 4.0 * SECOND, False),  # few
        ("Innodb_history_list_length", 40_000 + 4000 * NOISE, False),
        ("Innodb_checkpoint_age", 2.0**20 * SECOND, True),
        ("Innodb_checkpoint_age", 2.0**20 * (SECOND % 30), False),
        ("log_lsn_checkpoint_age", 2.0**28 - 2.0**20 * SECOND, False),
        ("Innodb_buffer_pool_pages_dirty", 10.0 * SECOND, True),
        ("Innodb_buffer_pool_pages_dirty", 2000 + 10 * NOISE, False),
    ],
)
def test_a_state_that_grows_is_named(name: str, level: np.ndarray, raised: bool) -> None:
    found = of_state(Innodb_buffer_pool_pages_total=ROOM, **{name: level})
    assert [note.kind for note in found] == ["state-growing"] * raised
    assert all(name in note.message for note in found)


def test_a_server_that_says_nothing_raises_none() -> None:
    assert of_state() == []
