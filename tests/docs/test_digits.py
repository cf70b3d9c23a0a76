"""Whether a text from elsewhere is a number is asked of one function, `decoding.whole_number`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.decoding import whole_number

_PACKAGE = Path(__file__).parents[2] / "python/assay"
_OF_THE_KERNEL = (
    "system/host/",
    "system/server/process/",
    "system/server/release/",
    "measurement/fleet/ray/",
    "measurement/run/experiments/",
)
_CONVERTED = re.compile(
    r"\.is(?:digit|numeric|decimal)\(\).*\b(?:int|float)\(|\b(?:int|float)\(.*\.is(?:digit|numeric)\(\)"
)
"""A line that asks `isdigit` and then converts, which fails for `²` and for thousands of digits."""


def test_no_text_from_elsewhere_is_converted_after_isdigit() -> None:
    found = [
        f"{path.relative_to(_PACKAGE)}: {line.strip()}"
        for path in _PACKAGE.rglob("*.py")
        if not str(path.relative_to(_PACKAGE)).startswith(_OF_THE_KERNEL)
        for line in path.read_text().splitlines()
        if _CONVERTED.search(line)
    ]
    assert not found


@pytest.mark.parametrize("text", ["", "²", "-1", "+1", "1_0", " 1", "1.0", "9" * 19, "9" * 5000, "١", "0x1"])
def test_what_is_no_whole_number(text: str) -> None:
    assert whole_number(text) is None


def test_whole_numbers() -> None:
    assert [whole_number(text) for text in ("0", "007", "9" * 18)] == [0, 7, 10**18 - 1]
