"""Plain readings of claims: what a formula says, in words; the common forms, others stay formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.numbers import number
from assay.design.study import level_text, unit_of
from assay.design.study.claims import Among, ComparisonClaim, CourseClaim, Figure, Quotient, Term
from assay.reporting.report.figures import unit_words
from assay.reporting.report.labels import factor_of

if TYPE_CHECKING:
    from assay.design.study import Claim, ClaimPart, Hypothesis
    from assay.design.study.claims import Band, Link
    from assay.reporting.report.material import Material
    from assay.reporting.report.words import Words

_NAMES = {">": "gt", "<": "lt", ">=": "ge", "<=": "le", "~": "about", "!~": "unlike"}


def reading(material: Material, hypothesis: Hypothesis) -> str:
    """Returns what a hypothesis claims in words; where one of its claims has no plain reading, the formula,
    and of a recommendation its text.
    """
    found = [_claim(material, one) for one in hypothesis.claims]
    if not found or not all(found):
        return hypothesis.text
    return material.words.clauses(one for one in found if one)


def measure_words(material: Material, name: str) -> str:
    """Returns a measure's name as it stands within a sentence."""
    words = material.words
    said = words.get(f"answer.measure.{name}", "") or words.measure(name)
    return said[0].lower() + said[1:] if words.language == "en" and said[1:2].islower() else said


def measure_title(material: Material, name: str) -> str:
    """Returns a measure's name as it begins a sentence."""
    said = measure_words(material, name)
    return begun(material.words, said)


def begun(words: Words, text: str) -> str:
    """Returns a text with a capital letter where it begins with a word, and not with a name: `With the
    index`, `index=on`.
    """
    first = text.split(" ")[0]
    is_word = words.language == "en" and first.isalpha() and first.islower()
    return text[0].upper() + text[1:] if is_word else text


def _claim(material: Material, claim: Claim) -> str | None:
    words = material.words
    found = [_part(material, part) for part in claim.parts]
    if claim.window is not None or not all(found):
        return None
    said = words(f"reading.{claim.joined}").join(one for one in found if one)
    return said if claim.at is None else words("reading.within", said=said, at=str(claim.at)[3:])


def _part(material: Material, part: ClaimPart) -> str | None:
    match part:
        case ComparisonClaim(over=None):
            found = [_link(material, link) for link in part.links]
            return material.words("reading.and").join(one for one in found if one) if all(found) else None
        case CourseClaim(side=Term() as term, by=None):
            where = _pieces(material, term)
            if where is None:
                return None
            key = part.direction.replace(" ", "-")
            measure = measure_words(material, term.measure)
            axis = material.words.get(f"load.{part.axis}", str(part.axis))
            return _at(material, where, material.words(f"reading.{key}", measure=measure, axis=axis))
    return None


def _link(material: Material, link: Link) -> str | None:
    words, relation = material.words, _NAMES[link.relation]
    match link.left, link.right:
        case Term() as term, Figure(value=value):
            where = _pieces(material, term)
            unit = unit_words(words, unit_of(term.measure))
            measure, figure = measure_words(material, term.measure), f"{number(value)} {unit}".strip()
            what = words(f"reading.figure-{relation}", measure=measure, figure=figure)
            return None if where is None else _at(material, where, what)
        case Quotient(numerator=one, denominator=other) as quotient, Figure(value=value):
            if quotient.of_measures:
                return None
            measure = measure_words(material, one.measure)
            what = words(f"reading.ratio-{relation}", measure=measure, ratio=number(value))
            return _pair(material, one, other, what)
        case Term() as one, Term() as other:
            if one.measure != other.measure:
                return None
            measure = measure_words(material, one.measure)
            if link.by is None:
                return _pair(material, one, other, words(f"reading.order-{relation}", measure=measure))
            what = words(f"reading.order-{relation}-by", measure=measure, by=_band(material, link.by))
            return _pair(material, one, other, what)
    return None


def _band(material: Material, by: Band) -> str:
    words, unit = material.words, "percent" if by.unit == "%" else "times"
    if by.high is None:
        return words(f"reading.{unit}-or-more", low=level_text(by.low))
    ends = words("answer.span", low=level_text(by.low), high=level_text(by.high))
    return words(f"reading.{unit}", ends=ends)


def _pair(material: Material, one: Term, other: Term, what: str) -> str | None:
    left, right = _pieces(material, one), _pieces(material, other)
    if left is None or right is None:
        return None
    common = [piece for piece in left if piece in right]
    sides = [[piece for piece in of if piece not in common] for of in (left, right)]
    if not all(sides):
        return None
    words = material.words
    said = words("reading.pair", left=words.listed(sides[0]), right=words.listed(sides[1]), what=what)
    return _at(material, common, said)


def _at(material: Material, where: list[str], what: str) -> str:
    return material.words("reading.at", where=material.words.listed(where), what=what) if where else what


def _pieces(material: Material, term: Term) -> list[str] | None:
    """Returns the levels and the load that a term selects; None for a term that words do not fit."""
    if term.summary is not None or term.window is not None:
        return None
    found = []
    for name, level in term.selector.levels:
        factor = factor_of(material, name)
        if factor is None or isinstance(level, Among):
            return None
        found.append(factor.label(level_text(level), material.words.language))
    if term.selector.load is not None:
        found.append(material.words.load(term.selector.load, term.selector.load_kind))
    return found
