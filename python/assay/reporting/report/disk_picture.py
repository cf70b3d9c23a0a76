"""Draws the course of a disk that is written to without a pause, as an SVG that stands in the page."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from markupsafe import Markup

from assay.base.numbers import number

if TYPE_CHECKING:
    from assay.results.advice import Course

_WIDTH, _HEIGHT, _LEFT, _BELOW, _ABOVE = 560, 180, 64, 24, 14


def course_svg(course: Course, label: str) -> Markup:
    """Returns pages written a second over time, with half of the median as a dashed line; `label` is what a
    screen reader says.
    """
    most = max(course.pages) or 1.0
    half = median(course.pages) / 2
    inner_w, inner_h = _WIDTH - _LEFT - 8, _HEIGHT - _BELOW - _ABOVE

    def y(value: float) -> float:
        return _ABOVE + inner_h * (1 - value / most)

    step = inner_w / len(course.pages)
    line = " ".join(
        f"{'M' if at == 0 else 'L'}{_LEFT + at * step:.1f} {y(value):.1f}H{_LEFT + (at + 1) * step:.1f}"
        for at, value in enumerate(course.pages)
    )
    length = f"{course.interval_s * len(course.pages):.2g}"
    return Markup(
        '<svg viewBox="0 0 {w} {h}" role="img" aria-label="{label}" class="course">'
        '<path d="M{left} {top}V{foot}H{right}" class="axis"/>'
        '<path d="M{left} {half:.1f}H{right}" class="half"/>'
        '<path d="{line}" class="line"/>'
        '<text x="{gap}" y="{top}" text-anchor="end" dy=".7em">{most}</text>'
        '<text x="{gap}" y="{half:.1f}" text-anchor="end" dy=".35em">{half_is}</text>'
        '<text x="{gap}" y="{foot}" text-anchor="end">0</text>'
        '<text x="{right}" y="{h}" dy="-.4em" text-anchor="end">{length} s</text>'
        "</svg>"
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        label=label,
        left=_LEFT,
        gap=_LEFT - 8,
        top=_ABOVE,
        foot=_HEIGHT - _BELOW,
        right=_WIDTH - 8,
        half=y(half),
        line=line,
        most=number(round(most)),
        half_is=number(round(half)),
        length=length,
    )
