"""Judges short sentences about the tables beside them, such as "8.0 is faster than 8.4 at 64 threads".

a is faster than b; a outperforms b              an order of two names, at the load points that are named
a reaches 3,990 tps at 256 threads               a figure
a peaks at 64 threads; the lowest tps is at 1    the load point of the greatest or the least figure
the throughput rises with every step             the way along the load

A name is a level, or a part of the head of a column. Sentences with other names, negations or conditions are
left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.results.audit.claims.judge import ComparisonCount, Miss
from assay.results.audit.claims.measures import RATES
from assay.results.audit.claims.sentences import is_left_out
from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import Role, is_comparison, role_of
from assay.results.audit.model import Cell
from assay.results.audit.reading.words import in_english
from assay.results.audit.selecting import rungs_of

_KINDS = (*RATES, "tpmc", "latency")
_UP = r"faster|quicker|higher|better|greater|schneller|höher|besser|plus rapide|plus élevée?s?|快|高|好"
_DOWN = r"slower|lower|worse|smaller|langsamer|niedriger|schlechter|plus lente?s?|plus basse?s?|慢|低|差"
_ORDER = re.compile(
    rf"(?P<one>.+?)\s+(?:is|are|was|were|ist|sind|est|sont|runs?)\s+"
    r"(?:always |clearly |slightly |much |\d[\d.,]* ?% )?"
    rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\s+(?:than|als|que)\s+(?P<other>.+)"
)
_ORDER_ZH = re.compile(r"(?P<one>.+?)\s*都?比\s*(?P<other>.+?)\s*更?(?:(?P<up>快|高|好)|(?P<down>慢|低|差))")
_BEATS = re.compile(r"(?P<one>.+?)\s+(?P<up>outperforms?|beats?)(?P<down>)\s+(?P<other>.+)")
_REACHES = re.compile(
    r"(?P<one>\S+)\s+(?:reach(?:es|ed)?|achieve[sd]?|gets?|delivers?|erreicht|atteint|达到)\s+"
    r"(?:about |some |rund |~)?"
    r"(?P<number>\d[\d.,]*)\s*(?P<metric>tps|qps|iops|nopm|tpmc?|ops/s)"
)
_MOST = r"peaks?|highest|greatest|maximum|am höchsten|le plus élevée?|最高|峰值"
_LEAST = r"lowest|least|minimum|am niedrigsten|le plus bas|最低"
_EXTREME = re.compile(rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))")
_OF_A_LEVEL = re.compile(
    r"\b(?:has|have|hat|haben|a)\s+(?:the|den|die|das|le|la)\s+"
    r"(?:highest|lowest|höchsten?|niedrigsten?|plus)"
)
_RISES = r"rises?|increases?|grows?|steigt|wächst|augmente|croît|上升|增长|增加"
_FALLS = r"falls?|decreases?|drops?|sinkt|fällt|diminue|baisse|下降|降低"
_WITH_EACH = re.compile(
    rf"(?:(?P<up>{_RISES})|(?P<down>{_FALLS}))\s+(?:with (?:every|each)|mit jede[rm]|à chaque|随每)"
)
_EVERY = re.compile(r"\b(?:both|all|every|each|alle|jede|tous|toutes|chaque)\b|所有|都")
_AXIS = r"(?:threads?|connections?|users?|clients?|concurrency|terminals?|benutzern?|utilisateurs?)"
_AT = re.compile(rf"(?:at|bei|à|in|在)\s+(\d[\d,]*)\s+{_AXIS}|(?<![\w.])(\d+)\s+{_AXIS}|{_AXIS}\s*=\s*(\d+)")
_METRICS = (
    ("latency", re.compile(r"latenc|response time|\bp9\d|percentile|mean time")),
    ("tps", re.compile(r"\btps\b|transactions")),
    ("qps", re.compile(r"\bqps\b|queries|\bops\b")),
    ("tpmc", re.compile(r"\bnopm\b|\btpmc?\b")),
    ("iops", re.compile(r"\biops\b")),
    ("bandwidth", re.compile(r"bandwidth|[mgk]i?b/s")),
)
_LONGEST = 400
"""Characters of a short sentence at most: the time of a form grows by the square of its text."""

_CLEAR = 0.005
_NEAR = 0.01


def is_plain(text: str) -> bool:
    """Returns whether a sentence has a form that this module may judge."""
    if len(text) > _LONGEST:
        return False
    words = in_english(text)
    if is_left_out(text) or is_left_out(words):
        return False
    forms = (_ORDER, _ORDER_ZH, _BEATS, _REACHES, _WITH_EACH)
    return any(form.search(words) for form in forms) or (
        _EXTREME.search(words) is not None and _AT.search(words) is not None
    )


def tried_plainly(text: str, cells: Sequence[Cell]) -> ComparisonCount:
    """Compares one sentence with the tables; none asked where they cannot answer it."""
    if not is_plain(text):
        return ComparisonCount()
    said = _Sentence(in_english(text).rstrip(" .。!"), [one for one in cells if _is_asked(one)])
    for judge in (said.figure, said.order, said.course, said.extreme):
        result = judge()
        if result is not None:
            return result
    return ComparisonCount()


def _role(cell: Cell) -> Role | None:
    return role_of(cell.metric, cell.unit)


def _is_asked(cell: Cell) -> bool:
    """Returns whether a figure is a rate or a latency itself, and no quotient or spread of them."""
    role = _role(cell)
    words = f"{cell.metric} {cell.level('series')}".lower()
    is_other = is_comparison(words) or re.search(r"(?<![a-z])(?:per|je|pro|par)(?![a-z])|每", words)
    return role is not None and role.kind in _KINDS and cell.value > 0 and not is_other and cell.unit != "%"


def _names(cell: Cell) -> dict[str, str]:
    """Returns the names of a figure, each with what it is a part of."""
    found = {level.lower(): name for name, level in cell.levels if level}
    metric = re.sub(r"[\s_]+", " ", cell.metric.lower())
    found |= {word: "metric" for word in metric.split() if role_of(word) is None}
    return {name: of for name, of in found.items() if re.search(r"[^\W\d_]|\d\.\d", name)}


@dataclass(frozen=True)
class _Sentence:
    words: str
    cells: Sequence[Cell]

    def figure(self) -> ComparisonCount | None:
        """Judges "a reaches 3,990 tps at 256 threads"."""
        found = _REACHES.search(self.words)
        if found is None:
            return None
        kind = next((kind for kind, words in _METRICS if words.search(found["metric"])), "")
        some = [one for one in self._at_its_rung() if (role := _role(one)) and role.kind == kind]
        some = [one for one in some if found["one"] in _names(one)]
        stated = _readings(found["number"])
        if not some or not stated:
            return ComparisonCount()
        if any(abs(one.value / value - 1) <= _NEAR for one in some for value in stated):
            return ComparisonCount(1)
        near = min(some, key=lambda one: min(abs(one.value / value - 1) for value in stated))
        off = min(abs(near.value / value - 1) for value in stated)
        sign = f"the nearest figure of {found['one']} there is {near.figure.text}"
        return ComparisonCount(1, [Miss(near, f"{near.metric} {near.figure.text}", off, sign)])

    def order(self) -> ComparisonCount | None:
        """Judges "a is faster than b"."""
        found = _ORDER.search(self.words) or _ORDER_ZH.search(self.words) or _BEATS.search(self.words)
        if found is None:
            return None
        kind = self._kind()
        some = [one for one in self._at_its_rung() if (role := _role(one)) and _stands_for(role, kind)]
        one, other = (self._named(found[side], some) for side in ("one", "other"))
        if not one or not other or one == other:
            return ComparisonCount()
        way = 1 if found["up"] else -1
        is_speed = re.search(r"fast|quick|slow|schnell|langsam|rapide|lent|快|慢|beat|perform", found[0])
        if kind == "latency" and is_speed:
            way = -way
        pairs = list(_pairs(some, one, other))
        against = [
            (first, second) for first, second in pairs if way * (first.value / second.value - 1) < -_CLEAR
        ]
        if not pairs or not against or (2 * len(against) <= len(pairs) and not _EVERY.search(self.words)):
            return ComparisonCount(len(pairs))
        return ComparisonCount(len(pairs), [_against(*pair, len(against), len(pairs)) for pair in against])

    def course(self) -> ComparisonCount | None:
        """Judges "the throughput rises with every step"."""
        found = _WITH_EACH.search(self.words)
        if found is None:
            return None
        way = 1 if found["up"] else -1
        curves = self._curves()
        misses = [
            Miss(
                after,
                f"{after.metric} {after.figure.text} after {before.figure.text}",
                abs(change),
                _step(before, after),
            )
            for curve in curves
            for before, after in pairwise(curve)
            if way * (change := after.value / before.value - 1) < -_CLEAR
        ]
        broken = {(miss.cell.table, miss.cell.metric, miss.cell.levels) for miss in misses}
        return ComparisonCount(len(curves), misses if 2 * len(broken) > len(curves) else [])

    def extreme(self) -> ComparisonCount | None:
        """Judges "a peaks at 64 threads"."""
        found, at = _EXTREME.search(self.words), _AT.search(self.words)
        if found is None or at is None or _OF_A_LEVEL.search(self.words):
            return None
        rung = float(next(one for one in at.groups() if one).replace(",", ""))
        curves = [curve for curve in self._curves() if any(cell.rung == rung for cell in curve)]
        misses = [miss for curve in curves if (miss := _not_extreme(curve, rung, found["most"] is not None))]
        is_false = bool(misses) and (len(misses) == len(curves) or _EVERY.search(self.words) is not None)
        return ComparisonCount(len(curves), misses if is_false else [])

    def _kind(self) -> str:
        return next((kind for kind, words in _METRICS if words.search(self.words)), "")

    def _at_its_rung(self) -> list[Cell]:
        rungs = rungs_of(self.words)
        return [one for one in self.cells if rungs is None or (one.rung is not None and rungs(one.rung))]

    def _named(self, phrase: str, cells: Sequence[Cell]) -> str:
        """Returns the one name that a phrase has; the longest of names within each other."""
        known = {name for cell in cells for name in _names(cell)}
        found = [one for one in known if re.search(rf"(?<![\w.+-]){re.escape(one)}(?![\w+-]|\.\d)", phrase)]
        longest = [one for one in found if not any(one != other and one in other for other in found)]
        return longest[0] if len(longest) == 1 else ""

    def _curves(self) -> list[list[Cell]]:
        """Returns the series along the load that the sentence is about, of the names that it has."""
        kind = self._kind()
        series: dict[tuple[object, ...], list[Cell]] = defaultdict(list)
        for cell in self.cells:
            role = _role(cell)
            if role and cell.rung is not None and cell.axis not in ("", "sample") and _stands_for(role, kind):
                series[cell.file, cell.series].append(cell)
        curves = [sorted(some, key=lambda one: one.rung or 0.0) for some in series.values() if len(some) > 1]
        words = set(re.findall(r"[\w.+-]+", self.words))
        named = [curve for curve in curves if words & _names(curve[0]).keys() - {"average", "mean"}]
        means = [curve for curve in curves if re.search(r"average|mean", curve[0].metric)]
        is_mean = re.search(r"average|mean", self.words) is not None
        return named or (means if is_mean and kind != "latency" and means else curves)


def _stands_for(role: Role, kind: str) -> bool:
    """Returns whether a figure is of the metric that a sentence names; of a rate where it names none."""
    if kind == "latency":
        return role.kind == kind
    return role.stat == "mean" and (role.kind == kind if kind else role.kind in (*RATES, "tpmc"))


def _readings(text: str) -> list[float]:
    """Returns what a number in a text may be: `3.990` is 3.99 in English and 3990 in German."""
    bare = text.rstrip(".,")
    found = {
        figure.value
        for one in (bare, bare.replace(".", ""), bare.replace(",", ""))
        if (figure := parse_figure(one))
    }
    return [one for one in found if one > 0]


def _pairs(cells: Sequence[Cell], one: str, other: str) -> Iterator[tuple[Cell, Cell]]:
    """Yields the figures of two names in each row of a table that has both."""
    rows: dict[tuple[object, ...], dict[str, Cell]] = defaultdict(dict)
    for cell in cells:
        names: Mapping[str, str] = _names(cell)
        for name in (one, other):
            if name in names:
                rest = tuple(level for level in cell.levels if level[1].lower() != name)
                metric = cell.metric.lower().replace(name, "")
                rows[cell.file, cell.table, metric, rest, cell.rung].setdefault(name, cell)
    yield from ((row[one], row[other]) for row in rows.values() if len(row) == 2)


def _against(first: Cell, second: Cell, number: int, pairs: int) -> Miss:
    change = first.value / second.value - 1
    said = f"{first.metric} {first.figure.text} against {second.figure.text} ({100 * change:+.1f} %)"
    return Miss(first, said, abs(change), f"so in {number} of {pairs} comparisons of the tables")


def _step(before: Cell, after: Cell) -> str:
    return f"from {before.axis}={before.rung:g} to {after.rung:g}"


def _not_extreme(curve: Sequence[Cell], rung: float, is_most: bool) -> Miss | None:
    """Returns a miss where another load point has a greater figure, or a smaller one."""
    here = next(cell for cell in curve if cell.rung == rung)
    best = (max if is_most else min)(curve, key=lambda one: one.value)
    off = abs(best.value / here.value - 1)
    if off <= _CLEAR:
        return None
    said = f"{best.metric} {best.figure.text} at {best.axis}={best.rung:g}, {here.figure.text} at {rung:g}"
    return Miss(best, said, off, "its series has another load point there")
