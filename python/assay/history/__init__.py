"""Many results folders as series over builds: where they step, what became of it, which build brought it."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.history.bisecting import Bisected, bisect, said
    from assay.history.changes import Change, Shift
    from assay.history.paired_study import Template, template
    from assay.history.picture import picture
    from assay.history.reading import Build, Cell, Where, read_cells
    from assay.history.search import Bracket, first_bad, steps_of
    from assay.history.series import Order, Point, Series, series_of
    from assay.history.tables import as_csv, as_object
    from assay.history.versions import build_of, versions_between
    from assay.history.whole import History, Wanted, history
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Bisected",
    "Bracket",
    "Build",
    "Cell",
    "Change",
    "History",
    "Order",
    "Point",
    "Series",
    "Shift",
    "Template",
    "Wanted",
    "Where",
    "as_csv",
    "as_object",
    "bisect",
    "build_of",
    "first_bad",
    "history",
    "picture",
    "read_cells",
    "said",
    "series_of",
    "steps_of",
    "template",
    "versions_between",
]
