"""No detail of a doubt has an English sentence on a Chinese page, whoever recorded it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from assay.design.folder import HostEntry
from assay.design.folder.losses import Loss
from assay.measurement.run import on_server, sampling
from assay.measurement.source import drifted
from assay.measurement.source.running_tables import ExistingTables
from assay.measurement.source.script_tables import ScriptTables
from assay.measurement.source.table_notes import FoundTable, Note
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.verdict.fairness.subjects import SUBJECTS
from assay.results.verdict.results import DoubtNote
from assay.system.host.neighbours import Neighbours
from assay.system.host.sampler.set import SourceReport
from test_words import DOUBTS, kinds_of_doubt

ZH = load_words("zh")
QUOTED = re.compile("“[^”]*”")
SENTENCE = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
"""Three words of a sentence; a name as `Performance Schema` is none."""

NAMES = {
    "baseline", "block", "codes", "complete", "count", "different", "fewest", "file", "high_host", "judged",
    "low_host", "measure", "names", "percent", "percentiles", "planned", "programs", "seconds", "tools",
    "treatment", "ways", "what",
}  # fmt: skip
"""Figures of doubts that are names, numbers or values, the same in every language."""


def notes() -> Iterator[tuple[str, str]]:
    """Yields kinds with what the lab records of them in English, each by the code that records it."""
    disk = HostEntry(knob="vm.swappiness", target="this machine", was="10", now="none that a machine has")
    yield from ((one.kind, one.message) for one in drifted([disk]))
    changed = on_server._drifted({"sort_buffer_size": 1}, {"sort_buffer_size": 2})
    yield from ((one.kind, one.message) for one in changed)
    for what in ("assay run live (process 4711)", "a measurement"):
        yield "other-measurement", sampling.other_measurement(what).message
        beside = object.__new__(Neighbours)
        beside._beside, beside._unseen, beside._first, beside._last = {what: None}, False, None, None
        yield from ((one.kind, one.message) for one in beside.doubts())
    for missed in (1, 1200):
        report = SourceReport("status", 5, missed, 1.0, 1.0, "Lost connection to the server")
        yield "samples-missing", sampling._missing(report)
    yield "samples-missing", "nothing was sampled beside the load: there are no server costs"
    yield "samples-missing", "readings that were taken: cpu 5 of 12, status 3 of 12"
    yield from (("not-fresh-data", one) for one in _of_tables())
    for what in ("is missing", "has no closing event", "has 1,234 bytes, and had 5 when the run was over"):
        yield "lost-files", str(Loss("server.log", what))
    yield "lost-files", "a.jsonl is missing; b.jsonl has 1,234 bytes, and had 5 when the run was over"
    yield "unequal", ", ".join([*(subject.spoken for subject in SUBJECTS), "…"])
    yield "failed-run", "no reason recorded"
    yield "failed-attempts", "no reason recorded"
    yield "unequal", "innodb_io_capacity, sort_buffer_size"


def _of_tables() -> Iterator[str]:
    anything: Any = None
    note = Note(workload="oltp", options={})
    tables = [FoundTable(f"sbtest{at}", "InnoDB", "", 0, note if at % 2 else None) for at in range(12)]
    script = ScriptTables(anything, anything, anything, anything)
    for count in (2, 12):
        yield from (one.message for one in script._doubts(tables[:count], {}))

    class Counted:
        kind = "row-count"
        message = "sbtest1 holds 9,999 rows; freshly prepared it has 10,000"

    class OneLeft(Counted):
        message = "sbtest3 holds 1 row; freshly prepared it has 10,000"

    class Treatment:
        workload = "oltp"
        workload_options: dict[str, str] = {}  # noqa: RUF012

    class Existing(ExistingTables):
        @property
        def _options(self) -> dict[str, Any]:
            return {}

    existing = Existing(anything, Treatment(), anything)  # type: ignore[arg-type]
    yield from (one.message for one in existing._of_ours(tables, [Counted(), OneLeft()]))  # type: ignore[list-item]
    found = Note(workload="oltp", options={}, by="found")
    others = [FoundTable(f"sbtest{at}", "InnoDB", "", 0, found) for at in range(6)]
    yield from (one.message for one in existing._of_ours(others, []))


@pytest.mark.parametrize(("kind", "text"), sorted(set(notes())))
def test_what_the_lab_records_is_said_in_chinese(kind: str, text: str) -> None:
    facts = dict.fromkeys(("reason", "files", "names", "treatment"), text) | {"count": 2}
    said = explain_doubt(ZH, DoubtNote(kind, text, "run", None, "warning", facts))
    assert not SENTENCE.search(QUOTED.sub("", said)), said
    for figure in re.findall(r"[a-z]+_[a-z_]+|\d+(?:,\d+)*", text):
        assert figure in said, f"{figure} is lost: {said}"
    english = explain_doubt(load_words("en"), DoubtNote(kind, text, "run", None, "warning", facts))
    assert english == text


@pytest.mark.parametrize("kind", sorted(kinds_of_doubt()))
def test_a_text_in_a_chinese_sentence_is_a_name_a_quotation_or_has_its_forms(kind: str) -> None:
    """What is written with a format is a number."""
    sentence = QUOTED.sub("", ZH(DOUBTS + kind))
    assert not SENTENCE.search(re.sub(r"\{.*?\}", "", sentence))
    texts = set(re.findall(r"\{(\w+)\}", sentence))
    forms = [key for key in sorted(ZH.keys()) if key.startswith(f"doubt-form.{kind}.")]
    assert texts <= NAMES or forms, texts


def test_a_text_of_another_form_stays_as_it_was_recorded() -> None:
    note = DoubtNote("variable-drift", "something of tomorrow", "run", None, "warning")
    assert "something of tomorrow" in explain_doubt(ZH, note)
