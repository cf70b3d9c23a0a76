"""Run folders -> Parquet files -> DuckDB views. Rebuilt from the run folders at any time."""

from assay.store.build import build_store
from assay.store.views import open_store

__all__ = ["build_store", "open_store"]
