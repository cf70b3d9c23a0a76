"""Signs in ASCII: which locales ask for it, and that every sign of a text has its like."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from assay.front.terminal.plain_text import asks_for_ascii, lookalike, stream_settings
from assay.front.terminal.safe_console import AssayConsole

ROOM = Path(__file__).parents[2] / "python" / "assay"
COERCED = {"LANG": "C", "LC_CTYPE": "C.UTF-8"}


@pytest.mark.parametrize(
    ("environment", "began_with", "asks"),
    [
        ({"LC_ALL": "C"}, {}, True),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, {}, True),
        ({"LANG": "C"}, {}, True),
        (COERCED, {"LANG": "C"}, True),  # by Python, before any of our code
        (COERCED, COERCED, False),  # by a person
        ({"LANG": "C", "LC_ALL": "zh_CN.UTF-8"}, {}, False),
        ({"LC_CTYPE": "C", "LANG": "en_US.UTF-8"}, {}, True),
        ({"LANG": "C.UTF-8"}, {}, False),
        ({"LANG": "zh_CN.GBK"}, {}, False),
        ({}, {}, False),  # a container
        ({"LC_ALL": "", "LANG": ""}, {}, False),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, {}, False),
    ],
)
def test_which_locale_asks_for_ascii(
    environment: dict[str, str], began_with: dict[str, str], asks: bool
) -> None:
    assert asks_for_ascii(environment, began_with) == asks


def shown(text: str, **settings: str) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8")
    stream.reconfigure(**settings)
    stream.write(text)
    stream.flush()
    return raw.getvalue().decode(settings.get("encoding", "utf-8").replace("ascii", "utf-8"))


def test_signs_are_ascii_and_letters_stay() -> None:
    settings = stream_settings({"LC_ALL": "C"})
    told = "→ /tmp/数据 naïve ≥ 3 µs … ┌─┬─┐ │ ━╸ █ ⠋ ½ 10\u202f% 10⁻¹² x²"
    assert shown(told, **settings) == "-> /tmp/数据 naïve >= 3 us ... +-+-+ | -- # * 1/2 10 % 10^-12 x^2"
    assert shown("试 → \udce4", encoding="ascii", **stream_settings({})) == "\\u8bd5 -> \\udce4"


def test_every_sign_of_our_texts_has_its_like() -> None:
    """A question mark would stand for it."""
    texts = [*ROOM.glob("front/**/*.py"), *ROOM.glob("base/*.py"), ROOM / "reporting/report/words/en.toml"]
    signs = {one for path in texts for one in path.read_text(encoding="utf-8") if not one.isascii()}
    assert len(signs) > 10
    assert {one for one in signs if lookalike(one) == "?"} == set()


def test_no_colour_is_no_style_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "NO_COLOR", "1")
    monkeypatch.setitem(os.environ, "FORCE_COLOR", "1")
    out = io.StringIO()
    AssayConsole(file=out).print("[bold]thick[/] [italic red]slanted[/]")
    assert out.getvalue() == "thick slanted\n"
