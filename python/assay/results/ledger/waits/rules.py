"""The rules by which call stacks of waiting threads become groups of the time ledger; the TOML files beside
this one hold them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from assay.base.decoding import toml_tables

OTHER = "other-waits"
"""The group of waits whose stack is whole, and for which there is no rule."""
_KERNEL = "kernel"
_MARIADB, _MYSQL = "mariadb", "mysql"

_START = re.compile(r"^(start_thread|clone3?|__clone3?|_start|do_handle_one_connection|handle_connection)$")
_NOT_OF_SERVER = re.compile(
    r"""
      \[ .*                                        # a place without a name
    | _*(?:pthread|futex|lll|libc|GI|nptl|nanosleep|clock_nanosleep|poll|ppoll|syscall|clone|start_thread)_?.*
    | f(?:data)?sync | p?(?:read|write)v?(?:64)? | send\w* | recv\w* | usleep | std::.*
    """,
    re.VERBOSE,
)
_ENTRY = re.compile(r"^(entry_|asm_|el0_|ret_from|syscall_)|^do_syscall_64$|^el0t_64_sync")

_NEXT = ">"
_Pattern = tuple[re.Pattern[str], bool]
"""A pattern, and whether it must match the very next frame."""


class WaitRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule: it holds where each of `frames` matches a frame, in their order from the leaf on. A pattern
    that begins with `>` must match the very next frame.

    `line` names the wait inside its group; without it the nearest function of the server does. `whole`: the
    rule is only for stacks that reach a function of the server.
    """

    group: str
    frames: list[str]
    line: str = ""
    whole: bool = False


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rule: list[WaitRule]


@dataclass(frozen=True)
class WaitClass:
    """What a thread waited for: a group of the ledger, and a line inside it."""

    group: str
    line: str


@dataclass(frozen=True)
class WaitRules:
    """The rules for one flavour, in the order in which they are tried."""

    rules: Sequence[tuple[WaitRule, tuple[_Pattern, ...]]]

    def wait_class(self, frames: Sequence[str]) -> WaitClass | None:
        """Returns the class of a stack, the leaf first; None where the stack breaks off too early to tell."""
        reaches = is_whole(frames)
        for rule, patterns in self.rules:
            if (reaches or not rule.whole) and _holds(patterns, frames):
                return WaitClass(rule.group, rule.line or _nearest(frames))
        return WaitClass(OTHER, _nearest(frames)) if reaches else None


def is_whole(frames: Sequence[str]) -> bool:
    """Returns whether a stack reaches functions of the server that have names, or the start of its thread."""
    return bool(_nearest(frames)) or any(_START.match(name) for name in frames)


def line_names() -> tuple[str, ...]:
    """Returns all names of lines that rules give, sorted; other lines have names of functions."""
    return tuple(sorted({rule.line for name in (_MARIADB, _MYSQL, _KERNEL) for rule in _read(name)} - {""}))


def groups() -> tuple[str, ...]:
    """Returns all groups that rules name, sorted."""
    found = {rule.group for name in (_MARIADB, _MYSQL, _KERNEL) for rule in _read(name)}
    return tuple(sorted(found | {OTHER}))


@cache
def rules_of(flavour: str) -> WaitRules:
    """Returns the rules for a flavour, as `mariadb`; a fork of MySQL is read as MySQL."""
    name = _MARIADB if flavour == "mariadb" else _MYSQL
    every = [*_read(name), *_read(_KERNEL)]
    return WaitRules([(rule, tuple(map(_pattern, rule.frames))) for rule in every])


def _read(name: str) -> list[WaitRule]:
    text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(toml_tables(text), _File).rule


def _holds(patterns: Sequence[_Pattern], frames: Sequence[str], begin: int = 0) -> bool:
    """Returns whether the patterns match frames in their order, from the frame `begin` on."""
    if not patterns:
        return True
    (pattern, next_only), rest = patterns[0], patterns[1:]
    for at in range(begin, min(begin + 1, len(frames)) if next_only else len(frames)):
        if pattern.search(frames[at]):
            needs_place = bool(rest) and rest[0][1]
            if _holds(rest, frames, at + 1):
                return True
            if not needs_place:  # a later match leaves fewer frames for the rest
                return False
    return False


def _pattern(text: str) -> _Pattern:
    return re.compile(text.removeprefix(_NEXT)), text.startswith(_NEXT)


def _nearest(frames: Sequence[str]) -> str:
    """Returns the function of the server that is nearest to the leaf; empty where none has a name."""
    entered = [number for number, name in enumerate(frames) if _ENTRY.match(name)]
    if not entered and not any(_START.match(name) for name in frames):
        return ""
    own = frames[entered[-1] + 1 :] if entered else frames
    return next((name for name in own if not _NOT_OF_SERVER.fullmatch(name)), "")
