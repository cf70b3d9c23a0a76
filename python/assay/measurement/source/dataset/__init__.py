"""Loads datasets (tables of one workload, scale and build) once, keeps them, and copies them for every
run.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.measurement.source.dataset.eviction import (
        BUDGET_VARIABLE,
        budget_bytes,
        over_budget,
        remove,
        sweep_unfinished,
    )
    from assay.measurement.source.dataset.forms.data_directory import check_data_directory, is_directory
    from assay.measurement.source.dataset.forms.registry import parts_of
    from assay.measurement.source.dataset.forms.sql_folder import begins_with_tables, database_in_head
    from assay.measurement.source.dataset.inputs import contents, first_changed
    from assay.measurement.source.dataset.key import DATA_SEED, NO_TABLES, DatasetKey, dataset_key
    from assay.measurement.source.dataset.load import ensure_dataset
    from assay.measurement.source.dataset.manifest import (
        Dataset,
        datasets,
        datasets_dir,
        find_dataset,
        find_named,
    )
    from assay.measurement.source.dataset.own_data import USUAL_LOADS, data_loads, has_own_data
    from assay.measurement.source.dataset.own_tables import Loading
    from assay.measurement.source.dataset.samples import samples_file
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "BUDGET_VARIABLE",
    "DATA_SEED",
    "NO_TABLES",
    "USUAL_LOADS",
    "Dataset",
    "DatasetKey",
    "Loading",
    "begins_with_tables",
    "budget_bytes",
    "check_data_directory",
    "contents",
    "data_loads",
    "database_in_head",
    "dataset_key",
    "datasets",
    "datasets_dir",
    "ensure_dataset",
    "find_dataset",
    "find_named",
    "first_changed",
    "has_own_data",
    "is_directory",
    "over_budget",
    "parts_of",
    "remove",
    "samples_file",
    "sweep_unfinished",
]
