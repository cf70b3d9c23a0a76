"""Holds the sentences of a document's author against the outcomes in the parts beside them.

A sentence outside the marks is written by a person, who sees a difference of one per cent and says that
there is none. Equality is an outcome of its own, though: what is undecided may differ. This file finds
sentences that say more than the tables of their section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.experiments.document.folding import with_tables
from assay.experiments.document.marks import Piece, pieces_of
from assay.reporting.report import LANGUAGES, load_words

_HEADING = re.compile(r"^#+ ")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])|(?<=[。！？])")
_LIST = re.compile(r"\n(?=[-*] |\d+\. )")

SAME = {
    "en": re.compile(
        r"\bas (?:well|good|fast) as\b|\bor as good\b|\b(?:bring|change|cost)s? nothing\b|\bno effect\b"
        r"|\bmakes? no difference\b|\bno difference\b|\bare (?:equal|identical)\b|\b(?:do|does) not matter\b"
        r"|\bthe same (?:number of|throughput|latency|speed)\b"
    ),
    "zh": re.compile(r"一样(?:好|快)|一样。|没有差[别异]|没有好处|没有影响|没有带来|数相同（|不分先后"),
}
"""Words that say of two things that they are the same, by language."""

GREATER = {
    "en": re.compile(
        r"(?<!\bno )(?<!\bnot )\*?\b(?:faster|slower|quicker|better|worse|more|less|higher|lower)\b"
    ),
    "zh": re.compile(r"更[快慢高低好差多少]"),
}
"""Words that say of two things that one is ahead."""
_CERTAINLY = {
    "en": re.compile(r"(?<!\bno )(?<!\bnot )\*?\b(?:faster|slower|quicker)\b"),
    "zh": re.compile(r"更[快慢]"),
}
REFUTED = {"en": re.compile(r"\brefuted\b"), "zh": re.compile(r"被否定|不成立")}
_BY = {"en": re.compile(r"\bby (?:more than|over)\b|\bmargin\b"), "zh": re.compile(r"%|余量|幅度")}

_HEDGES = {
    "en": re.compile(
        r"\bundecided\b|\bnot decided\b|\bopen\b|\bmay\b|\bperhaps\b|\bcan (?:see|tell)\b|\bno proof\b"
        r"|\bcannot\b|\b[Ww]hether\b|\bshould\b"
    ),
    "zh": re.compile(r"未定|可能|未必|看不出|能看出|不能|并不等于|是否|有无|应无"),
}
"""Words of a sentence that leaves open what the outcome leaves open."""

_REPORTED = {
    "en": re.compile(r"(?:,? ?(?:where|while|as|which|what|that) )?\b[Tt]he report(?:'s)?\b[^,.;:]*"),
    "zh": re.compile(r"(?:报告|而报告)[^，。；：]*|与报告[^，。；：]*"),
}
"""Clauses about what another report says, which no outcome here has to bear out."""

_CLAUSES = {
    "en": re.compile(r"; | and |, but (?![^(]*\))"),
    "zh": re.compile(r"[，；](?![^（]*）)"),
}
"""What parts a sentence, outside of brackets: a hedge counts in its own clause."""

_TIMES = re.compile(r"\btimes as \w+ as\b|“[^”]*”|\"[^\"]*\"")
"""A factor, which says what it is, and words that are quoted."""

_DECIDED = ("better", "worse", "more", "less", "supported", "refuted")

_ENDS = re.compile(r"(\d[\d.,]*) (?:to|到) (\d[\d.,]*)")
_RATIO = re.compile(r"\[(?P<low>[\d.,]+), (?P<high>[\d.,]+)\] (?P<word>[^|]*?) *(?=\||$)")
_SAMENESS = re.compile(r"(?<!!)~|>=|<=|is flat|&gt;=|&lt;=")


@dataclass(frozen=True)
class Overstated:
    """A sentence that says more than the outcomes beside it: its place, the sentence, and why."""

    place: str
    sentence: str
    why: str


@dataclass(frozen=True)
class _Outcome:
    """An outcome in a part of a document: its word, the claim (empty for a comparison), and its interval's
    ends as the document has them.
    """

    word: str
    claim: str
    ends: frozenset[tuple[str, str]]


def overstated(path: Path) -> tuple[Overstated, ...]:
    """Returns the sentences of a document's author that its own filled parts do not bear out."""
    language = next((one for one in LANGUAGES if f".{one}" in path.name), LANGUAGES[0])
    found: list[Overstated] = []
    pieces = [with_tables(piece, path) for piece in pieces_of(path)]
    everywhere = [one for piece in pieces if piece.mark for one in _outcomes(piece, language)]
    for section in _sections(pieces):
        beside = [one for piece in section if piece.mark for one in _outcomes(piece, language)]
        for sentence in (of for piece in section if piece.mark is None for of in _sentences(piece)):
            if why := _why(sentence, beside, everywhere, language):
                found.append(Overstated(str(path), sentence, why))
    return tuple(found)


def _sections(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yields the pieces of every section, an author's text being cut at its headings."""
    section: list[Piece] = []
    for piece in pieces:
        if piece.mark is not None:
            section.append(piece)
            continue
        lines: list[str] = []
        for line in piece.lines:
            if _HEADING.match(line):
                yield [*section, Piece(tuple(lines))]
                section, lines = [], []
            else:
                lines.append(line)
        section.append(Piece(tuple(lines)))
    yield section


def _sentences(piece: Piece) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", "".join(piece.lines)):
        for item in _LIST.split(paragraph):
            whole = " ".join(item.split())
            yield from (one.strip() for one in _END.split(whole) if one.strip())


def _outcomes(piece: Piece, language: str) -> Iterator[_Outcome]:
    words = load_words(language)
    verdicts = {words(f"word.{name}"): name for name in ("supported", "refuted", "undecided")}
    compared = {
        words(f"word.{name}"): name
        for name in ("better", "worse", "same", "undecided", "more", "less", "estimate-only")
    }
    for line in piece.lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        said = [verdicts.get(cell.partition(" ")[2]) for cell in cells]
        if verdict := next((one for one in said if one), None):
            ends = frozenset(_plain(*one) for one in (*_ENDS.findall(line), *_BRACKETS.findall(line)))
            yield _Outcome(verdict, cells[0], ends)
            continue
        for one in _RATIO.finditer(line):
            word = compared.get(one["word"].strip().partition(" ")[2])
            if word is not None:
                yield _Outcome(word, "", frozenset({_plain(one["low"], one["high"])}))


_BRACKETS = re.compile(r"\[(\d[\d.,]*), (\d[\d.,]*)\]")


def _plain(low: str, high: str) -> tuple[str, str]:
    return low.rstrip(".,"), high.rstrip(".,")


def _why(sentence: str, beside: Sequence[_Outcome], everywhere: Sequence[_Outcome], language: str) -> str:
    """Returns why a sentence says too much; empty for one that does not.

    A sentence with the ends of an interval is about the outcomes `everywhere` that have these ends, any other
    about those `beside` it.
    """
    said = _REPORTED[language].sub("", sentence)
    ends = {_plain(*one) for one in _ENDS.findall(said)}
    own = [one for one in everywhere if one.ends & ends]
    for clause in _CLAUSES[language].split(_TIMES.sub("", said)):
        hedged = _HEDGES[language].search(clause)
        about = own or beside
        if not about or hedged:
            continue
        if SAME[language].search(clause) and not any(map(_is_sameness, about)):
            return "no outcome beside it is sameness: what is undecided may differ"
        if _CERTAINLY[language].search(clause) and not any(one.word in _DECIDED for one in about):
            return "no outcome beside it is decided: what is undecided may be the same"
    if REFUTED[language].search(said) and GREATER[language].search(said) and not _BY[language].search(said):
        refuted = [one for one in own if one.word == "refuted" and _has_margin(one.claim)]
        if any(_reaches_across_one(one.ends & ends) for one in refuted):
            return 'refuted is "by more than the margin": the interval reaches across 1'
    return ""


def _is_sameness(one: _Outcome) -> bool:
    return one.word == "same" or (one.word == "supported" and bool(_SAMENESS.search(one.claim)))


def _has_margin(claim: str) -> bool:
    return bool(re.search(r"(?:&[lg]t;|[<>])(?!=)", claim)) and " by " not in claim


def _reaches_across_one(ends: frozenset[tuple[str, str]] | set[tuple[str, str]]) -> bool:
    return any(float(low.replace(",", "")) < 1 < float(high.replace(",", "")) for low, high in ends)
