"""What goes wrong in one run fails that run; what the next would meet as well ends the study."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import GeneratorLost, ServerLost
from assay.design.folder import ResultsFolder
from assay.design.plan import Treatment, make_plan
from assay.design.study import StudyText, parse_study
from assay.front.terminal import console
from assay.front.terminal.progress import PlainProgress
from assay.measurement.run import execute
from assay.measurement.run.one_run import OneRun
from assay.measurement.run.run_task import RunContext, RunTask
from assay.measurement.source.sources import Sources
from assay.measurement.source.under_test import Server, Storage
from assay.system.engine.interrupts import Interrupts

STUDY = """\
[study]
name = "failing"
[server]
use = "mariadb"
[workload]
use = "oltp_read_only"
[load]
threads = [1]
"""


class Failing:
    """A source whose servers do not start, for this reason."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason

    def check(self, treatments: Sequence[Treatment], *more: Any, **named: Any) -> None:
        """Nothing is wrong yet."""

    def loaded(self, treatments: Sequence[Treatment], **told: Any) -> Any:
        return nullcontext()

    @contextmanager
    def started(self, *about: Any) -> Iterator[Server | Storage]:
        raise self.reason
        yield


def run(tmp_path: Path, reason: BaseException) -> OneRun:
    study = parse_study(STUDY, tmp_path / "failing.toml")
    plan = make_plan(study, seed=1)
    sources = Sources({"mariadb": Failing(reason)})
    folder, progress = ResultsFolder(tmp_path / "results"), PlainProgress(console())
    return OneRun(RunTask(RunContext(study, plan, folder, sources, progress, Interrupts()), plan.runs[0]))


@pytest.mark.parametrize(
    "reason", [OSError(errno.EIO, "Input/output error"), ConnectionResetError("reset"), ServerLost("gone")]
)
def test_a_failure_is_of_its_run(tmp_path: Path, reason: Exception) -> None:
    manifest = run(tmp_path, reason).carry_out()
    assert manifest.status == "failed"
    assert manifest.failure is not None
    assert str(reason) in manifest.failure.message


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_the_next_run_would_meet_is_raised(tmp_path: Path, number: int) -> None:
    with pytest.raises(OSError, match="here"):
        run(tmp_path, OSError(number, "here")).carry_out()
    assert not (tmp_path / "results" / "runs").exists() or not list(
        (tmp_path / "results" / "runs").glob("b*")
    )


def test_a_block_that_loses_a_generator_three_times_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = GeneratorLost("generator g2 on h7 was lost 3 s into the load: it ended with signal 9")
    sources = Sources({"mariadb": Failing(reason)})
    monkeypatch.setattr(sys.modules[execute.__module__], "preflight", lambda *_, **named: sources)
    path = tmp_path / "failing.toml"
    path.write_text(STUDY)
    study = parse_study(STUDY, path)
    folder, progress = ResultsFolder(tmp_path / "results"), PlainProgress(console())
    with pytest.raises(GeneratorLost, match=r"block 1 has lost a generator 3 times.* g2 on h7 ") as caught:
        execute(study, make_plan(study, seed=1), folder, progress, StudyText(path, STUDY))
    assert caught.value.exit_code == 6
    assert "that host" in (caught.value.hint or "")
    assert capsys.readouterr().out.count("block 1 is begun again: generator g2 on h7") == 2
    run = "b01-01-default"
    assert {path.name for path in folder.runs.iterdir()} == {run, f".{run}.failed-1", f".{run}.failed-2"}
