"""The two builds of the command line in a study, and claims that are added to it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.errors import InputError
from assay.gate.builds import with_builds, with_claims
from assay.lab import open_study
from assay.study import Study
from two_builds import RATIO, STUDY

PLAIN = STUDY.partition("[[factor]]")[0] + '\n[server]\nuse = "mariadb"\nvariables = { sync_binlog = 0 }\n'
SETTINGS = """
[[factor]]
name = "build"
settings.base.server.use = "mariadb"
settings.new = { server.use = "mariadb", workload.range_size = 10 }
"""


def opened(tmp_path: Path, text: str, *claims: str) -> Study:
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    raw = tomllib.loads(text)
    changes = {**with_builds(raw, "path:/one", "path:/two"), **with_claims(raw, claims)}
    made = open_study(file, changes)
    again = tomllib.loads(made.text.kept)  # what the results folder keeps says the same
    assert [one["claim"] for one in again["gate"]] == [one.text for one in made.study.gates]
    return made.study


@pytest.mark.parametrize("text", [PLAIN, STUDY], ids=["no factor", "the factor"])
def test_the_builds_are_levels_of_the_factor(tmp_path: Path, text: str) -> None:
    study = opened(tmp_path, text, f"{RATIO} >= 0.97")
    (factor,) = study.factors
    assert (factor.name, factor.levels, study.servers) == (
        "build",
        ("base", "new"),
        ("path:/one", "path:/two"),
    )
    assert study.gates[0].text == f"{RATIO} >= 0.97"


def test_what_else_the_study_says_of_its_server_stays(tmp_path: Path) -> None:
    other = '\n[[factor]]\nname = "workload.range_size"\nlevels = [100, 10]\n'
    study = opened(tmp_path, PLAIN + other, f"{RATIO} >= 0.97")
    assert study.server.variables == {"sync_binlog": 0}
    assert [one.name for one in study.factors] == ["build", "workload.range_size"]


def test_levels_with_keys_of_their_own_keep_the_other_keys(tmp_path: Path) -> None:
    study = opened(tmp_path, STUDY.partition("[[factor]]")[0] + SETTINGS, f"{RATIO} >= 0.97")
    assert study.servers == ("path:/one", "path:/two")
    assert study.varied["workload.range_size"] == (10,)


def test_gates_of_the_file_come_first(tmp_path: Path) -> None:
    text = f'{STUDY}\n[[gate]]\nclaim = "{RATIO} >= 0.9"\nseverity = "warn"\n'
    study = opened(tmp_path, text, f"{RATIO} >= 0.97", f"{RATIO} >= 0.98")
    said = [(one.text.rpartition(" ")[2], one.severity) for one in study.gates]
    assert said == [("0.9", "warn"), ("0.97", "fail"), ("0.98", "fail")]


@pytest.mark.parametrize(
    "factor",
    [
        'name = "server.use"\nlevels = ["mariadb", "mysql@8.4"]',
        'name = "build"\nkeys = ["server.use"]\nlevels = ["old", "new"]\nvalues = [["a"], ["b"]]',
        'name = "version"\nkeys = ["server.use"]\nlevels = ["base", "new"]\nvalues = [["a"], ["b"]]',
    ],
)
def test_a_study_that_varies_its_server_otherwise_is_refused(factor: str) -> None:
    raw = tomllib.loads(f"[[factor]]\n{factor}\n")
    with pytest.raises(InputError, match="need a study without a factor of"):
        with_builds(raw, "path:/one", "path:/two")
