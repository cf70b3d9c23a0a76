"""What was found at a rung: a record for each who found something, and the one record of earlier folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import RungFolder
from assay.design.folder.findings import Figure, FinderRecord, Moment, add_found, read_found


@pytest.fixture
def rung(tmp_path: Path) -> RungFolder:
    path = tmp_path / "rungs" / "01-threads-8"
    path.mkdir(parents=True)
    return RungFolder(path)


def test_who_finds_something_leaves_what_others_found(rung: RungFolder) -> None:
    assert read_found(rung) == []
    rounds = FinderRecord(by="steady-state", figures=[Figure(name="rounds_to_steady", unit="", value=5.0)])
    failure = FinderRecord(by="device-failure", moments=[Moment(name="device failed", at_wall_ns=17)])
    add_found(rung, rounds)
    add_found(rung, failure)
    assert read_found(rung) == [rounds, failure]
    assert [path.name for path in rung.path.iterdir()] == ["found.json"]


def test_the_one_record_of_an_earlier_folder_is_read(rung: RungFolder) -> None:
    record = {
        "use": "steady-state, device-failure",
        "options": {"rounds": 9, "device": 2},
        "figures": [{"name": "rounds_to_steady", "unit": "", "value": 5.0}],
        "moments": [{"name": "device failed", "at_wall_ns": 17}],
    }
    rung.experiment.write_text(json.dumps(record))
    (found,) = read_found(rung)
    assert (found.by, found.options["device"], found.traces) == ("steady-state, device-failure", 2, [])
    assert (found.figures[0].value, found.moments[0].at_wall_ns) == (5.0, 17)


@pytest.mark.parametrize("name", ["found.json", "experiment.json"])
def test_a_damaged_file_is_named(rung: RungFolder, name: str) -> None:
    (rung.path / name).write_text('{"by": 3}')
    with pytest.raises(InputError, match=rf"{name} is damaged") as raised:
        read_found(rung)
    assert str(rung.path.parents[1]) in (raised.value.hint or "")
