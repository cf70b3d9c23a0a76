"""Says what was compared and how, what a reader must know first, and which costs differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.numbers import number, with_interval
from assay.design.study import HIGHER_IS_BETTER, file_hashes, is_script
from assay.reporting.report import imported
from assay.reporting.report.first_look import first_sentences, looks_of
from assay.reporting.report.headline import answer_measure
from assay.reporting.report.labels import labels
from assay.reporting.report.ledger_sentences import Telling, told_of
from assay.reporting.report.material import Material
from assay.reporting.report.readings import begun, measure_words
from assay.reporting.report.records.matrix import sees
from assay.reporting.report.records.plans import seen_plans
from assay.reporting.report.records.runs import servers
from assay.reporting.report.records.screening import advised
from assay.reporting.report.where import directories
from assay.results.stats import expected_wrong_verdicts
from assay.results.verdict import COUNTERS, shifts_of, watched_shares

if TYPE_CHECKING:
    from assay.design.study import Study
    from assay.results.verdict import Differing, Results


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
    measure = answer_measure(material) if workload is None else material.throughput
    measure = measure if measure in HIGHER_IS_BETTER else material.throughput
    best = max((e for e in part.estimates if e.measure == measure), key=lambda e: e.value, default=None)
    if best is None:
        return []
    found = {
        "measure": measure_words(material, best.measure),
        "treatment": best.treatment,
        "load": material.load_words(best.load),
        "value": with_interval(best.value, best.low, best.high),
        "unit": material.words.unit(best.unit),
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


_REASONS = 3


def why(material: Material) -> list[str]:
    """Returns for each treatment what its difference is made of, where the server was watched for that, and
    otherwise what differs most clearly in the cost of one operation, or that nothing does; nothing where
    nothing of the server was compared.
    """
    return [
        said
        for part in material.parts()
        for one in part.results.differing
        if (said := _ledgers(part, one) or _why(part, one))
    ]


def _ledgers(part: Material, found: Differing) -> str:
    """Returns where to look first at a pair of treatments, and the sentences of their ledgers without that of
    counters; "" where no ledger but that has a line that moved.
    """
    shifts = [one for one in shifts_of(part.results, found.other) if one.baseline == found.baseline]
    how = Telling.of(part.results, part.words, labels(part))
    told = told_of([one for one in shifts if one.ledger != COUNTERS], how)
    if not told:
        return ""
    shares = watched_shares(part.cursor(), part.study.verdict.confidence)
    looks = looks_of(shifts, seen_plans(part), shares, how.needed)
    return part.words.sentences([*first_sentences(looks, shifts, how), told])


def _why(part: Material, found: Differing) -> str:
    words, names = part.words, labels(part)
    sides = {"other": begun(words, names.get(found.other, found.other))}
    sides["baseline"] = names.get(found.baseline, found.baseline)
    if not found.reasons:
        return words("reasons.none", count=len(found.compared), **sides) if found.compared else ""
    listed = [
        words(
            "reasons.one",
            measure=words.measure(one.measure),
            before=number(one.before),
            after=words.with_unit(number(one.after), words.unit(one.unit)),
        )
        for one in found.reasons[:_REASONS]
    ]
    load = part.load_words(found.reasons[0].load)
    return words("reasons.why", load=load, differences=words.clauses(listed), **sides)


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


def server_name(material: Material) -> str:
    """Returns flavour and version as the runs found them; the study's word for it when no run has
    finished.
    """
    return ", ".join(servers(material)) or material.study.server.use


_UNDER_LOAD = {"server": server_name, "storage": directories}
