"""Results of many builds, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.testing.results_folder import Truth, make_results

BUILDS = ["10.6.1", *(f"11.4.{number}" for number in range(1, 11))]
STUDY = """\
[study]
name = "releases"

[workload]
use = "oltp_read_write"

[load]
threads = [8]
measure = "4s"

[[factor]]
name = "server.use"
levels = [{levels}]

[design]
blocks = 2
"""


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten builds beside an old one: from the sixth on a tenth slower."""
    place = tmp_path_factory.mktemp("history")
    uses = {version: f"mariadb@{version}" for version in BUILDS}
    make_results(
        place / "deep" / "releases",
        study_toml=STUDY.format(levels=", ".join(f'"{use}"' for use in uses.values())),
        blocks=2,
        loads=(8,),
        treatments={f"use={use}": {"server.use": use} for use in uses.values()},
        effect={f"use={use}": 1.1 if number < 6 else 1.0 for number, use in enumerate(uses.values())},
        truth=Truth(measure_s=4, warmup_s=1, samples=False, run_sd=0.001),
        versions={f"use={use}": version for version, use in uses.items()},
    )
    return place
