"""The file of alarms: each once, judged by people, and counted for each gate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.gate import as_object, close_alarm, note_alarms, read_alarms
from assay.results.verdict import CLOSINGS
from two_builds import RATIO, check, gated

OTHER = "p95_ms[build=new]/p95_ms[build=base] <= 1.1"


def test_results_raise_an_alarm_once_and_other_results_another(tmp_path: Path) -> None:
    file = tmp_path / "alarms.json"
    first = replace(gated(check("failed"), check("passed", number=2, text=OTHER)), began_ns=1)
    assert len(note_alarms(file, first).alarms) == 1
    assert len(note_alarms(file, first).alarms) == 1
    later = replace(gated(check("failed"), check("failed", number=2, text=OTHER)), began_ns=2)
    assert len(note_alarms(file, later).alarms) == 3
    assert len({one.id for one in read_alarms(file).alarms}) == 3


def test_people_judge_alarms_and_each_gate_shows_how_often_it_was_right(tmp_path: Path) -> None:
    file = tmp_path / "alarms.json"
    outcomes = [replace(gated(check("failed")), began_ns=began) for began in range(4)]
    for one in outcomes:
        note_alarms(file, one)
    claim = f"{RATIO} >= 0.97"
    assert read_alarms(file).record("two-builds", claim).precision is None
    ids = [one.id for one in read_alarms(file).alarms]
    close_alarm(file, ids[0], "reverted", "a lock")
    close_alarm(file, ids[1], "justified", "a flush")
    close_alarm(file, ids[2][:6], "false-alarm", "a backup")
    close_alarm(file, ids[1], "false-alarm", "it was a backup, too")
    (said,) = as_object(outcomes[0], read_alarms(file))["alarms"]
    assert (said["alarms"], said["true"], said["false"]) == (4, 1, 2)
    assert said["precision"] == pytest.approx(1 / 3)
    assert note_alarms(file, outcomes[0]).alarms[1].why == "it was a backup, too"


@pytest.mark.parametrize("how", CLOSINGS)
def test_all_but_a_false_alarm_is_right(tmp_path: Path, how: str) -> None:
    file = tmp_path / "alarms.json"
    (alarm,) = note_alarms(file, gated(check("failed"))).alarms
    assert alarm.is_right is None
    assert close_alarm(file, alarm.id, how, "why").is_right == (how != "false-alarm")


@pytest.mark.parametrize(
    ("how", "why", "said"), [("true", "a lock", "not a way"), ("later", " ", "a reason")]
)
def test_an_alarm_is_closed_in_the_words_of_a_history(tmp_path: Path, how: str, why: str, said: str) -> None:
    file = tmp_path / "alarms.json"
    (alarm,) = note_alarms(file, gated(check("failed"))).alarms
    with pytest.raises(InputError, match=said):
        close_alarm(file, alarm.id, how, why)
    assert read_alarms(file).alarms[0].closing is None


def test_what_is_undecided_or_not_judged_is_no_alarm(tmp_path: Path) -> None:
    file = tmp_path / "alarms.json"
    outcome = gated(check("unjudged"), check("undecided", number=2), check("passed", number=3))
    assert note_alarms(file, outcome).alarms == ()
    assert read_alarms(file).alarms == ()
    assert as_object(outcome, read_alarms(file))["alarms"] == []


@pytest.mark.parametrize("wanted", ["", "zz", "0"])
def test_an_unknown_alarm_is_refused(tmp_path: Path, wanted: str) -> None:
    file = tmp_path / "alarms.json"
    note_alarms(file, gated(check("passed")))
    with pytest.raises(InputError, match="is not an alarm in"):
        close_alarm(file, wanted, "later", "why")


def test_a_missing_file_is_not_made_by_judging(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        close_alarm(tmp_path / "alarms.json", "8d", "later", "why")
    assert not list(tmp_path.iterdir())


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "alarms.json"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="is not a file of alarms"):
        note_alarms(file, gated(check("failed")))
    assert file.read_text(encoding="utf-8") == "[]"
