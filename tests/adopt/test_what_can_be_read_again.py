"""What an import writes, every other command can read; the rest is refused, and nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.experiments.adopt import bring_in
from assay.experiments.adopt.importing import MOST_RESULTS
from assay.experiments.lab import figures_of
from test_importing import text, written

ODD = {
    "no threads": ("Number of threads: 8", "Number of threads: 0"),
    "many threads": ("Number of threads: 8", f"Number of threads: {10**21}"),
    "long number": ("Number of threads: 8", f"Number of threads: {'9' * 5000}"),
    "long figure": ("total:                           ", f"total:                           {'9' * 5000}"),
}


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_what_could_not_be_read_is_refused_at_import(tmp_path: Path, name: str, before: bool) -> None:
    results, whole = tmp_path / "results", text(8, 100.0)
    if before:
        bring_in(written(tmp_path, {"first.txt": text(4, 50.0)}), results)
        kept = {one: one.read_bytes() for one in results.glob("*.*")}
    odd = whole.replace(*ODD[name])
    assert odd != whole
    with pytest.raises(InputError) as refused:
        bring_in(written(tmp_path, {"odd.txt": odd}), results)
    assert "odd.txt" in refused.value.message
    if before:
        assert {one: one.read_bytes() for one in kept} == kept
        with figures_of(ResultsFolder(results)) as found:
            assert found.results.blocks_complete == 1
    else:
        assert not results.exists()


def test_very_many_results_are_refused_at_once(tmp_path: Path) -> None:
    rows = "".join(f"{one},{one * 10}\n" for one in range(1, MOST_RESULTS + 2))
    (tmp_path / "many.csv").write_text(f"threads,tps\n{rows}")
    with pytest.raises(InputError, match=r"2,001 of 2,001 results"):
        bring_in([tmp_path / "many.csv"], tmp_path / "results")


@pytest.mark.parametrize(
    "content",
    ['{"fio version": "fio-3.33", "jobs": ' + "[" * 300_000, "[" * 300_000, "\0" * 99],
    ids=["fio", "brackets", "zeros"],
)
def test_whatever_a_file_holds_is_bad_input(tmp_path: Path, content: str) -> None:
    (tmp_path / "odd.json").write_text(content)
    with pytest.raises(InputError):
        bring_in([tmp_path / "odd.json"], tmp_path / "results")
