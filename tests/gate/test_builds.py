"""The two builds of the command line in a study, and claims that are added to it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import Study, derive, parse_study
from assay.experiments.gate.gating import GateRequest, _opened
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
    wanted = GateRequest(base="path:/one", new="path:/two", claims=claims)
    made = _opened(file, wanted, measured=False)
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
    text = f"{STUDY.partition('[[factor]]')[0]}[[factor]]\n{factor}\n"
    study = parse_study(text, Path("study.toml"))
    with pytest.raises(InputError, match="need a study without a factor of"):
        derive.with_builds(study, "path:/one", "path:/two")


def test_the_gates_of_a_study_may_name_builds_that_it_does_not_have_yet(tmp_path: Path) -> None:
    text = (
        f'{PLAIN}[[gate]]  # the nightly one\nclaim = "{RATIO} >= 0.9"\n[[hypothesis]]\nclaim = "tps > 1"\n'
    )
    study = opened(tmp_path, text, f"{RATIO} >= 0.97")
    assert [one.text.rpartition(" ")[2] for one in study.gates] == ["0.9", "0.97"]
    assert study.hypotheses[0].text == "tps > 1"


def test_the_text_of_the_author_stays(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(f"# why\n{PLAIN}", encoding="utf-8")
    wanted = GateRequest(base="path:/one", new="path:/two", claims=(f"{RATIO} >= 0.97",), blocks=9)
    text = _opened(file, wanted, measured=False).text
    assert text.kept.startswith("# why\n")
    assert "variables = { sync_binlog = 0 }" in text.kept
    assert text.text == f"# why\n{PLAIN}"  # messages have its lines


@pytest.mark.parametrize("claim", ["tps >", "tpz > 1", "tps[build=old] > 1"])
def test_a_claim_of_the_command_line_that_is_none_is_refused_with_its_number(
    tmp_path: Path, claim: str
) -> None:
    with pytest.raises(InputError, match=r"gate\[1\]\.claim"):
        opened(tmp_path, PLAIN, f"{RATIO} >= 0.97", claim)
