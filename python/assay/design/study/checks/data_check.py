"""Checks that `[dataset]` fits the other tables of a study file."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.checks.problems import Problem
from assay.design.study.data_files import DATADIR, GENERATE
from assay.design.study.experiments import EXPERIMENTS
from assay.design.study.model.file import StudyFile

USE = "dataset.use"
SCALE = "dataset.scale"


def data_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with data of one's own that the rest of the study contradicts."""
    said = file.dataset.model_fields_set
    varied = [one for one in file.varied if one.key == USE]
    uses = [str(value) for one in varied for value in one.given] or [file.dataset.use or ""]
    if not any(uses):
        for key in sorted(said - {"use"}):
            yield Problem(("dataset", key), 'needs data: use = "dump:shop.sql.zst"')
        for one in file.varied:
            if one.key in ("dataset.indexes", SCALE):
                yield Problem(one.place, f'"{one.key}" needs data: [dataset] use = "dump:shop.sql.zst"')
        return
    for key in sorted(file.schema_.model_fields_set):
        yield Problem(
            ("schema", key), "is for tables that a workload makes; those of [dataset] are as its files say"
        )
    for one in file.varied:
        if one.key.startswith("schema."):
            yield Problem(one.place, f'"{one.key}" is for tables that a workload makes; leave it out')
    if file.experiment is not None and EXPERIMENTS[file.experiment.use].empty:
        yield Problem(
            ("experiment", "use"),
            "makes the tables of a workload itself; it cannot be combined with [dataset]",
        )
    if file.server.on is not None:
        yield Problem(("server", "on"), "cannot be combined with [dataset], whose files lie on this machine")
    if not any(use.startswith(GENERATE) for use in uses):
        sentence = 'is for profiles of data: use = "generate:shop.data.toml"'
        if "scale" in said:
            yield Problem(("dataset", "scale"), sentence)
        for one in file.varied:
            if one.key == SCALE:
                yield Problem(one.place, f'"{SCALE}" {sentence}')
    if any(use.startswith(DATADIR) for use in uses):
        for key in sorted(said & {"indexes", "collation"}):
            yield Problem(("dataset", key), "is for dumps; a data directory is taken as it is")
        if file.dataset.database is None:
            yield Problem(
                ("dataset", "database"), 'is missing; a data directory has several: database = "shop"'
            )
