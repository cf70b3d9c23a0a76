"""Paired studies made from a study, and the steps of a search as they are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.plan import Treatment, make_treatments
from assay.design.study import SERVER, load_study, study_toml
from assay.experiments.history import Template, template
from assay.experiments.history.bisecting import _read, name_of
from assay.experiments.history.paired_study import Question
from assay.experiments.history.steps import NAME, Search, Step, begun, keep
from assay.results.verdict import Figure, HypothesisVerdict, Part

STUDIES = Path(__file__).parents[2] / "studies"
STUDY = """\
[study]
name = "nightly"
title = { en = "Every night" }

[server]
use = "mariadb"
variables = { innodb_buffer_pool_size = "256M" }

[workload]
use = "oltp_read_write"

[load]
threads = [1, 64]

[[factor]]
name = "server.variables.innodb_purge_threads"
levels = [4, 1]

[[factor]]
name = "workload.range_size"
levels = [100, 10]

[[hypothesis]]
claim = "p95_ms[innodb_purge_threads=4, threads=64] < 100 ms"
"""


def made(tmp_path: Path, text: str = STUDY) -> Template:
    path = tmp_path / "nightly.toml"
    path.write_text(text, encoding="utf-8")
    return template(path, use="mariadb")


def test_a_paired_study_has_all_of_the_study_but_builds_load_points_and_hypotheses(tmp_path: Path) -> None:
    source = made(tmp_path)
    question = Question("path:/a b", "mariadb@11.4", source.measure(None), source.load(None), 0.03, 0.975)
    study = source.asking(question, "step-1", 8).study
    assert study.servers == ("path:/a b", "mariadb@11.4")
    assert study.server.variables == {"innodb_buffer_pool_size": "256M", "innodb_purge_threads": 4}
    assert study.workload.options == {"range_size": 100}
    assert study.load.rungs == (64.0,)
    assert (study.design.blocks, study.verdict.confidence) == (8, 0.975)
    (hypothesis,) = study.hypotheses
    assert hypothesis.text == 'p95_ms[use="mariadb@11.4"] > p95_ms[use="path:/a b"]'
    assert hypothesis.margin == 0.03
    assert study_toml(study)  # a results folder can keep it


def test_gates_that_name_builds_of_the_command_line_are_left_out(tmp_path: Path) -> None:
    gate = '\n[[gate]]\nclaim = "tps[build=new]/tps[build=base] >= 0.97"\n'
    source = made(tmp_path, STUDY + gate)
    question = Question("path:/a b", "mariadb@11.4", source.measure(None), source.load(None), 0.03, 0.975)
    assert source.asking(question, "step-1", 8).study.gates == ()


def but_build(treatment: Treatment) -> Treatment:
    return replace(treatment, name="", levels={}, server_use="")


@pytest.mark.long
def test_a_paired_study_is_the_baseline_of_every_shipped_study() -> None:
    """All of it but the build: keys of every section that factors vary, and levels that stand for none."""
    made_of = 0
    for path in sorted(STUDIES.rglob("*.toml")):
        if load_study(path).subject != SERVER:
            continue
        source = template(path, use="mariadb")
        question = Question(
            "mariadb@10.6", "mariadb@11.4", source.measure(None), source.load(None), 0.02, 0.95
        )
        baseline = make_treatments(source.study)[0]
        pair = make_treatments(source.asking(question, "x", 6).study)
        assert list(map(but_build, pair)) == [but_build(baseline)] * 2, path
        made_of += 1
    assert made_of > 20


def test_a_level_that_stands_for_none_and_one_of_a_nested_key_are_fixed(tmp_path: Path) -> None:
    path = tmp_path / "places.toml"
    path.write_text(
        '[study]\nname = "places"\n[server]\nuse = "mariadb"\n[workload]\nuse = "oltp_read_only"\n'
        '[load]\nthreads = [1]\n[[factor]]\nname = "server.redo_dir"\nlevels = ["default", "/fast"]\n'
        '[[factor]]\nname = "host.block.scheduler"\nlevels = ["none", "mq-deadline"]\n',
        encoding="utf-8",
    )
    source = template(path, use="mariadb")
    pair = make_treatments(source.asking(Question("a", "b", "tps", 1.0, 0.02, 0.95), "x", 6).study)
    assert list(map(but_build, pair)) == [but_build(make_treatments(source.study)[0])] * 2


def test_a_screen_is_asked_as_one_pair(tmp_path: Path) -> None:
    """Its design is for its own factors, of which none is left."""
    factors = [f'[[factor]]\nname = "server.variables.{name}"\nlevels = [1, 2]\n' for name in "abc"]
    text = STUDY.split("[[factor]]")[0] + "".join(factors)
    source = made(tmp_path, f'{text}[design]\nkind = "plackett-burman"\nfold_over = false\nseed = 7\n')
    study = source.asking(Question("a", "b", "tps", 1.0, 0.02, 0.95), "x", 6).study
    assert (study.design.kind, study.design.seed, len(make_treatments(study))) == ("factorial", 7, 2)


@pytest.mark.parametrize("use", ["mariadb@11.4.5", "path:/opt/MySQL 9/", "path:" + "/a" * 100, "path:/数据"])
def test_a_step_of_any_build_has_a_name_that_studies_take(tmp_path: Path, use: str) -> None:
    question = Question("mariadb", use, "tps", 64, 0.02, 0.95)
    assert made(tmp_path).asking(question, name_of(7, use), 6).study.name.startswith("step-07")


def test_for_throughput_less_is_worse(tmp_path: Path) -> None:
    source = made(tmp_path)
    assert source.measure("tps") == "tps"
    assert Question("a", "b", "tps", 64, 0.02, 0.95).claim == 'tps[use="a"] > tps[use="b"]'


def test_without_a_hypothesis_throughput_is_meant(tmp_path: Path) -> None:
    assert made(tmp_path, STUDY[: STUDY.index("[[hypothesis]]")]).measure(None) == "tps"


def test_a_load_point_that_the_study_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--at 8"):
        made(tmp_path).load(8)


@pytest.mark.parametrize(
    ("outcome", "answer"), [("supported", "bad"), ("refuted", "good"), ("undecided", "unknown")]
)
def test_a_step_is_of_the_build_to_the_good_one(outcome: str, answer: str) -> None:
    figure = Figure("ratio", 1.25, 1.2, 1.3)
    part = Part((), outcome, figure, 8, None, "")  # type: ignore[arg-type]
    verdict = HypothesisVerdict("", None, outcome, "", (part,))  # type: ignore[arg-type]
    step = _read(verdict, Question("a", "b", "tps", 64, 0.02, 0.95), "b", "step-1")
    assert step.answer == answer
    assert (step.ratio, step.low, step.high) == pytest.approx((0.8, 1 / 1.3, 1 / 1.2))
    slower = _read(verdict, Question("a", "b", "p95_ms", 64, 0.02, 0.95), "b", "step-1")
    assert (slower.ratio, slower.low, slower.high) == (1.25, 1.2, 1.3)


def test_steps_are_kept_and_another_search_is_refused(tmp_path: Path) -> None:
    wanted = Search(study="1", measure="tps", load=64, least=0.02, most=40, versions=("a", "b"))
    step = Step(use="b", answer="bad", ratio=0.9, low=0.88, high=0.92, blocks=8, results="step-01-b")
    with begun(tmp_path / "new", wanted) as search:
        keep(tmp_path / "new", search.with_step(step))
    with begun(tmp_path / "new", wanted) as search:
        assert search.answered("b") == step
    other = Search(study="1", measure="qps", load=64, least=0.02, most=40, versions=("a", "b"))
    with pytest.raises(ConflictError, match="another search"), begun(tmp_path / "new", other):
        pass
    (tmp_path / "new" / NAME).write_text("{")
    with pytest.raises(InputError, match="damaged"), begun(tmp_path / "new", wanted):
        pass
