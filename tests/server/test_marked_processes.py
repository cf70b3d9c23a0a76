"""Processes that a lab started are found by a mark, but those of a container are its own lab's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from assay.system.server.process.program import MARK, marked

SLEEP = ["sleep", "30"]
APART = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]


@pytest.mark.parametrize(("before", "found"), [([], True), (APART, False)])
def test_numbers_of_another_container_are_of_other_processes(
    before: list[str], found: bool, tmp_path: Path
) -> None:
    if before and subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("this machine gives no namespace of processes")
    marks = {**os.environ, MARK: f"1-1@{tmp_path}"}
    # The shell says that it runs; in a container the one outside of it has no mark.
    script = f'export {MARK}="1-1@{tmp_path}"; echo; exec {" ".join(SLEEP)}'
    with subprocess.Popen(
        [*before, "sh", "-c", script], stdout=subprocess.PIPE, env=None if before else marks
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            assert bool(list(marked(tmp_path, lambda lab: lab == "1-1"))) is found
        finally:
            process.kill()
