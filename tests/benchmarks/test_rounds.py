from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks import rounds
from benchmarks.child import ContestantFailed
from benchmarks.rest import busy_share
from benchmarks.rounds import Cell, measure, turned
from benchmarks.rows import Figures, Samples


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_REST_S", 0.0)


def test_each_is_first_equally_often() -> None:
    assert turned(["a", "b"], 0) == ["a", "b"]
    assert turned(["a", "b"], 1) == ["b", "a"]
    assert [turned(["a", "b", "c"], turn)[0] for turn in range(6)] == ["a", "b", "c", "a", "b", "c"]


def test_what_is_busy_while_we_rest() -> None:
    assert busy_share((100, 200), (130, 240)) == 0.25
    assert busy_share((100, 200), (100, 200)) == 0.0


def test_a_bench_goes_on_where_it_stopped() -> None:
    order: list[str] = []

    def contestant(name: str) -> Figures:
        if len(order) == 3:
            raise KeyboardInterrupt
        order.append(name)
        return {"qps": float(len(order))}

    cells = [Cell(name, {"ours": lambda name=name: contestant(name)}, 1.0) for name in ("x", "y")]
    heard: list[tuple[int, Sequence[Samples]]] = []

    def keep(done: int, samples: Sequence[Samples]) -> None:
        heard.append((done, samples))

    with pytest.raises(KeyboardInterrupt):
        measure(cells, 2, lambda _: None, keep)
    assert [done for done, _ in heard] == [1], "what the last round had is kept too"
    assert [len(one.by_contestant["ours"]) for one in heard[-1][1]] == [2, 1]
    order[:] = []
    measure(cells[1:], 2, lambda _: None, keep, heard[-1][1])
    assert order == ["y"]
    assert [(one.cell, len(one.by_contestant["ours"])) for one in heard[-1][1]] == [("y", 2)]
    measure(cells, 2, lambda _: None, keep, [heard[0][1][0], heard[-1][1][0]])
    assert order == ["y"], "nothing is left to measure"


def test_rounds_go_over_all_cells_and_outlive_a_failure() -> None:
    order: list[str] = []

    def contestant(name: str) -> Figures:
        order.append(name)
        if order.count("y2") and name == "y2":
            raise ContestantFailed("no more connections")
        return {"qps": float(len(order))}

    cells = [
        Cell("x", {"1": lambda: contestant("x1"), "2": lambda: contestant("x2")}, 1.0),
        Cell("y", {"1": lambda: contestant("y1"), "2": lambda: contestant("y2")}, 1.0),
    ]
    said: list[str] = []
    heard: list[tuple[int, Sequence[Samples]]] = []
    measure(cells, 2, said.append, lambda done, samples: heard.append((done, samples)))

    assert order == ["x1", "x2", "y1", "y2", "x2", "x1", "y2", "y1"]
    assert [done for done, _ in heard] == [2]
    x, y = heard[-1][1]
    assert x.by_contestant == {"1": ({"qps": 1.0}, {"qps": 6.0}), "2": ({"qps": 2.0}, {"qps": 5.0})}
    assert y.by_contestant["2"] == (None, None)
    assert y.failures == {"2": "no more connections"}
    assert y.conditions.canary_swing >= 1.0
    assert "0 s left" in said[-1]
