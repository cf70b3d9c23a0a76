"""The verb `assay bench` with files of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.front.cli import exit_code_of


def test_a_file_of_statements_may_lie_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tables that a file of statements names lie beside it."""
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "shop.sql").write_text("-- @data tables.sql\n-- @let a = int(1..9)\nSELECT :a;\n")
    (tmp_path / "sql" / "tables.sql").write_text("CREATE TABLE t (a INT);\n")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    for path in (tmp_path / "sql" / "shop.sql", "../sql/shop.sql"):
        assert exit_code_of(["bench", f"sql:{path}", "--help"]) == 0, path
        assert "assay bench sql:shop.sql" in capsys.readouterr().out
