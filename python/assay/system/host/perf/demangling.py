"""Turns the names of C++ functions in symbols into those of the source, by the C++ library itself."""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache

_PLAIN = re.compile(r"_ZN?K?((?:\d+[A-Za-z_]\w*)+)")
_PART = re.compile(r"\d+")


def demangled(name: str) -> str:
    """Returns the name of a function as its source has it; a name of C as it is.

    Without the C++ library only the words of plain names are found, and other names stay as they are.
    """
    base, dot, clone = name.partition(
        "."
    )  # a clone: `_ZN3THD4stepEv.part.0`, which the library does not take
    if not base.startswith("_Z"):
        return name
    found = _by_library(base)
    return (found or _plain(base) or base) + (f" [clone {dot}{clone}]" if dot else "")


def _by_library(name: str) -> str | None:
    demangle, free = _library()
    if demangle is None or free is None:
        return None
    status = ctypes.c_int()
    text = demangle(name.encode(), None, None, ctypes.byref(status))
    if not text:
        return None
    try:
        return ctypes.string_at(text).decode(errors="replace")
    finally:
        free(text)


@lru_cache
def _library() -> tuple[ctypes._NamedFuncPointer | None, ctypes._NamedFuncPointer | None]:
    try:
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except (OSError, AttributeError):
        return None, None
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)]
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free.restype = None
    return demangle, free


def _plain(name: str) -> str | None:
    """Returns `A::b` of `_ZN1A1bEv`; None for a name with other parts."""
    found = _PLAIN.match(name)
    if found is None:
        return None
    words, rest = [], found[1]
    while number := _PART.match(rest):
        length, begin = int(number[0]), number.end()
        words.append(rest[begin : begin + length])
        rest = rest[begin + length :]
        if name[2] != "N":
            break
    return "::".join(words)
