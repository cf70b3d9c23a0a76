"""The script for `git bisect run` answers git for every exit code that a gate has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from assay.base import errors
from pages import ROOT, blocks

GOOD, BAD, SKIP = 0, 1, 125
ANSWERS = {0: GOOD, errors.GateFailed.exit_code: BAD}


def test_only_a_gate_that_failed_is_bad_and_only_one_that_passed_is_good(tmp_path: Path) -> None:
    (script,) = (one for one in blocks(ROOT / "docs/method/history.md", "bash") if "assay gate" in one)
    codes = {0, 1, 70, *(kind.exit_code for kind in errors.AssayError.__subclasses__())}
    for name, does in (("make", 'exit "$MADE"'), ("git", "echo 0123abc"), ("assay", 'exit "$ENDED"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    tree = tmp_path / "tree"
    tree.mkdir()
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def answer(made: int, ended: int) -> int:
        codes = {"MADE": str(made), "ENDED": str(ended)}
        done = subprocess.run(["bash", "-c", script], cwd=tree, env=environment | codes, check=False)
        return done.returncode

    assert {code: answer(0, code) for code in codes} == {code: ANSWERS.get(code, SKIP) for code in codes}
    assert answer(2, 0) == SKIP
