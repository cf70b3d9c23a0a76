"""The table `[schema]`."""

from __future__ import annotations

from typing import Annotated

from assay.design.study.key import by_field, name, switch
from assay.design.study.model.table import Table


class SchemaChoice(Table):
    """How the tables are made."""

    engine: Annotated[str | None, by_field(name("Storage engine of the tables."))] = None
    index: Annotated[bool | None, by_field(switch("Whether the secondary index is made."))] = None
