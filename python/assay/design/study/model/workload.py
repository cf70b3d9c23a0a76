"""The table `[workload]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict

from assay.design.study.key import by_field, name
from assay.design.study.model.table import Options, TableWithOptions, options_in_table


class WorkloadChoice(TableWithOptions):
    """The workload. Every other key is an option of the workload, by its sysbench name with underscores."""

    model_config = ConfigDict(json_schema_extra=options_in_table)

    use: Annotated[
        str,
        by_field(
            name(
                "Name of a workload, as `assay bench --help` lists them; on files "
                '"fio:JOB.fio" (beside the study file) or "fileio".'
            )
        ),
    ] = ""  # of a study that varies it: the first level
    options: Options = {}
    # `use` -> text of the job file or script that it names; what that includes or loads by its name.
    files: dict[str, str] = {}
