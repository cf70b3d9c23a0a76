"""Reads many results folders as series over server builds, finds where they step, and which build brought a
step.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.history.bisecting import Bisected, bisect, said
    from assay.history.changes import Change, Shift
    from assay.history.paired_study import Template, template
    from assay.history.picture import picture
    from assay.history.series import Point, Series
    from assay.history.states import NAME as STATES
    from assay.history.states import State
    from assay.history.tables import as_csv, as_object
    from assay.history.versions import row_of
    from assay.history.whole import History, Wanted, history
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "STATES",
    "Bisected",
    "Change",
    "History",
    "Point",
    "Series",
    "Shift",
    "State",
    "Template",
    "Wanted",
    "as_csv",
    "as_object",
    "bisect",
    "history",
    "picture",
    "row_of",
    "said",
    "template",
]
