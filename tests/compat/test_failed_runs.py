"""Of a run that fails sysbench prints no report: Assay's goes where no program takes it for one."""

from __future__ import annotations

import pytest
from assay.design.folder import ErrorEvent
from assay.front.compat.sysbench.general import General
from assay.front.compat.sysbench.reporter import Reporter
from assay.front.compat.sysbench.totals import Cumulative


@pytest.mark.parametrize("fatal", [True, False])
def test_the_report_of_a_failed_run_is_on_standard_error(
    fatal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter = Reporter(General(), sql=False, own=lambda _: "own figures\n")
    reporter.event(ErrorEvent(at_ns=5, fatal=fatal, kind="job", message="the script fails"))
    reporter.end(Cumulative(0.95).totals())
    said = capsys.readouterr()
    report, other = (said.err, said.out) if fatal else (said.out, said.err)
    assert "own figures" in report
    assert "General statistics" in report
    assert "General statistics" not in other
