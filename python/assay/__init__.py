"""Assay: a performance-evaluation laboratory for MySQL-family servers and the storage under them.

    import assay

    study = assay.load("results/quickstart")
    study.verdicts(), study.comparisons(), study.measures(), study.doubts()

docs/reference/python.md describes every name. `import assay` loads no other module: each is imported when one
of its names is first used.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily
from assay.base.version import VERSION as __version__

if TYPE_CHECKING:
    from assay.base.errors import AssayError, InputError
    from assay.front.api import Chart, Latencies, StudyResults, Table, load
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "AssayError",
    "Chart",
    "InputError",
    "Latencies",
    "StudyResults",
    "Table",
    "__version__",
    "load",
]
