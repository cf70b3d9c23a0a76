"""The table `[storage]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema

from assay.design.study.key import by_field, parsed
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.table import Table
from assay.design.study.values import check_directory


class StorageChoice(Table):
    """The directory of the files under load, and how they are prepared."""

    directory: Annotated[
        str | None,
        by_field(
            parsed(
                'Directory in which each run creates a directory for its files: "/data/fast".',
                check_directory,
            )
        ),
    ] = None  # None, "default": the lab's own place
    passes: Annotated[
        int,
        Field(ge=0, le=10, description="Times that the files are overwritten before the first load point."),
    ] = 0
    rounds: Annotated[
        int,
        Field(
            ge=0,
            le=100,
            description="Maximum number of rounds of the load before a load point,"
            " until a steady state; 0: none.",
        ),
    ] = 0
    round_s: Annotated[
        float,
        checked(checks.window, written=True),
        WithJsonSchema({"type": "string"}),
        Field(alias="round", description='Length of a round: "60s".'),
    ] = 60.0
