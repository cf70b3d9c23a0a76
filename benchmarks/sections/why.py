"""The section on reasons: slow-downs that are planted, whether `assay why` names them first, and what its
samples cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil

from benchmarks import planting, sampled
from benchmarks.alternating import Plan
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line, Made, paired_row
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least, clearly, hodges_lehmann

_RUN_S = 30.0
_CONNECTIONS = 4
EFFECT = f"stacks sampled at {sampled.HZ} Hz, point_select, {_CONNECTIONS}"
"""The cell that is no plant."""
_PLAN, _QUICK = Plan(pairs=400, window_s=0.5), Plan(pairs=8, window_s=0.5)
_SOON_S, _INTERVAL_S = 5, 0.1
"""Warm-up of that load, and its intervals."""
_KEPT = 0.98


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each plant, of which a quick bench has one block, that gives estimates and no word;
    and one for the effect of sampling.
    """
    made = [_effect(settings, servers)]
    for plant in planting.plants():
        if plant.server not in servers.name:
            continue
        blocks = 1 if settings.quick else plant.blocks
        made.append(Cell(plant.name, {"ours": _run(plant, servers.name, blocks)}, 2 * blocks * _RUN_S))
    return made


def _effect(settings: Settings, servers: Servers) -> Cell:
    plan = _QUICK if settings.quick else _PLAN
    load = settings.load(
        "oltp_point_select", _CONNECTIONS, ceil(plan.seconds), warm_up_s=_SOON_S, interval_s=_INTERVAL_S
    )

    def effect() -> Figures:
        return sampled.sampled(load, servers.real(), servers.pid(), plan)

    return Cell(EFFECT, {"ours": effect}, plan.seconds + _SOON_S)


def _run(plant: planting.Plant, server: str, blocks: int) -> Callable[[], Figures]:
    return lambda: planting.explained(plant, server, blocks)


def _of_plant(name: str) -> tuple[Line, ...]:
    return (
        Line(name, "named_first", "named first", {}, at_least(1.0), ""),
        Line(name, "place", "place of the line"),
        Line(name, "named", "lines named"),
    )


_pairs = partial(paired_row, one=sampled.SAMPLED, other=sampled.ALONE, ratio=hodges_lehmann)
_LINES: tuple[Line | Made, ...] = (
    Made(EFFECT, partial(_pairs, figure="qps", title="queries/s", target=clearly(at_least(_KEPT)))),
    Made(EFFECT, partial(_pairs, figure="mean_ms", title="mean ms")),
    *(line for plant in planting.plants() for line in _of_plant(plant.name)),
)


SECTION = Section(
    name="why",
    title="Why: planted slow-downs, and the line that is named first",
    note="Stacks are sampled, as a profile window does it, during some windows of a load and not during "
    f"others; a pair is two of {_PLAN.window_s:g} s side by side, in an order that is drawn, and its ratio "
    "the Hodges-Lehmann estimate with the 95 % interval of the signed-rank test. Generator and server share "
    "the processors, and each expiry of a timer costs both. Every other row is a study of two treatments, "
    "between which one thing was planted, carried out by `assay run --why`. `named first` is 1 where what "
    "`assay why` names first is what a person who knows the server expects "
    "(`benchmarks/planted/plants.toml`), and for two equal treatments where none is named. `place` is its "
    "place in that sentence. What was said is in `results/bench/why/*/why.txt`. Where other programs work "
    "on the machine, waiting for a processor has its share in every treatment.",
    cells=cells,
    lines=_LINES,
    rounds=lambda pairs: 1,
    bars=True,
    peer=lambda: "no peer",
)
