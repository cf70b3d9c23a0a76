"""Turns run folders into Parquet files with DuckDB views; they can be rebuilt from the run folders at any
time.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.folder import WHOLE
    from assay.results.store import columns
    from assay.results.store.build import build_store
    from assay.results.store.parts import folder_state
    from assay.results.store.summary import keep_summary, kept_summary
    from assay.results.store.views import open_store
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "WHOLE",
    "build_store",
    "columns",
    "folder_state",
    "keep_summary",
    "kept_summary",
    "open_store",
]
