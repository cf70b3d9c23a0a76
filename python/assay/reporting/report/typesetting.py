"""Sets the text of HTML pages: a figure stays in one line with its unit, and a word of the field is explained
where it comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from assay.base.printable import visible

if TYPE_CHECKING:
    from assay.reporting.report.words import Words

_TOKEN = re.compile(r"<[^>]*>|[^<]+|<")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)")
_AS_IT_IS = frozenset({"pre", "code", "script", "style", "svg", "textarea", "template", "title"})
"""Elements whose text is copied, drawn or run, and stays as it is."""
_UNITS = (
    "%|ms|µs|ns|s|min|h|d|bytes?|[KMGT]i?B|[kMG]?Hz|times|blocks?|runs?|threads?|workers?|rows?|cores?|pages?|"
    "seconds?|minutes?|hours?|transactions?|queries|statements?|operations?|processors?"
)
_MEASURES = "个|次|种|倍|字节|线程|秒|毫秒|条|项|对|行|核|页|天|小时|分钟"
_BREAKS = re.compile(
    rf"(?<=[\d\]∞⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=(?:{_UNITS})(?![\w-]))|(?<=[\d\]∞⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=(?:{_MEASURES}))"
    r"|(?<=\d) (?=±)|(?<=[±≥≤×]) (?=[\d−])|(?<=\d) (?=× 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])"
)
_ENDS = re.compile(r"\[([−\d.,]+), ([−\d.,]+)\]")
_STAYS = "\N{NO-BREAK SPACE}"


def typeset(parts: Iterable[str], words: Words) -> Iterator[str]:
    """Yields a page in the parts in which it comes, with no-break spaces between figures and their units, and
    with the word for a block explained in the first paragraph that has it.
    """
    setter = _Setter(words)
    held = ""
    for part in parts:
        held += part
        ready = held.rfind(">") + 1  # a figure and its unit, or one tag, may come in two parts
        if ready:
            yield setter.set(held[:ready])
            held = held[ready:]
    if held:
        yield setter.set(held)


def typeset_page(page: str, words: Words) -> str:
    """Returns a whole page as `typeset` sets it, with control characters escaped."""
    return "".join(typeset([visible(page)], words))


def unbroken(text: str) -> str:
    """Returns text with no-break spaces between figures and their units, and within intervals."""
    return _BREAKS.sub(_STAYS, _ENDS.sub(rf"[\1,{_STAYS}\2]", text))


class _Setter:
    """Sets a page from its begin to its end: what it is inside of is known from the part before."""

    def __init__(self, words: Words) -> None:
        self._word = re.compile(words("page.block-word"))
        self._means = escape(words("page.block-means"))
        self._is_explained = not self._means
        self._within = ""  # the element whose text stays as it is
        self._last = ""  # the tag before

    def set(self, html: str) -> str:
        return "".join(map(self._token, _TOKEN.findall(html)))

    def _token(self, token: str) -> str:
        if token.startswith("<"):
            if found := _TAG.match(token):
                self._tag(found[2].lower(), ends=bool(found[1]), is_empty=token.endswith("/>"))
            return token
        if self._within or token.isspace():
            return token
        text = unbroken(token)
        if self._last == "p" and not self._is_explained and (word := self._word.search(text)):
            self._is_explained = True
            explained = f'<abbr title="{self._means}">{word[0]}</abbr>'
            text = text[: word.start()] + explained + text[word.end() :]
        return text

    def _tag(self, name: str, *, ends: bool, is_empty: bool) -> None:
        self._last = "" if ends else name
        if self._within:
            if ends and name == self._within:
                self._within = ""
        elif not ends and not is_empty and name in _AS_IT_IS:
            self._within = name
