"""What hosts of a fleet say about one comparison, from results whose blocks they carried out."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import Truth, make_results

_TRUTH = Truth(measure_s=4, warmup_s=0, samples=False)


def _judged(path: Path, **planted: object) -> Results:
    folder = make_results(path, blocks=8, loads=(1, 8), truth=_TRUTH, effect=1.2, **planted)  # type: ignore[arg-type]
    build_store(folder)
    return judge(load_study(folder.study_file), open_store(folder))


def test_hosts_that_agree_have_their_ratios_and_no_doubt(tmp_path: Path) -> None:
    found = _judged(tmp_path / "results", hosts=("h1", "h2"))
    assert {(one.measure, one.load) for one in found.by_host} >= {("tps", 1), ("tps", 8)}
    for one in found.by_host:
        assert [(host.host, host.blocks) for host in one.by_host] == [("h1", 4), ("h2", 4)]
        if one.measure == "tps":
            assert all(host.ratio == pytest.approx(1.2, rel=0.02) for host in one.by_host)
            assert all(host.low < host.ratio < host.high for host in one.by_host if host.low and host.high)
    assert "hosts-disagree" not in [doubt.kind for doubt in found.doubts]


def test_hosts_that_disagree_are_a_doubt_with_their_ratios(tmp_path: Path) -> None:
    found = _judged(tmp_path / "results", hosts=("h1", "h2"), effect_on={"h2": 0.9})
    (doubt,) = [doubt for doubt in found.doubts if doubt.kind == "hosts-disagree"]
    assert doubt.severity == "warning"
    assert doubt.message.startswith("hosts disagree about ")
    assert {doubt.facts["low_host"], doubt.facts["high_host"]} == {"h1", "h2"}
    assert "h2" in explain_doubt(load_words("zh"), doubt)
    (tps,) = [one for one in found.by_host if (one.measure, one.load) == ("tps", 8)]
    assert tps.p_value is not None
    assert tps.p_value < 1e-4
    assert tps.between_sd == pytest.approx(0.1 / 2**0.5, rel=0.3)


def test_a_study_on_one_machine_has_no_hosts(tmp_path: Path) -> None:
    assert _judged(tmp_path / "results").by_host == ()
    assert _judged(tmp_path / "one", hosts=("h1",)).by_host == ()
