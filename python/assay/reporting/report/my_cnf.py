"""Writes fragments of my.cnf: the settings that studies advise, and as comments what they found of the
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.numbers import ratio_with_interval
from assay.base.printable import line
from assay.reporting.report.explain import doubts_beside
from assay.reporting.report.material import UNFIT, Material
from assay.reporting.report.words import Words, suffix
from assay.results.advice import RISKS

if TYPE_CHECKING:
    from assay.results.advice import Effect, Finding, ServerAdvice, SettingConclusion, TriedLevel

LISTED = ("worth-a-study", "no-difference", "depends", "undecided")
"""Conclusions that are lists at the end of a fragment."""
COMMENTED = ("risky", "withheld")
"""Conclusions whose settings were better, and are comments all the same."""


@dataclass(frozen=True)
class Fragment:
    """A fragment for one server. `file` is its path in the results folder; `remarks` are sentences that list
    what is not set.
    """

    title: str
    file: str
    text: str
    remarks: tuple[str, ...]


def fragments(material: Material) -> list[Fragment]:
    """Returns one fragment for each server that the study's comparisons advise."""
    words, of_language = material.words, suffix(material.words.language)
    return [
        Fragment(
            title=server_name(advice),
            file=f"settings/{UNFIT.sub('-', f'{advice.flavour}-{advice.version}')}{of_language}.cnf",
            text=my_cnf(advice, words),
            remarks=tuple(remarks(advice, words)),
        )
        for advice in material.advice
    ]


def server_name(advice: ServerAdvice) -> str:
    """Returns flavour and version of a server."""
    return line(f"{advice.flavour} {advice.version}".strip())


def my_cnf(advice: ServerAdvice, words: Words) -> str:
    """Returns the fragment for one server.

    A setting that risks something, or whose risk is not known, settings in conflict, and everything that is
    not decided are comments.
    """
    concluded = advice.conclusions()
    lines = [*_head(advice, words), f"[{advice.section}]"]
    for one in concluded:
        if one.conclusion not in LISTED:
            lines += ["", *_setting(one, words)]
    for conclusion in LISTED:
        some = [one for one in concluded if one.conclusion == conclusion]
        lines += ["", f"# {words(f'advice.{conclusion}')}:"] if some else []
        lines += [
            f"#   {said}" for one in some for finding in one.findings for said in _found(finding, words)
        ]
    return "\n".join(lines) + "\n"


def remarks(advice: ServerAdvice, words: Words) -> Iterator[str]:
    """Yields a sentence for each conclusion that sets nothing, with its settings."""
    for conclusion in (*COMMENTED, "conflict", *LISTED):
        found = [
            line(level)
            for one in advice.conclusions()
            if one.conclusion == conclusion
            for level in _levels(one)
        ]
        if found:
            said = words.listed(dict.fromkeys(found))
            yield words("advice.remark", what=words(f"advice.{conclusion}"), settings=said)


def effects_of(level: TriedLevel, words: Words) -> Iterator[tuple[str, str]]:
    """Yields each measure of a level with its ratios in words."""
    for measure in dict.fromkeys(one.measure for one in level.effects):
        some = [_effect(one, words) for one in level.effects if one.measure == measure]
        yield measure, words.listed(some)


def durability_words(conclusion: SettingConclusion, words: Words) -> str:
    """Returns the durability classes of the advised settings."""
    return words.listed(words(f"advice.durability.{one}") for one in conclusion.durability)


def _head(advice: ServerAdvice, words: Words) -> Iterator[str]:
    yield f"# {server_name(advice)}"
    for source in advice.sources:
        yield f"# {words('advice.study', study=line(source.study), blocks=source.blocks)}"
    for name, each in advice.differing.items():
        said = "; ".join(f"{line(source.study)}: {line(text)}" for source, text in each)
        yield f"# {words('advice.differ', what=words(f'advice.condition.{name}'), each=said)}"
    yield f"# {words('advice.ratio')}"
    if not advice.names_known:
        yield f"# {words('advice.names')}"


def _setting(one: SettingConclusion, words: Words) -> Iterator[str]:
    """Yields the lines of a setting that is advised, or on which studies disagree."""
    if one.conclusion == "conflict":
        yield f"# {words('advice.conflict')}:"
    for finding in one.findings:
        if finding.choice.outcome == "keep":
            yield f"# {line(finding.source.study)}: {words('advice.keep', level=line(finding.choice.level))}"
        yield from (f"# {said}" for said in _found(finding, words))
    if doubts := _doubts(one, words):
        yield f"# {doubts}"
    if one.conclusion == "conflict":
        return
    key = "risk" if set(one.durability) & set(RISKS) else "class"
    yield f"# {words(f'advice.{key}', classes=durability_words(one, words))}"
    if one.conclusion in COMMENTED:
        yield f"# {words(f'advice.not-set.{one.conclusion}')}"
    mark = "# " if one.conclusion in COMMENTED else ""
    yield from (line(f"{mark}{name} = {value}") for name, value in one.settings.items())


def _doubts(one: SettingConclusion, words: Words) -> str:
    """Returns the kinds of the doubts about all effects of the levels that a conclusion is about."""
    decisions = [
        effect.decision
        for finding in one.findings
        for level in finding.choice.levels
        for effect in level.effects
    ]
    return doubts_beside(words, *decisions)


def _found(finding: Finding, words: Words) -> Iterator[str]:
    """Yields what a study measured: of the level that it takes, otherwise of every level that it compared."""
    taken = finding.choice.outcome == "take"
    for level in (finding.choice.level,) if taken else finding.choice.levels:
        for measure, effects in effects_of(level, words):
            study, text = line(finding.source.study), line(level)
            yield words("advice.tried", study=study, level=text, measure=measure, effects=effects)


def _effect(one: Effect, words: Words) -> str:
    load, ratio = words.load(one.load, one.load_kind), ratio_with_interval(one.ratio, one.low, one.high)
    if one.workload is None:
        return words("advice.effect", ratio=ratio, load=load)
    return words("advice.effect-of", ratio=ratio, load=load, workload=line(one.workload))


def _levels(one: SettingConclusion) -> Sequence[TriedLevel]:
    """Returns the levels that a conclusion is about."""
    if one.conclusion in ("no-difference", "conflict"):
        return [level for finding in one.findings for level in finding.choice.levels]
    return [finding.choice.level for finding in one.findings]
