"""The section on reasons: slow-downs that are planted, and whether `assay why` names them first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks import planting
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least

_RUN_S = 30.0


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each plant; a quick bench has one block, which gives estimates and no word."""
    made = []
    for plant in planting.plants():
        if plant.server not in servers.name:
            continue
        blocks = 1 if settings.quick else plant.blocks
        made.append(Cell(plant.name, {"ours": _run(plant, servers.name, blocks)}, 2 * blocks * _RUN_S))
    return made


def _run(plant: planting.Plant, server: str, blocks: int) -> Callable[[], Figures]:
    return lambda: planting.explained(plant, server, blocks)


SECTION = Section(
    name="why",
    title="Why: planted slow-downs, and the line that is named first",
    note="Each row is a study of two treatments, between which one thing was planted, carried out by "
    "`assay run --why`. `named first` is 1 where what `assay why` names first is what "
    "a person who knows the server expects (`benchmarks/planted/plants.toml`), and for two equal "
    "treatments where none is named. `place` is its place in that sentence. What was said is in "
    "`results/bench/why/*/why.txt`. Where other programs work on the machine, waiting for a processor has "
    "its share in every treatment.",
    cells=cells,
    lines=(
        Line("", "named_first", "named first", {}, at_least(1.0), ""),
        Line("", "place", "place of the line"),
        Line("", "named", "lines named"),
    ),
    rounds=lambda pairs: 1,
    bars=True,
    peer=lambda: "no peer",
)
