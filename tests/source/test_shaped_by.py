"""Which treatments share rows, by what the engine says about their options."""

from __future__ import annotations

from pathlib import Path

from assay.design.plan import make_plan
from assay.design.study import load_study
from assay.system.engine.workload_size import sizes

COMMIT_COST = Path(__file__).parents[2] / "studies" / "commit-cost.toml"


def test_only_options_that_shape_rows_make_datasets(tmp_path: Path) -> None:
    text = COMMIT_COST.read_text(encoding="utf-8").partition("[[factor]]")[0]
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("table_size"))
    for name, levels, datasets in (("range_size", "[10, 100]", 1), ("table_size", "[1000, 2000]", 2)):
        factor = f'[[factor]]\nname = "workload.{name}"\nlevels = {levels}\n'
        (tmp_path / "study.toml").write_text(text + factor, encoding="utf-8")
        found = sizes(make_plan(load_study(tmp_path / "study.toml"), seed=1))
        assert len(found) == 2
        assert len({size.shaped_by for size in found.values()}) == datasets
