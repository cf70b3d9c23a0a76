"""The table of statements by form, from lines that a server counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.reporting.report.material import Material
from assay.reporting.report.tables import digests
from assay.reporting.report.words import load_words
from assay.results.store import open_store
from assay.results.verdict import judge
from assay.testing.planted import PlantedLedger, ledger_rows, write_store
from assay.testing.results_folder import FACTOR, STUDY_TOML

TREATMENTS = [((FACTOR, "1"),), ((FACTOR, "4"),)]


def test_a_statement_that_examines_more_is_seen_with_the_dearest_first(tmp_path: Path) -> None:
    rows = ledger_rows(TREATMENTS, [PlantedLedger({("client", ""): (100.0, 100.0)}, "time")], blocks=2)
    for run in rows["runs"]:
        where = {**{key: run[key] for key in ("run_id", "treatment", "block")}, "rung": 1, "load": 8.0}
        slow = "4" in str(run["treatment"])
        scan = {"statement": 900.0 if slow else 90.0, "statements": 2.0}
        scan |= {"statement-rows-examined": 2000.0 if slow else 2.0, "statement-rows-sent": 2.0}
        scan |= {"statement-errors": 0.0}
        for text, figures in (("SELECT ?", scan), ("COMMIT", {"statement": 40.0, "statements": 1.0})):
            rows["ledger_lines"] += [
                {
                    **where,
                    "ledger": "waits" if group == "statement" else "counts",
                    "group": group,
                    "line": text,
                    "amount": amount,
                }
                for group, amount in figures.items()
            ]
    file = tmp_path / "study.toml"
    text = STUDY_TOML.replace("threads = [1, 8, 64]", "threads = [8]").replace("blocks = 6", "blocks = 2")
    file.write_text(text.partition("[[hypothesis]]")[0], encoding="utf-8")
    study, folder = load_study(file), ResultsFolder(tmp_path / "results")
    write_store(rows, folder)
    store = open_store(folder)
    material = Material(study, judge(study, store), store, load_words("en"))
    (table,) = digests.tables(material)
    one, four = material.results.treatments
    assert table.rows == (
        ("SELECT ?", 8.0, one, 90.0, 2.0, 45.0, 1.0, 1.0, 0.0),
        ("SELECT ?", 8.0, four, 900.0, 2.0, 450.0, 1000.0, 1.0, 0.0),
        ("COMMIT", 8.0, one, 40.0, 1.0, 40.0, None, None, None),
        ("COMMIT", 8.0, four, 40.0, 1.0, 40.0, None, None, None),
    )
    assert digests.tables(replace(material, words=load_words("zh")))[0].title == "各语句在服务器中的开销"
