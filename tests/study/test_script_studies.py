"""Studies whose workload is a script for sysbench: its files are the study's, and what they cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_plan
from assay.design.study import Study, parse_study, study_hash

TEXT = """
[study]
name = "s"
[server]
use = "mariadb"
[workload]
use = "lua:kit/a.lua"
rows = 5
[load]
threads = [2, 8]
"""
SCRIPT = """
local common = require("common") -- require("in_a_comment")
dofile('kit/more.lua')
local name = "computed" require(name)
require("socket")
"""


def study(text: str, folder: Path) -> Study:
    return parse_study(text, folder / "s.toml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/a.lua").write_text(SCRIPT)
    (tmp_path / "kit/common.lua").write_text("return require 'deeper.one'")
    (tmp_path / "kit/more.lua").write_text("")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper/one.lua").write_text("return 1")
    for name in ("in_a_comment", "computed", "name"):
        (tmp_path / f"{name}.lua").write_text("")
    return tmp_path


def test_a_script_and_the_files_that_it_loads_are_part_of_the_study(folder: Path) -> None:
    first = study(TEXT, folder)
    assert set(first.workload.files) == {
        "lua:kit/a.lua",
        "kit/common.lua",
        "kit/more.lua",
        "deeper/one.lua",
    }
    (one,) = make_plan(first, seed=1).treatments
    assert one.script is not None
    assert (one.script.source, one.script.threads) == (SCRIPT, 8)
    assert one.script.files["deeper/one.lua"] == "return 1"
    assert one.workload_options == {"rows": 5}
    (folder / "deeper/one.lua").write_text("return 2")
    assert study_hash(first) != study_hash(study(TEXT, folder))


def test_a_bundled_script_has_no_file_and_an_open_loop_a_number_of_threads(folder: Path) -> None:
    text = TEXT.replace("kit/a.lua", "oltp_insert").replace("threads = [2, 8]", "rate = [100, 200]")
    (folder / "oltp_insert").write_text("not this one")
    (one,) = make_plan(study(text, folder), seed=1).treatments
    assert one.script is not None
    assert (one.script.source, one.script.files, one.script.threads) == (None, {}, 100)
    (fewer,) = make_plan(study(text + "connections = 7\n", folder), seed=1).treatments
    assert fewer.script is not None
    assert fewer.script.threads == 7


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "kit/a.lua",
            "gone.lua",
            r's.toml:7: workload.use: "lua:gone.lua": .*gone.lua: cannot be read: No such',
        ),
        ("kit/a.lua", "../a.lua", r'"lua:../a.lua" names no file beside the study'),
        ("kit/a.lua", "/a.lua", r'"lua:/a.lua" names no file beside the study'),
        ("[2, 8]", "[2, 8]\nterminals = 9", r"load.terminals: cannot be combined with a script"),
        ("[2, 8]", "[2, 8]\ngenerators = 2", r"load.generators: cannot be combined with a script"),
        ("threads = [2, 8]", "rate = [9]\nthink_ms = 5", r"load.think_ms: needs a closed loop"),
        ("[2, 8]", '[2]\n[experiment]\nuse = "bulk-load"', r"experiment.use: loads the tables of a workload"),
        ("[2, 8]", '[2]\n[experiment]\nuse = "connection-storm"', r"experiment.use: opens the connections"),
    ],
)
def test_what_a_script_cannot_be_combined_with(folder: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study(TEXT.replace(old, new), folder)


def test_an_experiment_takes_a_script_as_its_load(folder: Path) -> None:
    text = TEXT.replace("[2, 8]", "[2]") + '[experiment]\nuse = "crash-recovery"\n'
    (one,) = make_plan(study(text, folder), seed=1).treatments
    assert one.experiment is not None
    assert one.script is not None
