"""Turns run folders into Parquet files with DuckDB views; they can be rebuilt from the run folders at any
time.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.folder import WHOLE
    from assay.store.build import build_store
    from assay.store.parts import folder_state
    from assay.store.summary import keep_summary, kept_summary
    from assay.store.views import open_store
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "WHOLE",
    "build_store",
    "folder_state",
    "keep_summary",
    "kept_summary",
    "open_store",
]
