"""Judges sentences about a change, such as "compared with v1 the throughput of v2 is reduced by 3.3 %".

A sentence names two levels of one factor, a direction, and often a size. The tables that have both levels
answer it: with the mean and the range of the changes at all load points.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.base.numbers import number
from assay.results.audit.claims.judge import ComparisonCount, Miss
from assay.results.audit.claims.measures import RATES
from assay.results.audit.figure import Figure, parse_figure
from assay.results.audit.metrics import is_comparison, role_of
from assay.results.audit.model import Cell, Levels
from assay.results.audit.selecting import rungs_of

_MORE = r"increas|rise|risen|rose|grow|higher|more\b|增加|上升|升高|增长|増加|증가"
_LESS = r"decreas|reduc|lower|drop|declin|fall|fell|fewer|less\b|shrink|下降|降低|减少|減少|低下|감소"
_GOOD = r"improv|better|faster|gain|boost|outperform|speed.?up|提升|提高|改善|更快|向上|향상"
_BAD = r"degrad|worse|slower|regress|los(?:t|es|ing)\b|变慢|更慢|劣化|退化"
_WAY = re.compile(f"(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<good>{_GOOD})|(?P<bad>{_BAD})", re.IGNORECASE)
_SIZE = re.compile(
    r"(?:(?<![\w.])(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>%|x\b|times\b|-?fold\b|percent\b|倍|per cent\b)"
    r"|\b(?P<word>twice|double[sd]?|triple[sd]?|half|halve[sd]?)\b)"
    r"(?!\s*(?:latenc|percentile|response|quantile|线|延迟|响应))"
)
_WORDS = {"twi": (1, "2.0"), "dou": (1, "2.0"), "tri": (1, "3.0"), "hal": (-1, "2.0")}
_SAME = re.compile(
    r"\bno (?:\w+ )?difference|\bperforms? (?:just )?(?:equally|alike|the same)"
    r"|\b(?:is|are) (?:on par|as fast|equally fast)|\bthe same (?:performance|throughput|latency|tps|qps)"
    r"|没有(?:明显|显著)?(?:差别|差异|区别)|持平|性能(?:相同|一样|相当)",
    re.IGNORECASE,
)
_PERFORMANCE = re.compile(
    r"perform|through|\btps\b|\bqps\b|\biops\b|faster|slower|speed|transactions|queries|latenc|response|tpmc|nopm"
    r"|性能|吞吐|延迟|响应|更快|更慢",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"memory|\bram\b|disk|space|storage|\bcpus?\b|power|cost|price|\bsizes?\b|amplif|error|code|compress"
    r"|load time|\bwrites?\b|\breads?\b|threads?\b.*\b(?:more|fewer)|内存|磁盘|空间|成本|体积|错误",
    re.IGNORECASE,
)
"""What a sentence may be about that is no rate and no latency."""
_NOT = re.compile(r"\b(?:not|no|never|nor|without|neither)\b|n't\b|没有|不会|並未", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:if|when|should|would|might|may|could|expect\w*|probabl[ey]|usually|often|sometimes|earlier|nearly|almost|except"
    r"|wenn|sollte|könnte|außer|si|devrait|sauf)\b|如果|可能|应该|除了|通常",
    re.IGNORECASE,
)
"""Words of a condition or a guess."""
_BASE_NEXT = re.compile(
    r"(?:\b(?:compared (?:with|to)|in comparison (?:with|to)|relative to|than|as|over|against|versus|vs\.?)"
    r"|\b(?:from|beyond|outperform(?:s|ed)?|beats?|exceeds?|gegenüber)|相比于?|相较于?|对比|比|较|从)"
    r"(?P<gap>(?:\s+\w+){0,3})\s*$",
    re.IGNORECASE,
)
"""What stands before the level that another one is compared with."""
_BASE_AFTER = re.compile(r"[\s的]*(?:版本)?(?:相比|相较|と比較|に比べ|と比べ|より|に対し|에 비해|보다|대비)")
"""What stands behind it, in languages that put it there."""
_LATENCY = re.compile(
    r"latenc|response time|\bp9\d|percentile|延迟|响应时间|时延|レイテンシ|지연", re.IGNORECASE
)
_BOUND = re.compile(r"(?:up to|at most|as much as|最多|最高|高达)\W*$")
_CLAUSES = re.compile(r"[;；。]\s*|\.\s+|,\s+and\s+|,?\s+(?:while|whereas|but)\s+|，(?:而|但)")
_AS_SAME = 5.0  # per cent, as in other claims about printed figures
_ABOUT = 0.1  # of a factor: "twice" is 1.8 to 2.2 times
_SLACK = 0.25
"""Points of per cent that a stated change may lie outside of the printed ones, beside its rounding."""


def is_of_a_change(text: str) -> bool:
    """Returns whether a sentence may state how one level compares with another."""
    return any(_change(clause) is not None for clause in _CLAUSES.split(text))


def is_left_out(text: str) -> bool:
    """Returns whether a sentence is about something else than rates and times, negated or conditional."""
    is_of_others = _OTHERS.search(text) is not None and _PERFORMANCE.search(text) is None
    return is_of_others or _NOT.search(text) is not None or _HEDGE.search(text) is not None


@dataclass(frozen=True)
class _Change:
    """A statement about a change: which way the metric goes (0: no way), and by how much where stated."""

    way: int
    size: Figure | None
    scale: Figure | None  # the size as a factor: "2.5 times"
    is_bound: bool  # "up to"
    is_latency: bool

    @property
    def stated(self) -> float | None:
        if self.size is not None:
            return self.way * self.size.value
        return None if self.scale is None else 100 * (self.scale.value**self.way - 1)

    @property
    def room(self) -> float:
        """The points of per cent that the statement's rounding leaves."""
        if self.size is not None:
            return self.size.step + _SLACK
        return _SLACK if self.scale is None else 100 * max(self.scale.step / 2, _ABOUT * self.scale.value)


@dataclass(frozen=True)
class _Pair:
    """Two figures that a sentence compares, in one row of a table but for the factor."""

    base: Cell
    subject: Cell

    @property
    def change(self) -> float:
        """The change in per cent."""
        return 100 * (self.subject.value / self.base.value - 1)


def tried_in_words(
    text: str, scope: str, known: Mapping[str, set[str]], cells: Sequence[Cell]
) -> ComparisonCount:
    """Compares what sentences say about a change with the tables; none asked where they say nothing of it."""
    result = ComparisonCount()
    levels = _levels(text, known)
    for clause in _CLAUSES.split(text):
        change = _change(clause)
        own = _levels(clause, known) or levels
        if change is not None and own is not None:
            some = of_scope(cells, f"{scope} {clause}")
            if rungs := rungs_of(clause):
                some = [cell for cell in some if cell.rung is None or rungs(cell.rung)]
            pairs = list(_pairs(*own, change, some))
            result.asked += len(pairs)
            result.misses += _misses(change, pairs)
    return result


def _change(clause: str) -> _Change | None:
    if _OTHERS.search(clause) and not _PERFORMANCE.search(clause):
        return None
    is_latency = _LATENCY.search(clause) is not None
    if _SAME.search(clause):
        return _Change(0, None, None, False, is_latency)
    ways, sizes = list(_WAY.finditer(clause)), list(_SIZE.finditer(clause))
    if _NOT.search(clause) or not (ways or any(size["unit"] != "%" for size in sizes)):
        return None
    near = [(abs(way.start() - size.start()), way.start(), way, size) for way in ways for size in sizes]
    way, size = next(iter(ways), None), next(iter(sizes), None)
    if near:
        *_, way, size = min(near, key=lambda one: one[:2])
    word_sign, word_number = _WORDS.get((size["word"] or "")[:3], (1, "")) if size else (1, "")
    good = -1 if is_latency else 1
    sign = {"more": 1, "less": -1, "good": good, "bad": -good}[way.lastgroup or "more"] if way else word_sign
    figure = parse_figure(size["number"] or word_number) if size else None
    is_share = size is not None and size["unit"] in ("%", "percent", "per cent")
    bound = size is not None and _BOUND.search(clause[: size.start()]) is not None
    return _Change(sign, figure if is_share else None, None if is_share else figure, bound, is_latency)


def _levels(text: str, known: Mapping[str, set[str]]) -> tuple[str, str, str] | None:
    """Returns the factor, the level that the text is about, and the one that it is compared with; None where
    the text does not say which is which.
    """
    words = text.lower()
    for factor, some in known.items():
        levels = {level for level in some if not is_comparison(level)}
        named = {level: at for level in levels if (at := _place(level.lower(), words)) is not None}
        bases = {level for level in named if _is_base(words, level.lower(), named)}
        if len(named) == 1 and len(levels) == 2:
            (only,) = named
            (other,) = levels - {only}
            return (factor, other, only) if bases else (factor, only, other)
        if len(named) == 2 and not bases:  # "half the throughput of v1"
            bases = {level for level in named if words[: named[level]].rstrip().endswith(" of")}
        if len(named) == 2 and (len(bases) == 1 or _SAME.search(text)):
            first, second = sorted(named, key=lambda level: (level in bases, level))
            return factor, first, second
    return None


def _is_base(words: str, level: str, named: Mapping[str, int]) -> bool:
    begin = words.index(level, named[next(one for one in named if one.lower() == level)])
    before = _BASE_NEXT.search(words[:begin])
    if before is not None and not any(other.lower() in before["gap"].split() for other in named):
        return True
    return _BASE_AFTER.match(words[begin + len(level) :]) is not None


def _place(level: str, words: str) -> int | None:
    """Returns where a text names a level; a bare number or a common word is none."""
    if re.fullmatch(r"[\d.]*|on|off|yes|no|all", level):
        return None
    found = re.search(rf"(?<![\w+%.-]){re.escape(level)}(?![\w+%-]|\.\d)", words)
    return found.start() if found else None


def of_scope(cells: Sequence[Cell], text: str) -> Sequence[Cell]:
    """Returns the figures of the tables that a text names; all of them where it names none."""
    words = re.sub(r"[\W_]+", " ", text.lower())
    names = {name: _bare(name) for name in {cell.table for cell in cells}}
    named = {name for name, bare in names.items() if name in text or (bare and f" {bare} " in f" {words} ")}
    return [cell for cell in cells if cell.table in named] if named else cells


def _bare(table: str) -> str:
    stem = re.sub(r"\.(csv|tsv|txt|md)$", "", table.lower())
    return re.sub(r"[\W_]+", " ", stem).strip()


def _pairs(factor: str, subject: str, base: str, change: _Change, cells: Iterable[Cell]) -> Iterator[_Pair]:
    rows: dict[tuple[str, str, Levels, float | None], dict[str, Cell]] = defaultdict(dict)
    for cell in cells:
        role = role_of(cell.metric, cell.unit)
        kinds = ("latency",) if change.is_latency else RATES
        level = cell.level(factor)
        if role is not None and role.kind in kinds and level in (subject, base) and cell.value > 0:
            if cell.unit == "%" or (role.kind != "latency" and role.stat != "mean"):
                continue
            rest = tuple(one for one in cell.levels if one[0] != factor)
            rows[cell.table, cell.metric, rest, cell.rung][level] = cell
    for row in rows.values():
        if len(row) == 2:
            yield _Pair(row[base], row[subject])


def _misses(change: _Change, pairs: Sequence[_Pair]) -> Iterator[Miss]:
    """Yields what contradicts a statement: most changes go the other way, or none is of the stated size."""
    if not pairs:
        return
    changes = [pair.change for pair in pairs]
    mean = fmean(changes)
    against = [pair for pair in pairs if pair.change * change.way < 0]
    said = f"the tables have {number(min(changes))} to {number(max(changes))} %, {number(mean)} % in the mean"
    if change.way == 0:
        far = [pair for pair in pairs if abs(pair.change) > _AS_SAME]
        if 2 * len(far) > len(pairs) or abs(mean) > _AS_SAME:
            yield from (_miss(pair, abs(pair.change) / 100, said) for pair in far)
        return
    stated = change.stated
    is_mean = stated is not None and abs(abs(stated) - abs(mean)) <= change.room
    if mean * change.way < 0 and (2 * len(against) > len(pairs) or (is_mean and abs(mean) > change.room)):
        for pair in against:
            yield _miss(pair, abs(pair.change) / 100, said)
    elif stated is not None:
        low, high = min(changes) - change.room, max(changes) + change.room
        top = max(changes, key=lambda one: one * change.way)
        is_off = abs(stated - top) > change.room if change.is_bound else not low <= stated <= high
        if is_off:
            nearest = min(pairs, key=lambda pair: abs(pair.change - stated))
            yield _miss(nearest, abs(stated - nearest.change) / 100, said)


def _miss(pair: _Pair, by: float, sign: str) -> Miss:
    base, subject = pair.base, pair.subject
    figures = f"{subject.metric} {subject.figure.text} against {base.figure.text}"
    return Miss(subject, f"{figures} ({pair.change:+.2f} %)", by, sign)
