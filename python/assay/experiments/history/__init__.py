"""Reads many results folders as series over server builds, finds where they step, and which build brought a
step.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.history.bisecting import Bisected, bisect, said
    from assay.experiments.history.changes import Change, Shift
    from assay.experiments.history.full_history import History, HistoryRequest, history
    from assay.experiments.history.paired_study import Template, template
    from assay.experiments.history.picture import picture
    from assay.experiments.history.series import Point, Series
    from assay.experiments.history.states import NAME as STATES
    from assay.experiments.history.states import State
    from assay.experiments.history.tables import as_csv, as_object
    from assay.experiments.history.versions import row_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "STATES",
    "Bisected",
    "Change",
    "History",
    "HistoryRequest",
    "Point",
    "Series",
    "Shift",
    "State",
    "Template",
    "as_csv",
    "as_object",
    "bisect",
    "history",
    "picture",
    "row_of",
    "said",
    "template",
]
