"""What verdicts make of published claims, and which results folders they are read from."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from assay.base.errors import InputError
from assay.experiments.comparison.published import (
    FoundVerdict,
    claim_of,
    files_to_run,
    published_claims,
    state_of,
    studies_of,
    tally,
)
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

CLAIMS = published_claims()
Word = Literal["supported", "refuted", "undecided"]
QUICK = Truth(measure_s=4, warmup_s=1, samples=False)


def found(outcome: Word, study: str = "a", begun_ns: int = 1) -> FoundVerdict:
    return FoundVerdict("H000-26", study, f"results/{study}", outcome, "", None, begun_ns)


@pytest.mark.parametrize(
    ("claim", "verdicts", "studies", "outcome"),
    [
        ("H000-26", [], (), "not-run"),
        ("H002-05", [], (), "not-testable"),
        ("H002-05", [found("supported")], (), "supported"),  # who has such a card tests it all the same
        ("H000-26", [found("supported")], ("a",), "supported"),
        ("H000-26", [found("refuted")], (), "refuted"),
        ("H000-29", [found("refuted")], (), "refuted-here"),
        ("H000-29", [found("supported")], (), "supported"),
        ("H000-26", [found("undecided")], (), "undecided"),
        ("H000-26", [found("supported"), found("supported", "b")], ("a", "b"), "supported"),
        ("H000-26", [found("supported"), found("undecided", "b")], (), "undecided"),
        ("H000-26", [found("supported"), found("refuted", "b")], (), "refuted"),
        ("H000-26", [found("supported")], ("a", "b"), "undecided"),  # b has not run
        ("H000-26", [found("refuted")], ("a", "b"), "refuted"),
        ("H000-26", [found("refuted", begun_ns=1), found("supported", begun_ns=2)], (), "supported"),
        ("H000-26", [found("supported", begun_ns=2), found("refuted", begun_ns=1)], (), "supported"),
        ("H000-26", [found("supported", begun_ns=1), found("refuted", begun_ns=1)], (), "refuted"),
    ],
)
def test_a_claim_holds_when_all_its_parts_do(
    claim: str, verdicts: list[FoundVerdict], studies: tuple[str, ...], outcome: str
) -> None:
    assert state_of(CLAIMS[claim], verdicts, studies).outcome == outcome


def test_studies_without_a_verdict_are_named() -> None:
    assert state_of(CLAIMS["H000-26"], [found("supported")], ("a", "b")).missing == ("b",)


@pytest.mark.parametrize(
    ("id", "claim"),
    [
        ("H002-01", "H002-01"),
        ("H002-01b", "H002-01"),
        ("H002-01-oltp", "H002-01"),
        ("H002-011", None),
        ("purge", None),
        (None, None),
        ("", None),
    ],
)
def test_the_id_of_a_hypothesis_names_its_claim(id: str | None, claim: str | None) -> None:
    assert claim_of(id) == claim


def study_of(*claims: str) -> str:
    """The study of planted results, with hypotheses of these ids."""
    said = {
        "H000-26": "tps[innodb_purge_threads=1] < tps[innodb_purge_threads=4]",
        "H003-08": "p95_ms[innodb_purge_threads=4, threads=1] < 0.001",
    }
    head = STUDY_TOML[: STUDY_TOML.index("[[hypothesis]]")].replace("[1, 8, 64]", "[1]")
    return head + "".join(f'[[hypothesis]]\nid = "{one}"\nclaim = "{said[one]}"\n' for one in claims)


def test_results_folders_are_judged(tmp_path: Path) -> None:
    both = study_of("H000-26", "H003-08")
    earlier = 1_700_000_000
    make_results(tmp_path / "old", study_toml=both, effect=0.5, loads=(1,), truth=QUICK, begun_s=earlier)
    make_results(tmp_path / "new" / "a", study_toml=both, effect=1.5, loads=(1,), truth=QUICK)
    make_results(tmp_path / "other", study_toml=study_of(), loads=(1,), truth=QUICK)
    damaged = make_results(tmp_path / "damaged", study_toml=both, loads=(1,), truth=QUICK)
    damaged.study_file.write_text("[study", encoding="utf-8")
    seen: list[str] = []
    got = tally([tmp_path], lambda path: seen.append(path.name), studies=tmp_path / "none")
    states = {state.claim.id: state for state in got.states}
    assert states["H000-26"].outcome == "supported"
    assert states["H003-08"].outcome == "refuted-here"
    assert [one.folder for one in states["H000-26"].verdicts] == [str(tmp_path / "new" / "a")]
    assert seen == ["a", "old"]  # what tests no claim is not judged
    assert len(got.unread) == 1
    assert "damaged" in got.unread[0]
    assert got.counts("000", "order")["supported"] == 1
    assert sum(got.counts().values()) == len(states) == 119
    assert sum(sum(counts.values()) for _, _, counts in got.rows) == 119


def test_without_results_everything_is_not_run_or_has_its_reason(tmp_path: Path) -> None:
    counts = tally([tmp_path / "none"], studies=tmp_path).counts()
    assert counts["not-run"] + counts["not-testable"] == 119


def test_studies_of_a_report_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    place = tmp_path / "003"
    place.mkdir()
    (place / "b.toml").write_text(study_of("H000-26").replace("purge-threads", "b"), encoding="utf-8")
    (place / "a.toml").write_text(study_of().replace("purge-threads", "a"), encoding="utf-8")
    assert [(one.name, one.claims) for one in studies_of("003", tmp_path)] == [("a", ()), ("b", ("H000-26",))]
    assert studies_of("004", tmp_path) == ()
    (place / "c.toml").write_text("study = 3\n", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as a study"):
        studies_of("003", tmp_path)


def test_every_claim_of_a_shipped_study_is_one_of_its_report() -> None:
    for report in ("000", "001", "002", "003", "004"):
        for study in studies_of(report):
            assert all(claim in CLAIMS for claim in study.claims), study.file


def test_files_to_run_are_those_of_the_report(tmp_path: Path) -> None:
    place = tmp_path / "003"
    place.mkdir()
    for name in ("b", "a"):
        (place / f"{name}.toml").write_text(
            study_of().replace("purge-threads", f"s-{name}"), encoding="utf-8"
        )
    assert [file.stem for file in files_to_run("003", tmp_path)] == ["a", "b"]
    assert [file.stem for file in files_to_run("003", tmp_path, ["s-b"])] == ["b"]
    for report, only, said in (
        ("003", ["s-c"], "has no study 's-c'"),
        ("004", [], "contains no study files"),
        ("005", [], "not a published report"),
    ):
        with pytest.raises(InputError, match=said):
            files_to_run(report, tmp_path, only)
