"""Results in Python, for notebooks and scripts: the names that `import assay` offers. Prints nothing.

The names are public as `assay.…`; docs/reference/python.md describes them.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.api.chart import Chart
    from assay.front.api.latencies import Latencies
    from assay.front.api.results import StudyResults, load
    from assay.front.api.table import Table
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Chart",
    "Latencies",
    "StudyResults",
    "Table",
    "load",
]
