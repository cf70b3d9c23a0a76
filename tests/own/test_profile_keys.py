"""Keys of several columns are profiled by the column that is unique by itself."""

from __future__ import annotations

import pytest
from assay.base.format.job import WholeValueForm
from assay.experiments.own.profile.catalogue import SourceColumn, SourceReference, SourceTable
from assay.experiments.own.profile.profiling import _unique
from assay.experiments.own.profile.sampling import Sample

FORM = WholeValueForm(least=0, most=2**31)
TO_NODES = SourceReference(("id",), "nodes", ("id",))


@pytest.mark.parametrize(
    ("rows", "ids", "references", "expected"),
    [
        (200, 200, (), (("id",),)),
        (200, 199, (), (("id", "kind"),)),
        (99, 99, (), (("id", "kind"),)),
        (200, 200, (TO_NODES,), (("id", "kind"),)),
    ],
)
def test_a_column_that_repeats_no_value_is_the_key(
    rows: int, ids: int, references: tuple[SourceReference, ...], expected: tuple[tuple[str, ...], ...]
) -> None:
    columns = (SourceColumn("id", FORM, "`id`"), SourceColumn("kind", FORM, "`kind`"))
    key = ("id", "kind")
    table = SourceTable("counts", "", columns, key, (key,), references, 0, rows)
    read = Sample(rows, True, {"id": [row % ids for row in range(rows)], "kind": [7] * rows}, read=rows)
    assert _unique(table, read, ()) == expected
