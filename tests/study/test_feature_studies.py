"""The studies in studies/features/: well formed, sourced, named apart, and all in their index."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from assay.design.plan import estimate, make_plan
from assay.design.study import Study
from assay.measurement.source import catalogued
from assay.system.engine import sizes
from assay.system.server.flavour import FLAVOURS, Flavour, Version
from assay.system.server.variables.catalogue import plain
from assay.system.server.variables.translate import name_there
from each import each

from studies import shipped

STUDIES = Path(__file__).parents[2] / "studies"
FOLDER = STUDIES / "features"
FEATURES = sorted(FOLDER.glob("*.toml"))
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
COMMENT = re.compile(
    r"# (?P<question>[^\n]*\?)\n#\n(?P<why>(?:# .*\n)+)#\n# Measured: (?:.*\n)(?:# .*\n)*#\n"
)
EVERY = ["mysql", "mariadb"]


def every(check: Callable[[Path], None]) -> Callable[[], None]:
    """Makes one test of a check of each study."""

    def of_each() -> None:
        each(FEATURES, check, lambda path: path.stem)

    return of_each


@every
def test_they_are_whole(path: Path) -> None:
    study = shipped(path)
    assert study.name in (path.stem, f"{path.stem}-short")
    assert set(study.title) == {"en", "zh"}
    assert study.hypotheses
    assert all(hypothesis.source for hypothesis in study.hypotheses)
    assert study.design.blocks >= 6
    assert not re.search(r"(?<![\w.])/(?:home|work|root|tmp)/", path.read_text(encoding="utf-8"))


@every
def test_a_study_begins_with_its_question_and_why_what_is_measured_and_its_time(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert COMMENT.match(text)
    assert f"\n#   assay run studies/features/{path.name}\n" in text.partition("[study]")[0]
    assert all(len(line) <= 120 for line in text.partition("[study]")[0].splitlines())


@every
def test_the_time_in_its_comment_is_what_plan_estimates(path: Path) -> None:
    study = shipped(path)
    plan = make_plan(study, seed=1)
    estimated = estimate(study, plan, sizes(plan)).until_judging_s / 60
    assert abs(_minutes(path) - estimated) <= max(1, estimated / 4)


@every
def test_a_study_says_which_servers_it_applies_to_and_why_not_to_others(path: Path) -> None:
    study = shipped(path)
    assert study.server.applies
    assert (study.server.reason is None) == (_spans(study) == EVERY)
    assert study.server.use.partition("@")[0] in {name.partition("@")[0] for name in catalogued(study)}


@every
def test_every_server_of_the_catalogue_that_a_study_applies_to_has_its_variables(path: Path) -> None:
    study = shipped(path)
    names = set(study.server.variables) | {
        key.removeprefix("server.variables.") for key in study.varied if key.startswith("server.variables.")
    }
    for use in catalogued(study):
        flavour = FLAVOURS[use.partition("@")[0]]
        version = tuple(map(int, use.partition("@")[2].split(".")))
        for name in map(plain, names):
            has = name_there(flavour, name, partial(_known, flavour, version))
            assert has or flavour.division(name, version), f"{use} has no {name}"


@every
def test_the_index_has_question_servers_and_minutes_of_each(path: Path) -> None:
    question = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    spans = _spans(shipped(path))
    servers = "all" if spans == EVERY else ", ".join(spans)
    row = f"| [{path.name}]({path.name}) | {question} | {servers} | {_minutes(path)} |"
    assert row in INDEX.splitlines()


def test_the_index_names_no_other_and_its_links_lead_somewhere() -> None:
    rows = re.findall(r"^\| \[([\w-]+\.toml)\]", INDEX, re.MULTILINE)
    assert sorted(rows) == [path.name for path in FEATURES]
    links = re.findall(r"\]\(([^)#]+)", INDEX)
    assert [link for link in links if not (FOLDER / link).is_file()] == []


def test_every_feature_of_the_catalogue_has_its_study() -> None:
    catalogue = INDEX.partition("## The catalogue of features")[2]
    rows = re.findall(r"^\| (?!feature|---)(.+?) \| (.*) \|$", catalogue, re.MULTILINE)
    assert len(rows) >= 24
    assert all("](" in studies for _feature, studies in rows)


def test_no_two_studies_share_a_results_folder() -> None:
    names = [shipped(path).name for path in STUDIES.rglob("*.toml")]
    assert sorted(names) == sorted(set(names))


def _known(flavour: Flavour, version: Version, variable: str) -> bool:
    if flavour.successor(variable, version):
        return False
    if since := flavour.introduced.get(variable):
        return version >= since
    return flavour.predecessor(variable, version) is None


def _minutes(path: Path) -> int:
    found = re.search(r"^# Time: about (\d+) minutes?$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found, "its comment has no time"
    return int(found[1])


def _spans(study: Study) -> list[str]:
    return list(map(str, study.server.applies))
