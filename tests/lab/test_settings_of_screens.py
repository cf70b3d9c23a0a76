"""A screen names levels as candidates, over all treatments, and advises none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from assay.design.study import parse_study, screen_rows
from assay.experiments.lab import settings_advice
from assay.testing.results_folder import Truth, make_results

FACTORS = tuple(f"server.variables.{name}" for name in "abcd")
RATIOS = {FACTORS[0]: 1.3, FACTORS[1]: 0.8}  # of the second level


@pytest.mark.long
def test_a_level_counts_over_all_treatments_of_a_screen(tmp_path: Path) -> None:
    factors = "".join(f'[[factor]]\nname = "{name}"\nlevels = [1, 2]\n' for name in FACTORS)
    text = f"""\
[study]
name = "screen"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = [8]
warmup = "1s"
measure = "4s"
{factors}
[design]
kind = "plackett-burman"
blocks = 8
"""
    study = parse_study(text, tmp_path / "s.toml")
    rows = {f"row {number}": row for number, row in enumerate(screen_rows(study.design, study.factors), 1)}
    ratios = {
        name: math.prod(RATIOS.get(factor, 1.0) if level == 2 else 1.0 for factor, level in row.items())
        for name, row in rows.items()
    }
    folder = make_results(
        tmp_path / "results",
        study_toml=text,
        treatments=rows,
        loads=(8,),
        effect=ratios,
        truth=Truth(measure_s=4, warmup_s=1),
        blocks=8,
    )
    (found,) = settings_advice([folder])
    choices = [one.choice for one in found.findings]
    outcomes = {one.factor: (one.outcome, dict(one.level.settings)) for one in choices}
    assert outcomes["a"] == ("worth-a-study", {"a": "2"})
    assert outcomes["b"] == ("worth-a-study", {"b": "2"})
    assert {outcomes[name][0] for name in "cd"} <= {"no-difference", "undecided"}
    assert not any(one.settings for one in found.conclusions())
    assert (found.flavour, found.version) == ("mariadb", "10.11.14")
