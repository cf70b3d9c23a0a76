"""Derives settings of InnoDB from a study of storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.advice import Advice, advise, read_cells
from assay.errors import InputError
from assay.folder import ResultsFolder
from assay.lab.judging import store_of


def disk_advice(folder: ResultsFolder, page_bytes: int) -> Mapping[str, Sequence[Advice]]:
    """Returns, for each disk, the settings of InnoDB that follow from what a study of storage measured there.

    Raises InputError when no run of one kind of load on files is finished.
    """
    with store_of(folder) as store:
        cells = read_cells(store)
    if not cells:
        raise InputError(
            f"{folder.path}: contains no finished run of a load on files",
            hint="run one first, as studies/storage/five-jobs.toml;"
            " jobs that run side by side must have the same options",
        )
    return advise(cells, page_bytes)
