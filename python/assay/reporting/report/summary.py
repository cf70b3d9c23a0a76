"""Writes the page's opening: what was compared, the verdict on each hypothesis, and the most serious
doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.numbers import number, with_interval
from assay.design.study import DEFAULT_PLACE, file_hashes, is_script
from assay.reporting.report import imported
from assay.reporting.report.explain import explain, meaning, when_named
from assay.reporting.report.material import Material
from assay.reporting.report.records.matrix import sees
from assay.reporting.report.records.runs import servers
from assay.reporting.report.records.screening import advised
from assay.reporting.report.words import Words
from assay.results.stats import expected_wrong_verdicts
from assay.results.verdict import by_severity

if TYPE_CHECKING:
    from assay.design.study import Study
    from assay.results.verdict import Differing, DoubtNote, Results


@dataclass(frozen=True)
class Answer:
    """One hypothesis in a sentence."""

    claim: str
    outcome: str
    sentence: str
    meaning: str  # what the outcome says where the claim's formula reads like more


def opening(material: Material) -> list[str]:
    """Returns sentences on what was compared and how far to trust the results, one or two in each entry."""
    words, results = material.words, material.results
    if material.study.is_imported:
        return [*imported.opening(material), *_best(material, results)]
    count = len(results.treatments)
    treatments = words("summary.compared-one") if count == 1 else words("summary.compared-many", count=count)
    loads = words.listed(number(load) for load in results.loads)
    said = [
        words(
            "summary.compared",
            treatments=treatments,
            workload=words.listed(material.study.workloads),
            server=_UNDER_LOAD[material.study.subject.kind](material),
            loads=words(f"summary.loads-{results.load_kind}", loads=loads),
            complete=results.blocks_complete,
            planned=results.blocks_planned,
        ),
        words(f"summary.same-block{on_running(material.study)}"),
    ]
    if scripts := _scripts(material):
        said.append(words("summary.scripts", files=words.listed(scripts)))
    parts = [(one.workload, results.part(one)) for one in results.workloads]
    if parts:
        baselines = words.listed(dict.fromkeys(part.treatments[0] for _, part in parts))
        if material.has_matrix:
            said += [sees(material, load) for load in results.loads]
        if material.has_many_kinds:
            return said
        said.append(words("summary.each-workload", baseline=baselines))
        return said + [line for workload, part in parts for line in _best(material, part, workload)]
    if results.screening is not None:
        said += [line for line in (words("summary.screen"), advised(results, words)) if line]
    elif count > 1:
        said.append(words("summary.baseline", baseline=results.treatments[0]))
    return said + _best(material, results)


def _scripts(material: Material) -> list[str]:
    """Returns the study's scripts and the files that they load, each with its SHA-256."""
    study = material.study
    if not any(map(is_script, study.workloads)):
        return []
    return [f"{name} (SHA-256 {digest})" for name, digest in file_hashes(study.workload.files).items()]


def on_running(study: Study) -> str:
    """Returns the suffix of phrases about fresh starts, which differ for a server that was running
    already.
    """
    running = [use.startswith("dsn:") for use in study.servers]
    return "-running" if all(running) else "-some-running" if any(running) else ""


def _best(material: Material, part: Results, workload: str | None = None) -> list[str]:
    best = max(
        (e for e in part.estimates if e.measure == material.throughput), key=lambda e: e.value, default=None
    )
    if best is None:
        return []
    found = {
        "measure": material.words.measure(best.measure),
        "treatment": best.treatment,
        "load": material.load_words(best.load),
        "value": with_interval(best.value, best.low, best.high),
    }
    if workload is None:
        return [material.words("summary.best", **found)]
    return [material.words("summary.best-of", workload=workload, **found)]


def warnings(material: Material) -> list[str]:
    """Returns what a reader must know before believing anything: too few blocks, failed runs."""
    words, results, said = material.words, material.results, []
    if material.study.is_imported:
        said.append(imported.unknown(material))
    if results.blocks_complete < results.gate.fewest:
        said.append(words("summary.estimate-only", blocks=results.blocks_complete))
    said += _looks(material)
    said += _named(material)
    if results.blocks_complete < results.blocks_planned:
        said.append(
            words("summary.incomplete", complete=results.blocks_complete, planned=results.blocks_planned)
        )
    if results.runs_failed:
        run, reason = results.runs_failed[0]
        said.append(words("summary.failed", count=len(results.runs_failed), run=run, reason=reason))
    return said


def _named(material: Material) -> list[str]:
    """Returns sentences on claims that were dropped, and terms that were changed, since they were named."""
    words, named = material.words, material.results.named
    if named is None:
        return []
    said = [words("summary.terms-changed", term=key, was=was, now=now) for key, was, now in named.changed]
    if named.dropped:
        claims = words.listed(f"“{claim}”" for claim in named.dropped)
        said.append(words("summary.dropped", count=len(named.dropped), claims=claims))
    return said


def _looks(material: Material) -> list[str]:
    """Returns sentences on how often verdicts were given, and what that costs."""
    words, looks = material.words, material.results.looks
    if looks is None:
        return []
    seen = words.listed(str(count) for count in looks.seen)
    said = []
    if looks.schedule:
        said.append(
            words(
                "summary.looks-planned",
                schedule=words.listed(str(count) for count in looks.schedule),
                count=len(looks.schedule),
                all=f"{100 * looks.confidence:g}",
            )
        )
    unplanned = looks.error > 1 - looks.confidence + 1e-9
    if unplanned:
        said.append(words("summary.looks-summed", seen=seen, summed=f"{100 * looks.error:.3g}"))
    elif looks.schedule and looks.seen:
        said.append(words("summary.looks-seen", seen=seen))
    if not looks.due:
        said.append(words("summary.looks-between", blocks=material.results.blocks_complete))
    return said


def answers(material: Material) -> list[Answer]:
    """Returns every hypothesis with its outcome."""
    found = []
    for verdict in material.results.hypotheses:
        says = meaning(material.words, verdict.says)
        said = explain(material, verdict)
        if verdict.named != "unknown":
            said = material.words.sentences([said, when_named(material.words, verdict) + "."])
        found.append(Answer(verdict.claim, verdict.word, said, says))
    return found


_REASONS = 3


def why(material: Material) -> list[str]:
    """Returns a sentence for each treatment on what differs most clearly in the cost of one operation, or
    that nothing does; none where nothing of the server was compared.
    """
    words, results = material.words, material.results
    parts = [results.part(one) for one in results.workloads] or [results]
    return [said for part in parts for one in part.differing if (said := _why(words, part, one))]


def _why(words: Words, part: Results, found: Differing) -> str:
    names = {"other": found.other, "baseline": found.baseline}
    if not found.reasons:
        return words("reasons.none", count=len(found.compared), **names) if found.compared else ""
    listed = [
        words(
            "reasons.one",
            measure=words.measure(one.measure),
            before=number(one.before),
            after=words.with_unit(number(one.after), words.unit(one.unit)),
        )
        for one in found.reasons[:_REASONS]
    ]
    load = words.load(found.reasons[0].load, part.load_kind)
    return words("reasons.why", load=load, differences=words.clauses(listed), **names)


def chance(material: Material) -> str:
    """Returns how many verdicts chance alone may make wrong; empty below two that rest on intervals.

    Recommendations rest on the verdicts of other hypotheses, and are no further chance.
    """
    results = material.results
    both = zip(material.study.hypotheses, results.hypotheses, strict=False)
    count = sum(bool(one.claims) and verdict.may_be_chance for one, verdict in both)
    if count < 2 or results.blocks_complete < results.gate.fewest:
        return ""
    wrong = expected_wrong_verdicts([results.gate.confidence] * count)
    return material.words("summary.chance", count=count, wrong=number(wrong, 2))


def biggest_doubt(material: Material) -> DoubtNote | None:
    """Returns the first of the most serious doubts; None without doubts."""
    return next(iter(by_severity(material.results.doubts)), None)


def directories(material: Material) -> str:
    """Returns the directories of the files under load."""
    study = material.study
    levels = dict.fromkeys(study.varied.get("storage.directory", (study.storage.directory,)))
    own = material.words("files-table.own-place")
    return ", ".join(own if level in (None, DEFAULT_PLACE) else str(level) for level in levels)


def server_name(material: Material) -> str:
    """Returns flavour and version as the runs found them; the study's word for it when no run has
    finished.
    """
    return ", ".join(servers(material)) or material.study.server.use


_UNDER_LOAD = {"server": server_name, "storage": directories}
