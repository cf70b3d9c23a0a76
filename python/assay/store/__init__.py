"""Run folders -> Parquet files -> DuckDB views. Rebuilt from the run folders at any time."""

from assay.folder import WHOLE
from assay.store.build import build_store
from assay.store.views import open_store

__all__ = ["WHOLE", "build_store", "open_store"]
