"""The section on pages for a browser: what watching costs, the list of many results, a report's length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import long_list, report_page, watching
from benchmarks.alternating import Plan
from benchmarks.rounds import Cell
from benchmarks.rows import Line, Made, paired_row
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most, hodges_lehmann, within

_ROUNDS = 5
_PLAN, _QUICK = Plan(pairs=8, window_s=4), Plan(pairs=2, window_s=3)
"""Windows of each round's study, of some of the seconds that a study tells."""
_MARGIN = 0.02
_SHARE = 0.02
_LIST_MS = 300.0
_WATCHED = f"a study watched, point_select, {watching.CONNECTIONS}"
_LIST = f"the list of {long_list.RESULTS:,} results"
_REPORTS = {language: f"the report of quickstart, {language}" for language in ("en", "zh")}
_SCREENS, _WORDS = 6.0, 2500.0
"""The limits of what stands open on a report's page."""


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for the watched study, one for the list, and one for each language of a report."""
    plan = _QUICK if settings.quick else _PLAN
    study = partial(watching.study, servers.name, settings, plan)
    return [
        Cell(_WATCHED, {"ours": study}, plan.seconds + 20),
        Cell(_LIST, {"ours": long_list.asked}, 15),
        *(
            Cell(cell, {"ours": partial(report_page.opened, servers.name, language)}, 60)
            for language, cell in _REPORTS.items()
        ),
    ]


def _of_report(cell: str) -> tuple[Line, ...]:
    """Returns the lines of one language: what stands open at 1280 x 900, and on a phone."""
    return (
        Line(
            cell,
            "screens",
            f"screens of {report_page.SCREEN_PX} px at 1280",
            {},
            at_most(_SCREENS),
            "screens",
        ),
        Line(cell, "words", "words that stand open", {}, at_most(_WORDS), "words"),
        Line(cell, "rows", "rows of tables that stand open", {}),
        Line(
            cell, "picture_px", "px, where the first picture begins", {}, at_most(report_page.SCREEN_PX), "px"
        ),
        Line(cell, "narrow_screens", "screens at 400", {}),
        Line(cell, "narrow_too_wide_px", "px that the page is too wide at 400", {}, at_most(0.0), "px"),
        Line(cell, "violations", "rules of axe that it breaks", {}, at_most(0.0), "rules"),
        Line(cell, "kb", "kB of the file", {}),
        Line(cell, "paint_ms", "ms to the first paint", {}, None, "ms"),
        Line(cell, "loaded_ms", "ms until it is loaded", {}, None, "ms"),
    )


_pairs = partial(paired_row, one=watching.WATCHED, other=watching.ALONE, ratio=hodges_lehmann)
_LINES: tuple[Line | Made, ...] = (
    Made(_WATCHED, partial(_pairs, figure="tps", title="transactions/s", target=within(_MARGIN))),
    Made(_WATCHED, partial(_pairs, figure="mean_ms", title="mean ms")),
    Line(_WATCHED, "share", "processors taken by watching", {}, at_most(_SHARE), "of a processor"),
    Line(_LIST, "ms", "ms, once it is open", {}, at_most(_LIST_MS), "ms"),
    Line(_LIST, "first_ms", "ms, first answer of a server", {}, at_most(_LIST_MS), "ms"),
    *(line for cell in _REPORTS.values() for line in _of_report(cell)),
)


SECTION = Section(
    name="pages",
    title="Pages: what watching a study costs, and the list of a thousand results",
    note="The study is `assay run --watch` with one long load point and a reader, which loads the page and "
    "holds its stream of events open to the end. During the load the page's process is stopped and goes "
    f"on, in windows of {_PLAN.window_s:g} s; a pair is two windows side by side, in an order that is "
    "drawn, by the seconds that lie wholly inside them. A page that goes on catches up with what was "
    "written meanwhile, which counts as its cost. All else is the same, so a ratio away from 1 is what "
    "watching does; only an interval that lies within the margin, all of it, shows that watching does "
    "nothing that matters. These ratios are the Hodges-Lehmann estimate over the pairs, with the 95 % "
    "interval of the signed-rank test. The share of a processor is that of the process which makes the "
    "page, while it runs; a browser's own is not in it. The list is the first page of `assay serve` over "
    "copies of small results, asked for over HTTP, with its catalogue made before. The report is that of "
    "`studies/quickstart.toml`, measured once on the bench's server and opened from its file in Chromium: "
    "words and screens are those of what stands open, without the text in closed parts.",
    cells=cells,
    lines=_LINES,
    rounds=lambda pairs: min(pairs, _ROUNDS),
    peer=lambda: "no peer",
)
