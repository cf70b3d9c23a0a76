"""Doubts about the study as a whole, each stated once however many runs it is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import duckdb
import numpy as np

from assay.base.tally import SHARES, fewest_operations
from assay.base.wording import counted
from assay.design.study import Study, parted
from assay.results.stats import FEWEST_SECONDS, expected_false_alarms
from assay.results.verdict.compared import Comparison, distinct
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.fairness import differing_variables, inequalities, read_settings
from assay.results.verdict.fairness.variables import BUILD
from assay.results.verdict.results import DoubtNote, Severity
from assay.results.verdict.treatments import treatments_of

#: Settings that a doubt names; a table has all.
NAMED = 5


def failed_runs(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt for each failed run, which is left out of every number."""
    query = "SELECT run_id, failure_message FROM runs WHERE status = 'failed' ORDER BY run_id"
    for run, message in store.execute(query).fetchall():
        reason = message or "no reason recorded"
        said = f"the run failed and is left out: {reason}"
        yield DoubtNote("failed-run", said, run, None, "warning", {"reason": reason})


def doubt_of_removed_runs(count: int) -> DoubtNote:
    """Returns the doubt that runs had ended and are no longer in the folder."""
    message = (
        f"{counted(count, 'run')} of this study ended and {'is' if count == 1 else 'are'} no longer in the"
        " folder: whoever removes runs chooses among results"
    )
    return _study("removed-runs", message, "warning", count=count)


def failed_attempts(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt for each treatment with failed runs that were repeated: its figures are of survivors."""
    query = (
        "SELECT treatment, count(*), arg_max(failure_message, started_ns) FROM attempts"
        " WHERE status = 'failed' GROUP BY treatment ORDER BY treatment"
    )
    for treatment, count, last in store.execute(query).fetchall():
        reason = last or "no reason recorded"
        message = (
            f"{counted(count, 'earlier run')} of {treatment} failed and {'was' if count == 1 else 'were'}"
            f" done again (the last: {reason}): its figures are of the runs that survived"
        )
        facts = {"count": count, "treatment": treatment, "reason": reason}
        yield _study("failed-attempts", message, "warning", **facts)


def unknown_settings(study: Study) -> Iterator[DoubtNote]:
    """Yields a doubt about settings of the machine that an earlier version made, and this one cannot make."""
    if names := ", ".join(study.unknown_settings):
        message = f"this assay has no such setting and shows it as it was recorded: {names}"
        yield _study("unknown-setting", message, "note", names=names)


def missing_blocks(study: Study, complete: int, fewest: int) -> Iterator[DoubtNote]:
    """Yields a doubt when there are fewer blocks than planned, or too few for a verdict."""
    planned = study.design.blocks
    if complete < planned:
        message = f"{complete} of {planned} blocks are complete; running the study again adds what is missing"
        yield _study("missing-blocks", message, "warning", complete=complete, planned=planned)
    if planned < fewest:
        blocks = "1 block gives" if planned == 1 else f"{planned} blocks give"
        message = f"{blocks} estimates only: {fewest} are needed for a verdict"
        yield _study("few-blocks", message, "note", planned=planned, fewest=fewest)


def debug_engine(rungs: Sequence[RungSeen]) -> Iterator[DoubtNote]:
    """Yields a doubt when the engine was a debug build, which measures mostly itself."""
    if any(rung.columns["engine_build"] == "debug" for rung in rungs):
        message = "the engine is a debug build: its figures must not be used; build it with `make engine`"
        yield _study("debug-build", message, "invalid")


def shared_history(study: Study) -> Iterator[DoubtNote]:
    """Yields a doubt when a running server was used, which is not restarted and keeps its data between
    runs.
    """
    running = [use for use in study.servers if use.startswith("dsn:")]
    if running:
        message = (
            "the runs share the history of a server that was running already: it was not restarted and its"
            " data were not restored in between, so blocks are not independent and intervals over them are"
            " too narrow"
        )
        yield _study("shared-history", message, "warning", servers=len(running))


def set_while_running(study: Study) -> Iterator[DoubtNote]:
    """Yields a doubt when variables were varied at a running server, which is not restarted for them."""
    prefix = "server.dynamic."
    varied = [key.removeprefix(prefix) for key in study.varied if key.startswith(prefix)]
    if varied and any(use.startswith("dsn:") for use in study.servers):
        names = ", ".join(dict.fromkeys(varied))
        message = (
            f"{names}: set while the server ran, so what a value does from a start on is not in these"
            " figures, and each treatment began with the buffer pool, the caches and the unfinished work that"
            " the one before it had left"
        )
        yield _study("set-while-running", message, "warning", names=names)


def not_fresh_data(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt, once each, about tables that the lab did not restore, or saw changed."""
    query = "SELECT DISTINCT message FROM doubts WHERE kind = 'not-fresh-data' ORDER BY message"
    for (message,) in store.execute(query).fetchall():
        yield _study("not-fresh-data", message, "warning", reason=message)


def unfair(study: Study, store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts for a study that demands fairness when its servers differ in settings it does not
    vary.
    """
    if study.design.fair != "strict":
        return
    found = inequalities(treatments_of(study, store), read_settings(store))
    unfair = [one.subject.spoken for one in found if not one.varied]
    if unequal := ", ".join(unfair):
        message = (
            "the study demands fairness, and its servers are unequal in what it does not vary:"
            f' {unequal}; the table "fairness" has the values'
        )
        yield _study("unfair", message, "invalid", count=len(unfair))


def unequal(study: Study, store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts about settings that differ although the study varies neither them nor anything they
    follow from.

    Different builds differ in hundreds of variables; of these, only those that make a comparison unfair
    count.
    """
    if study.design.fair == "strict":
        return  # `unfair` says it
    treatments = treatments_of(study, store)
    if BUILD in study.varied:
        unfair = inequalities(treatments, read_settings(store))
        names = [one.subject.spoken for one in unfair if not one.varied]
    else:
        found = differing_variables(study, treatments, store)
        names = [one.variable for one in found if one.state == "unequal"]
    if names:
        shown = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
        message = (
            f"the servers are unequal in what the study does not vary ({len(names)}: {shown}): it may"
            " explain a difference"
        )
        yield _study("unequal", message, "warning", count=len(names), names=shown)


def loaded_differently(study: Study, store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt when rows were loaded in different ways although the study did not ask for it."""
    if "experiment.way" in study.varied:
        return
    query = (
        "SELECT facts.value, list(DISTINCT runs.treatment ORDER BY runs.treatment)"
        " FROM facts JOIN runs USING (run_id)"
        " WHERE facts.scope = 'experiment' AND facts.key = 'loaded_as' AND runs.status = 'complete'"
        " GROUP BY facts.value ORDER BY facts.value"
    )
    if len(ways := store.execute(query).fetchall()) > 1:
        shown = "; ".join(f"{way}: {', '.join(treatments)}" for way, treatments in ways)
        message = (
            f"rows were loaded in different ways ({shown}): set [experiment] way to one of"
            ' them, such as "insert"'
        )
        yield _study("loaded-differently", message, "warning", ways=shown)


def one_binary(study: Study, store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt where builds are compared of which one has a single binary: no block draws how that was
    linked.
    """
    if BUILD not in study.varied:
        return
    found: dict[str, set[str]] = defaultdict(set)
    query = (
        "SELECT treatment, server_sha256 FROM runs WHERE status = 'complete' AND server_sha256 IS NOT NULL"
    )
    for treatment, sha256 in store.execute(f"{query} ORDER BY block, position").fetchall():
        found[treatment].add(sha256)
    single = [treatment for treatment, hashes in found.items() if len(hashes) == 1]
    if single and len(set.union(*found.values())) > 1:
        said = f"{single[0]} and {counted(len(single) - 1, 'other')}" if len(single) > 1 else single[0]
        message = (
            f"builds are compared, and one binary stands for that of {said}: how it happens to be linked and"
            " laid out is in its figures, and in no interval"
        )
        yield _study("one-binary", message, "note", treatment=single[0], count=len(single))


def few_operations(study: Study, rungs: Sequence[RungSeen]) -> Iterator[DoubtNote]:
    """Yields a doubt, by load, about high percentiles of few operations, of those that claims and gates are
    about; without any, of those that the study compares.
    """
    claims = (*study.hypotheses, *(one.hypothesis for one in study.gates))
    named = {parted(term.measure)[1] for one in claims for term in one.terms} or {*study.headlines}
    measures = {name.replace("_", "."): f"{name}_ms" for name in SHARES}
    enough = {name: fewest_operations(one) for name, one in measures.items() if one in named}
    for load in dict.fromkeys(rung.load for rung in rungs):
        fewest = min(
            (rung for rung in rungs if rung.load == load), key=lambda rung: rung.number("transactions")
        )
        least, treatment = int(fewest.number("transactions")), str(fewest.columns["treatment"])
        weak = [f"{name} (needs {needed:,})" for name, needed in enough.items() if least < needed]
        if weak:
            too_few = f"too few for {' and '.join(weak)}"
            message = f"a run of {treatment} has only {least:,} transactions: {too_few}"
            short_of = ", ".join(name for name, needed in enough.items() if least < needed)
            facts: dict[str, str | float] = {"least": least, "percentiles": short_of, "treatment": treatment}
            yield DoubtNote("few-operations", message, None, load, "note", facts)


def short_windows(rungs: Sequence[RungSeen]) -> Iterator[DoubtNote]:
    """Yields a doubt when windows are too short to tell whether they were steady."""
    if short := sum(rung.tps.size < FEWEST_SECONDS for rung in rungs):
        windows = "measured window is" if short == 1 else "measured windows are"
        message = (
            f"{short} {windows} under {FEWEST_SECONDS} s: too short to tell whether throughput was steady"
        )
        facts = {"count": short, "seconds": FEWEST_SECONDS}
        change = _change_to_the_end(rungs)
        yield _study(
            "window-too-short", message, "note", **facts, **({} if change is None else {"change": change})
        )


def _change_to_the_end(rungs: Sequence[RungSeen]) -> float | None:
    """Returns how far the throughput of the last second lies from that of the window, over the blocks of the
    treatment and load point where it is most; None where a second had none. Had windows gone on, this is what
    they would have shown.
    """
    apart: dict[tuple[object, float], list[float]] = defaultdict(list)
    for rung in rungs:
        if 0 < rung.tps.size < FEWEST_SECONDS:
            if rung.tps[-1] <= 0:
                return None
            apart[rung.columns["treatment"], rung.load].append(float(np.log(rung.tps[-1] / rung.tps.mean())))
    means = [float(np.mean(one)) for one in apart.values()]
    return float(np.expm1(max(map(abs, means)))) if means else None


_FEW_BY_CHANCE = 0.1
"""Share of the comparisons that are called better or worse, up to which it does not matter that chance alone
would call so many.
"""


def chance(comparisons: Sequence[Comparison], confidence: float) -> Iterator[DoubtNote]:
    """Yields a doubt when so many comparisons were made that some would look different by chance."""
    judged = [c for c in distinct(comparisons) if c.word != "estimate-only"]
    different = sum(c.word in ("better", "worse") for c in judged)
    alarms = expected_false_alarms(len(judged), confidence)
    if different and len(judged) > 1 and alarms > _FEW_BY_CHANCE * different:
        called = f"{different} {'is' if different == 1 else 'are'} called better or worse"
        message = (
            f"of {len(judged)} comparisons {called}; if nothing differed at all, chance alone would make at"
            f" most {alarms:.1f} such calls"
        )
        counts = {"judged": len(judged), "different": different, "alarms": alarms}
        yield _study("many-comparisons", message, "note", **counts)


def _study(kind: str, message: str, severity: Severity, **facts: str | float) -> DoubtNote:
    return DoubtNote(kind, message, None, None, severity, facts)
