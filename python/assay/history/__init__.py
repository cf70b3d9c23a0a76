"""Many results folders as series over builds: where they step, what became of it, which build brought it."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.history.changes import Change, Shift
    from assay.history.picture import picture
    from assay.history.reading import Build, Cell, Where, read_cells
    from assay.history.series import Order, Point, Series, series_of
    from assay.history.tables import as_csv, as_object
    from assay.history.whole import History, Wanted, history
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Build",
    "Cell",
    "Change",
    "History",
    "Order",
    "Point",
    "Series",
    "Shift",
    "Wanted",
    "Where",
    "as_csv",
    "as_object",
    "history",
    "picture",
    "read_cells",
    "series_of",
]
