"""The table `[experiment]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict

from assay.design.study.experiments import EXPERIMENTS
from assay.design.study.key import word
from assay.design.study.model.table import Options, TableWithOptions, options_in_table


class ExperimentChoice(TableWithOptions):
    """An experiment instead of a steady load. Every other key is an option of it."""

    model_config = ConfigDict(json_schema_extra=options_in_table)

    use: Annotated[
        str, word("Name of the experiment; assay manual method/experiments lists them.", *EXPERIMENTS)
    ]
    options: Options = {}
