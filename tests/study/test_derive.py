"""A study that is made from another is a study: it reads back as itself, and all else of it stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import Treatment, make_treatments
from assay.design.study import Study, changes_between, derive, level_text, load_study, parse_study, read_back
from assay.design.study.text.override import with_changes
from assay.design.study.text.study_text import StudyText

from studies import FILE, VALID, read

STUDIES = Path(__file__).parents[2] / "studies"
SOME = [(load_study(path), path) for path in sorted(STUDIES.rglob("*.toml"))[::14]]
EVERY = """
[study]
name = "every"
title = { en = "All", zh = "全" }
[server]
use = "mariadb"
memory = "1G"
variables = { innodb_io_capacity = 200 }
[workload]
range_size = 10
[host]
vm.swappiness = 1
[load]
threads = [1, 8]
think_ms = 5
measure = "2s"
[[factor]]
name = "where"
[factor.settings.slow]
server.variables.sync_binlog = 1
server.cpus = "1"
workload.use = "lua:a.lua"
load.ps_mode = "auto"
host.thp = "never"
[factor.settings.fast]
server.cpus = "2-3"
workload.use = "lua:b.lua"
workload.tables = 4
load.ps_mode = "disable"
host.thp = "always"
[[factor]]
name = "server.redo_dir"
levels = ["default", "/fast"]
[[hypothesis]]
claim = "tps[where=fast] > tps[where=slow]"
[verdict]
margin = "aa"
noise = 0.03
"""


def every(folder: Path) -> tuple[Study, Path]:
    path = folder / "every.toml"
    path.write_text(EVERY.replace("schema.index = true", 'workload.use = "lua:a.lua"'), encoding="utf-8")
    (folder / "a.lua").write_text('require("common")\n', encoding="utf-8")
    (folder / "b.lua").write_text("", encoding="utf-8")
    (folder / "common.lua").write_text("", encoding="utf-8")
    return load_study(path), path


DERIVED: dict[str, Callable[[Study], Study]] = {
    "itself": lambda study: study,
    "named": lambda study: derive.named(study, "other", title={"en": "T"}),
    "blocks": lambda study: derive.with_blocks(study, 9),
    "other loads": lambda study: derive.with_other_loads(study, 3),
    "no claims": derive.without_claims,
    "one load point": lambda study: derive.at_load(derive.without_claims(study), study.load.rungs[-1]),
    "first levels": lambda study: derive.with_treatments(derive.at_levels(study), (), blocks=3),
    "last levels": lambda study: derive.with_treatments(derive.at_levels(study, last(study)), (), blocks=3),
    "copies": lambda study: derive.as_copies(study, copies=4, blocks=6),
}


def last(study: Study) -> dict[str, str]:
    return {one.name: level_text(one.levels[-1]) for one in study.factors}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DERIVED)
def test_what_is_derived_reads_back_as_itself(name: str, tmp_path: Path) -> None:
    for study, path in [*SOME, every(tmp_path)]:
        derived = DERIVED[name](study)
        again, text = read_back(derived, path)
        assert again == derived, path
        assert (parse_study(text.kept, path), text.at("load")) == (derived, str(path))


@pytest.mark.parametrize("place", [0, -1])
def test_a_study_at_levels_is_that_treatment(place: int, tmp_path: Path) -> None:
    for study, _ in [*SOME, every(tmp_path)]:
        if study.design.screens or study.design.kind == "one-at-a-time":
            continue
        levels = {one.name: level_text(one.levels[place]) for one in study.factors}
        (alone,) = make_treatments(derive.at_levels(study, levels))
        assert plain(alone) == plain(make_treatments(study)[place]), study.name


def plain(treatment: Treatment) -> Treatment:
    return replace(treatment, name="", levels={}, tied={}, script=None)


def test_a_study_without_a_workload_has_none_of_its_files(tmp_path: Path) -> None:
    study, _ = every(tmp_path)
    assert set(study.workload.files) == {"lua:a.lua", "lua:b.lua", "common.lua"}
    assert set(derive.at_levels(study).workload.files) == {"lua:a.lua", "common.lua"}
    assert set(derive.at_levels(study, {"where": "fast"}).workload.files) == {"lua:b.lua"}


def test_changes_are_written_among_the_words_of_the_author() -> None:
    text = VALID.replace("[server]", "[server]  # the old one")
    study = read(text)
    derived = derive.with_blocks(derive.with_value(study, "server.variables.sync_binlog", 0), 12)
    changes = changes_between(study, derived)
    assert set(changes) == {("server", "variables"), ("design", "blocks")}
    kept = with_changes(StudyText(FILE, text), changes).kept
    assert parse_study(kept, FILE) == derived
    assert "# the old one" in kept
    assert changes_between(derived, derived) == {}


def test_a_table_that_ends_is_taken_out() -> None:
    text = VALID + "[verdict]\nmargin = 0.1\n"
    derived = read(VALID)
    kept = with_changes(StudyText(FILE, text), changes_between(read(text), derived)).kept
    assert parse_study(kept, FILE) == derived


def test_a_derived_study_that_nothing_can_run_is_refused_without_a_line(tmp_path: Path) -> None:
    study, path = every(tmp_path)
    with pytest.raises(InputError, match=r"every\.toml: hypothesis\[0\]\.claim: threads=8 is not"):
        read_back(
            derive.with_hypothesis(derive.at_load(derive.at_levels(study), 1), "tps[threads=8] > 1"), path
        )


@pytest.mark.parametrize("claim", ["tps >", "tpz > 1", "tps[nothing=1] > tps[nothing=2]"])
def test_a_claim_that_is_none_is_refused_with_its_place(claim: str) -> None:
    with pytest.raises(InputError, match=r"^hypothesis\[\d\]\.claim: "):
        derive.with_hypothesis(read(VALID), claim)
    with pytest.raises(InputError, match=r"^gate\[0\]\.claim: "):
        derive.with_claims(read(VALID), [claim])
