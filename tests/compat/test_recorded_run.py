"""One recorded run, whose text the lab and the engine write alike: the text has two homes, and one form.

`run.words` is the command line: an open loop with a checkpoint in its middle.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import decode_event
from assay.front.compat.sysbench.general import General
from assay.front.compat.sysbench.reporter import Reporter
from assay.front.compat.sysbench.script_run import LANGUAGE, _own, _Run

RECORDED = Path(__file__).parent / "recorded"


def test_a_recorded_run_has_the_text_that_the_engine_writes(capsys: pytest.CaptureFixture[str]) -> None:
    words = dict(word[2:].partition("=")[::2] for word in (RECORDED / "run.words").read_text().split())
    general = General(
        threads=int(words["threads"]),
        time=float(words["time"]),
        rate=float(words["rate"]),
        report_interval=float(words["report-interval"]),
        report_checkpoints=(int(words["report-checkpoints"]),),
        histogram=True,
        rand_seed=int(words["rand-seed"]),
    )
    reporter = Reporter(
        general, sql=False, own=lambda totals: _own(totals, reporter), checkpoints_are_told=True
    )
    run = _Run(reporter, general, on_stderr=False)
    reporter.begin(language=LANGUAGE)
    for line in (RECORDED / "run.jsonl").read_text().splitlines():
        run.event(decode_event(line))
    assert capsys.readouterr().out == (RECORDED / "run.txt").read_text()
