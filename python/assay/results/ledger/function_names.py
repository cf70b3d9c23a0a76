"""Cuts the name of a function to what builds of a server have in common: no arguments, no templates."""

from __future__ import annotations

import re
from functools import lru_cache

_CLONES = re.compile(
    r"(?: ?\[clone [^\]]*\]|\[abi:[^\]]*\]|\.(?:part|constprop|isra|cold|lto_priv|llvm|localalias)"
    r"|\.\d+)+$"
)
_LONGEST = 4096
"""Letters of a name that are looked at: those of a stranger's profile may be any."""
_ABI = re.compile(r"\[abi:[^\]]*\]")
_OPERATOR = re.compile(r"\boperator(?:\(\)|<<=?|>>=?|<=>|<=?|>=?|->\*?)")
_ANONYMOUS = "(anonymous namespace)"
_QUALIFIERS = re.compile(r"(?: const| volatile| &&?| noexcept)+$")


@lru_cache(maxsize=1 << 16)
def cut_name(name: str) -> str:
    """Returns the name without arguments, template arguments, return type, tags and suffixes of clones:
    `Item::val` of `long Item::val<true>(THD*) const [clone .part.0]`.
    """
    text = _ABI.sub("", _CLONES.sub("", name[:_LONGEST])).replace(_ANONYMOUS, "\1")
    if "(" not in text and "<" not in text:
        return text.replace("\1", _ANONYMOUS)
    kept: list[str] = []
    depth = at = 0
    while at < len(text):
        operator = _OPERATOR.match(text, at) if depth == 0 else None
        if operator is not None:
            kept.append(operator[0].replace("<", "\2").replace(">", "\3"))
            at = operator.end()
            continue
        letter = text[at]
        if letter == "(" and depth == 0 and not _goes_on(text, at):
            break  # arguments: the rest are qualifiers
        if letter in "<(":
            depth += 1
        elif letter in ">)" and text[at - 1] != "-":
            depth -= 1
        elif depth == 0:
            kept.append(letter)
        at += 1
    found = _QUALIFIERS.sub("", "".join(kept)).strip()
    found = (
        found if "operator " in found else found.rpartition(" ")[2]
    )  # a template's name has its return type
    return found.replace("\1", _ANONYMOUS).replace("\2", "<").replace("\3", ">") or name


def _goes_on(text: str, at: int) -> bool:
    """Returns whether the name goes on behind the closing bracket, as in `f(int)::{lambda()#1}`."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return text.startswith(("::", " const::", "#"), place + 1)
    return False
