"""Says in sentences what was found of a disk, for its page and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from assay.base import wording
from assay.base.numbers import number, with_interval
from assay.base.printable import line
from assay.results.advice import lines_for, scaled
from assay.results.stats import fewest_blocks

if TYPE_CHECKING:
    from assay.reporting.report.words import Words
    from assay.results.advice import Advice, DiskDoubt, DiskJudged, LoadMeasured
    from assay.results.stats import ConfidenceInterval

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Line:
    """A line of my.cnf: `text` is `name = value`, `why` its reason with the figure. Without a value `text` is
    empty, and `why` says that it is not set.
    """

    text: str
    why: str


@dataclass(frozen=True)
class Row:
    """A row of a table, cell by cell, the first one its name."""

    cells: tuple[str, ...]


def headline(judged: DiskJudged, words: Words) -> str:
    """Returns the word for the disk with its commits a second, in a sentence."""
    fitness = judged.fitness
    if fitness.commits is None:
        return words("disk.nothing")
    grouped = ""
    if fitness.grouped is not None:
        grouped = words("disk.grouped", commits=_rate(fitness.grouped), count=fitness.in_a_group)
    said = {"commits": _rate(fitness.commits), "grouped": grouped}
    match fitness.word:
        case "unfit":
            return words(
                "disk.unfit-not-kept" if "not-kept" in fitness.against else "disk.unfit-slow", **said
            )
        case "too-short" if "too-few-blocks" not in fitness.against:
            return words("disk.too-short-course", **said)
        case "too-short":
            fewest = fewest_blocks(_CONFIDENCE)
            return words("disk.too-short", blocks=fitness.commits.n, fewest=fewest, **said)
        case "fit-unsteady":
            return words("disk.fit-unsteady", share=_percent(fitness.slow_share), **said)
        case word:
            return words(f"disk.{word}", **said)


def where(judged: DiskJudged, words: Words) -> str:
    """Returns disk, file system, machine and time in one line."""
    measured, place = judged.measured, judged.measured.place
    names = [" ".join(part for part in (one.name, one.model) if part) for one in place.disks]
    sizes = [one.size_bytes for one in place.disks if one.size_bytes]
    virtual = words("disk.virtual", name=line(place.virtualisation)) if place.virtualisation else ""
    return words(
        "disk.where",
        device=line(words.listed(names)) if names else words("disk.many-devices"),
        file_system=line(place.file_system),
        mount=line(place.mount),
        file=wording.sized(measured.file_bytes),
        size=wording.sized(sum(sizes)) if sizes else "–",
        host=line(place.host),
        kernel=line(place.kernel),
        virtual=virtual,
        began=f"{measured.began[:16].replace('T', ' ')} UTC",
        took=wording.duration(measured.took_s),
    )


def class_sentences(judged: DiskJudged, words: Words) -> str:
    """Returns what the disk is by its figures and by what the machine says, and whether they differ."""
    found = judged.classed
    if found.figures is None or found.read_us is None:
        said = [words("disk.class-no-figures")]
    else:
        said = [
            words(
                "disk.class-figures",
                figures=words(f"disk.is.{found.figures}"),
                read=time_words(found.read_us),
                most=_whole(found.most_reads or 0.0),
            )
        ]
    said.append(words("disk.class-facts", facts=words(f"disk.is.{found.facts}")))
    return words.sentences([*said, words("disk.class-disputed")] if found.is_disputed else said)


def kept_sentences(judged: DiskJudged, words: Words) -> tuple[str, str]:
    """Returns whether a synced write is kept, and why this is said."""
    measured = judged.measured
    commit, flushes = measured.commit, measured.flushes
    facts = {
        "each": number(flushes.each, 2) if flushes is not None else "–",
        "p50": time_words(commit.times.p50_us) if commit is not None else "–",
    }
    reasons = [words(f"disk.reason.{one}", **facts) for one in judged.durability.reasons]
    return words(f"disk.durable.{judged.durability.word}"), words.sentences(reasons)


def steady_sentence(judged: DiskJudged, words: Words) -> str:
    """Returns how steadily the disk wrote, and what a commit waited meanwhile."""
    course, share = judged.measured.course, judged.fitness.slow_share
    if course is None or share is None:
        return words("disk.steady-none")
    return words(
        "disk.steady-said",
        seconds=course_length(judged),
        median=_whole(median(course.pages)),
        least=_whole(min(course.pages)),
        share=_percent(share),
        p50=time_words(course.syncs.p50_us),
        p99=time_words(course.syncs.p99_us),
    )


def course_length(judged: DiskJudged) -> str:
    """Returns the length of the long window in words; a dash without one."""
    course = judged.measured.course
    if course is None:
        return "–"
    seconds = course.interval_s * len(course.pages)
    return wording.duration(seconds) if seconds >= 10 else f"{seconds:.2g} s"


def commit_rows(judged: DiskJudged) -> list[Row]:
    """Returns a row for each size of appends: commits a second, syncs a second, and the times of a sync."""
    return [_commit_row(one) for one in judged.measured.of("log")]


def _commit_row(one: LoadMeasured) -> Row:
    rate, commits, times = one.rate, one.load.commits, one.times
    grouped = _rate(scaled(rate, commits))
    spread = [time_words(us) for us in (times.p50_us, times.p99_us, times.p999_us, times.max_us)]
    return Row((size_words(one.load.block_bytes), grouped, _rate(rate), *spread))


def random_rows(judged: DiskJudged, words: Words) -> list[Row]:
    """Returns a row for each depth of random reads and writes."""
    return [
        Row(
            (
                words(f"disk.load.{kind}s"),
                str(one.load.depth),
                _rate(one.rate),
                number(round(one.rate.value * one.load.block_bytes / (1 << 20), 1)),
                time_words(one.times.p50_us),
                time_words(one.times.p99_us),
            )
        )
        for kind in ("read", "write")
        for one in judged.measured.of(kind)
    ]


def setting_lines(judged: DiskJudged, words: Words) -> list[Line]:
    """Returns the lines of my.cnf with their reasons, and what is not set."""
    return [_line(one, words) for one in lines_for(judged)]


def _line(advice: Advice, words: Words) -> Line:
    if advice.value is None or advice.decision is None:
        return Line("", words("disk.not-set", setting=advice.setting))
    key = f"disk.why.{advice.setting}"
    if advice.setting == "innodb_flush_neighbors":
        key = f"{key}-{advice.value}"
    decision = advice.decision
    figure = with_interval(decision.figure, decision.low, decision.high)
    why = words(key, figure=figure)
    if not decision.is_firm:
        few = words("disk.estimate", blocks=min(decision.blocks), fewest=decision.fewest)
        why = words.clauses([why, few])
    return Line(f"{advice.setting} = {advice.value}", why)


def doubts_of_lines(judged: DiskJudged, words: Words) -> list[str]:
    """Returns the doubts about all lines of my.cnf, which rest on the same measurement."""
    return [doubt_sentence(one, words) for one in judged.doubts if one.severity != "note"]


def doubt_sentence(doubt: DiskDoubt, words: Words) -> str:
    """Returns a doubt with its figures."""
    facts = {name: line(value) if isinstance(value, str) else value for name, value in doubt.facts.items()}
    if doubt.kind == "of-the-engine":
        facts["of"] = words.get(f"doubt.{facts['of']}", str(facts["of"]))
    return words(f"disk.doubt.{doubt.kind}", **facts)


def how_sentences(judged: DiskJudged, words: Words) -> Sequence[str]:
    """Returns how the disk was measured."""
    measured = judged.measured
    blocks = max((len(one.rates) for one in measured.loads), default=0)
    direct = words(f"disk.direct-{'yes' if measured.direct else 'no'}")
    file = wording.sized(measured.file_bytes)
    said = [
        words("disk.how-said", blocks=blocks, file=file, direct=direct),
        words("disk.interval", blocks=blocks),
    ]
    return [words("disk.interrupted"), *said] if measured.interrupted else said


def time_words(us: float) -> str:
    """Returns a time with its unit and three digits: `87 µs`, `1.25 ms`, `2.1 s`."""
    for limit, scale, unit in ((1e3, 1.0, "µs"), (1e6, 1e3, "ms")):
        if us < limit:
            return f"{us / scale:.3g} {unit}"
    return f"{us / 1e6:.3g} s"


def size_words(count: int) -> str:
    """Returns the size of one operation: `512 B`, `16 KiB`."""
    return f"{count >> 10} KiB" if count % 1024 == 0 else f"{count} B"


def _rate(found: ConfidenceInterval) -> str:
    return with_interval(found.value, found.low, found.high)


def _whole(value: float) -> str:
    return number(round(value))


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f}"
