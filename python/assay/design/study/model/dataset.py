"""The table `[dataset]`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from assay.design.study.data_files import AFTER, parse_data, parse_scale
from assay.design.study.key import fixed, own_server, parsed, text, word
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.table import Table

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$-]{0,63}")


class DatasetChoice(Table):
    """Tables of one's own, in place of those that the workload makes."""

    use: Annotated[
        str | None,
        own_server(
            parsed(
                'What the tables are made of: "dump:PATH", a dump or a folder of files;'
                ' "datadir:PATH", the data directory of a server that has stopped;'
                ' "generate:PATH", a profile of data (assay data profile).',
                parse_data,
            )
        ),
    ] = None
    scale: Annotated[
        float | int | None,
        own_server(parsed("How many times the rows of a profile are generated.", parse_scale)),
    ] = None
    database: Annotated[
        str | None, fixed(own_server(text("The database that holds the tables.", _NAME, "shop")))
    ] = None
    indexes: Annotated[
        str | None,
        own_server(
            word(
                'When secondary indexes are made: "dump", where the files have them;'
                f' "{AFTER}", after the rows.',
                "dump",
                AFTER,
            )
        ),
    ] = None
    collation: Annotated[
        dict[str, str],
        checked(checks.collations),
        Field(
            description="Collations and character sets of the files, each with the one that stands in for it."
        ),
    ] = {}
    files: Annotated[
        dict[str, str], Field(description="What the files were when results were begun, written by Assay.")
    ] = {}
