"""The scripts that come with the engine: the command line knows each by its name."""

from __future__ import annotations

from pathlib import Path

from assay.front.compat.sysbench.script_options import SCRIPTS

BUNDLED = Path(__file__).parents[2] / "crates/script/src/lua/bundled"
LIBRARY = "oltp_common"  # what the others require: it is no test of its own


def test_the_command_line_knows_every_script_of_the_engine() -> None:
    assert {file.stem for file in BUNDLED.glob("*.lua")} == SCRIPTS | {LIBRARY}
