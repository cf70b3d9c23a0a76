"""`[experiment]`: what it may say, what it makes a study measure."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError
from assay.design.study import HIGHER_IS_BETTER, MEASURES, Study, study_hash
from assay.design.study.experiments import EXPERIMENTS, MEASURED

from studies import read, valid

TEXT = """\
[study]
name = "a"
[server]
use = "mariadb"
[workload]
use = "oltp_read_write"
[load]
threads = [8]
[experiment]
use = "bulk-load"
index = "before"
[[factor]]
name = "experiment.sessions"
levels = [1, 2]
[[hypothesis]]
claim = "load_s[sessions=2] < load_s[sessions=1]"
"""


def spoilt(old: str, new: str) -> str:
    assert old in TEXT, old
    with pytest.raises(InputError) as caught:
        read(TEXT.replace(old, new, 1))
    return caught.value.message


def test_a_study_with_an_experiment_measures_what_it_gives() -> None:
    study = read(TEXT)
    assert study.experiment is not None
    assert (study.experiment.use, study.experiment.options) == ("bulk-load", {"index": "before"})
    assert study.headlines[:2] == ("load_s", "load_rows_per_s")
    assert valid().headlines == ("tps", "p95_ms", "p99_ms")


def test_the_experiment_is_part_of_what_a_study_is() -> None:
    def identity(text: str) -> str:
        return study_hash(read(text))

    assert identity(TEXT) != identity(TEXT.replace('"before"', '"after"'))
    assert "experiment" not in Study.model_dump(valid(), exclude_defaults=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bulk-load"', '"bulk-lode"', "experiment.use"),
        ("index =", "indexx =", '"indexx" is not an option of bulk-load; did you mean "index"?'),
        ('index = "before"', "index = 1", "1 does not fit index: secondary index made"),
        (
            "experiment.sessions",
            "experiment.sesions",
            'is not an option of bulk-load; did you mean "sessions"?',
        ),
        ("levels = [1, 2]", 'levels = ["1", "2"]', '"1" does not fit sessions'),
        ('"before"', '"befor"', '"befor" is not a value of index; did you mean "before"?'),
        ("levels = [1, 2]", "levels = [1, -2]", "-2 is too small for sessions: at least 0"),
        ("threads = [8]", 'threads = [8]\nwarmup = "5s"', "cannot be combined with an experiment"),
        (
            "threads = [8]",
            "threads = [8]\nprofile_s = 9",
            "load.profile_s: cannot be combined with an experiment",
        ),
        ("[8]", "[8, 16]", "has several rungs, but an experiment runs once"),
        (
            "threads = [8]",
            "threads = [8]\nterminals = 80",
            "load.terminals: cannot be combined with an experiment",
        ),
        (
            "threads = [8]",
            "threads = [8]\ngenerators = 2",
            "load.generators: cannot be combined with an experiment",
        ),
        ("threads = [8]", "rate = [8]", "cannot be the load of an experiment"),
        (
            "load_s[sessions=2] < load_s[sessions=1]",
            "recovery_s < 5",
            'measured by [experiment] use = "crash-recovery"',
        ),
        (
            "load_s[sessions=2] < load_s[sessions=1]",
            "acknowledged > 5",
            'measured by [experiment] use = "crash-recovery" or "replication"',
        ),
        ('[experiment]\nuse = "bulk-load"\nindex = "before"\n', "", '"experiment.sessions" is varied, but'),
    ],
)
def test_what_does_not_fit_is_named(old: str, new: str, message: str) -> None:
    assert message in spoilt(old, new)


def test_measures_have_one_meaning_each() -> None:
    named = [pair for experiment in EXPERIMENTS.values() for pair in experiment.measures.items()]
    assert all(MEASURED[name] is measured for name, measured in named)
    assert MEASURED.keys() <= MEASURES.keys()
    assert "load_rows_per_s" in HIGHER_IS_BETTER
    assert "load_s" not in HIGHER_IS_BETTER
    assert all("sessions" in experiment.options for experiment in EXPERIMENTS.values())
