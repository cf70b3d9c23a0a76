"""`assay audit` of the outputs of tools: every figure is read, and a true output has no finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.experiments.adopt import audit_files, read_file
from printed_texts import FORMS, OUTPUTS, V05

FILES = [
    *(one for one in sorted(OUTPUTS.iterdir()) if one.name.startswith(("sysbench", "fio"))),
    *sorted(FORMS.iterdir()),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_true_output_has_no_finding(path: Path) -> None:
    found = audit_files([path])
    assert found.figures == sum(len(one.printed.figures) for one in read_file(path).results)
    assert [(one.rule, one.row, one.column, one.sign) for one in found.findings] == []


def test_a_false_figure_in_an_output_is_found_beside_a_table(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(V05.replace("98.36ms", "310.82ms") + "FATAL: 7 is gone\n")
    (tmp_path / "table.csv").write_text("threads,tps\n8,100\n16,200\n")
    found = audit_files([tmp_path / "run.txt", tmp_path / "table.csv"])
    assert [(one.rule, one.file, one.column) for one in found.findings] == [("order", "run.txt", "max_ms")]
    assert [(one.part, one.line) for one in found.left] == [("line", V05.count("\n") + 1)]
    assert found.tables == 2
