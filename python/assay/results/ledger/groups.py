"""Puts call stacks into groups of functions, by tables of patterns (`groups/*.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from assay.design.folder import Function, ObjectFile
from assay.results.ledger.function_names import cut_name

KERNEL = "kernel-other"
UNSEEN_KERNEL = "kernel-unseen"
"""The kernel's part of a profile that could not see into it."""
_IN_KERNEL, _NOWHERE = -1, -2
_ANYWHERE = frozenset({"compression", "encryption"})
"""Groups whose work is named also in threads that do all else for one group, as those that write pages."""
_FLAVOURS = ("mariadb", "mysql", "common")
"""The tables of a server's own functions; the first that knows a function decides."""


@dataclass(frozen=True)
class Rule:
    """Patterns of one group: a function belongs to it that one of them matches wholly.

    `of_caller`: only where no function that called it is known. `callers`: groups to which a function of this
    one belongs where theirs called it.
    """

    group: str
    pattern: re.Pattern[str]
    of_caller: bool = False
    callers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FileRule(Rule):
    """Patterns of files whose code has one purpose. `calls`: all that they call belongs to it, too."""

    calls: bool = False


@dataclass(frozen=True)
class ThreadRule:
    """A kind of thread whose whole work is one group's: known by its name, or by a function that it runs."""

    group: str
    names: re.Pattern[str]
    functions: re.Pattern[str]


@dataclass(frozen=True, eq=False)
class GroupRules:
    """All rules in force: of functions outside and inside the kernel, in their order, and of threads; of
    features, to which all belongs that their functions call, and of files with one purpose.
    """

    server: tuple[Rule, ...]
    kernel: tuple[Rule, ...]
    threads: tuple[ThreadRule, ...]
    features: tuple[Rule, ...]
    files: tuple[FileRule, ...]

    def of_function(self, function: Function) -> Rule | None:
        """Returns the rule of a function; None for one that no pattern knows, and for one without a name."""
        if not function.known:
            return None
        return self._of_name(cut_name(function.name), function.object == _IN_KERNEL)

    def of_feature(self, stack: Sequence[Function], objects: Sequence[ObjectFile]) -> str | None:
        """Returns the feature of a server that a call stack, whose leaf is first, is a part of; None without
        one.
        """
        for one in stack:
            if (
                one.known
                and one.object != _IN_KERNEL
                and (of := self._of_caller(cut_name(one.name))) is not None
            ):
                return of
            if 0 <= one.object < len(objects) and (of := self.of_file(objects[one.object].name, calls=True)):
                return of
        return None

    @lru_cache(maxsize=1 << 10)  # noqa: B019
    def of_file(self, name: str, *, calls: bool = False) -> str | None:
        """Returns the group of all code of a file; None of one that has several purposes. `calls`: only of a
        file to whose group belongs what it calls.
        """
        rules = (rule for rule in self.files if rule.calls or not calls)
        return next((rule.group for rule in rules if rule.pattern.match(name)), None)

    def of_thread(self, name: str, functions: Iterable[Function]) -> str | None:
        """Returns the group of all that a thread does; None where its functions decide."""
        of_name = next((rule.group for rule in self.threads if rule.names.match(name)), None)
        if of_name is not None:
            return of_name
        known = (one for one in functions if one.known and one.object != _IN_KERNEL)
        return next((of for one in known if (of := self._of_runner(cut_name(one.name))) is not None), None)

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - there is one of these objects for as long as the program runs
    def _of_name(self, name: str, in_kernel: bool) -> Rule | None:
        rules = self.kernel if in_kernel else self.server
        return next((one for one in rules if one.pattern.match(name)), None)

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def _of_caller(self, name: str) -> str | None:
        return next((one.group for one in self.features if one.pattern.match(name)), None)

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def _of_runner(self, name: str) -> str | None:
        return next((rule.group for rule in self.threads if rule.functions.match(name)), None)


@cache
def group_rules() -> GroupRules:
    """Returns the rules of all flavours."""
    threads = (
        ThreadRule(str(one["group"]), _any_of(one["names"]), _any_of(one["functions"]))
        for one in _table("threads")["thread"]
    )
    server = (rule for flavour in _FLAVOURS for rule in _rules(flavour))
    return GroupRules(
        server=tuple(server),
        kernel=tuple(_rules("kernel")),
        threads=tuple(threads),
        features=tuple(_rules("features")),
        files=tuple(
            FileRule(str(one["id"]), _any_of(one["files"]), calls=bool(one.get("calls")))
            for one in _table("objects")["group"]
        ),
    )


@cache
def group_names() -> tuple[str, ...]:
    """Returns the ids of all groups of functions, in the order of their tables."""
    rules = group_rules()
    named = (one.group for one in (*rules.server, *rules.kernel, *rules.features, *rules.files))
    of_threads = (one.group for one in rules.threads)
    return tuple(dict.fromkeys((*named, *of_threads, KERNEL, UNSEEN_KERNEL)))


def label(stack: Sequence[Function]) -> str:
    """Returns the name of a stack's line: the leaf, and below which function it ran where it has no name."""
    seen = [one for one in stack if one.object != _NOWHERE]
    if not seen:
        return ""
    leaf = cut_name(seen[0].name)
    if seen[0].known:
        return leaf
    above = next((cut_name(one.name) for one in seen if one.known), None)
    return leaf if above is None else f"{leaf} below {above}"


def group_of(
    stack: Sequence[Function],
    thread: str,
    rules: GroupRules,
    unnamed: str,
    objects: Sequence[ObjectFile] = (),
) -> str:
    """Returns the group of a call stack, whose leaf is first: that of its thread, of the feature that it is a
    part of, else that of the first function that a pattern knows, in the kernel if it ends there: of what
    everybody uses, that of its caller. Code of a file with one purpose, among `objects`, that no pattern
    knows goes by the file.
    """
    of_thread = rules.of_thread(thread, stack)
    if of_thread is None and (feature := rules.of_feature(stack, objects)) is not None:
        return feature
    found = _of_functions(stack, rules, unnamed, objects)
    return found if of_thread is None or found in _ANYWHERE else of_thread


def _of_functions(
    stack: Sequence[Function], rules: GroupRules, unnamed: str, objects: Sequence[ObjectFile]
) -> str:
    if not stack or stack[0].object != _IN_KERNEL:
        return _of_server(stack, rules, objects) or unnamed
    inside = next((place for place, one in enumerate(stack) if one.object != _IN_KERNEL), len(stack))
    known = (rule for one in stack[:inside] if (rule := rules.of_function(one)) is not None)
    found = next(known, None)
    if found is None:
        return KERNEL
    caller = _of_server(stack[inside:], rules, objects) if found.callers else None
    return caller if caller in found.callers else found.group


def _of_server(stack: Sequence[Function], rules: GroupRules, objects: Sequence[ObjectFile]) -> str | None:
    """Returns the group of a call stack outside the kernel; None where nothing tells it."""
    of_tool, of_file, file = None, None, _NOWHERE
    for function in stack:
        if of_file is not None and function.object != file:
            return of_file
        found = rules.of_function(function)
        if found is not None and not found.of_caller:
            return found.group
        if found is not None and of_tool is None:
            of_tool = found.group
        if 0 <= function.object < len(objects):
            of_file, file = rules.of_file(objects[function.object].name), function.object
    return of_file or of_tool


def _rules(table: str) -> Iterator[Rule]:
    for one in _table(table)["group"]:
        of_caller, callers = bool(one.get("of_caller")), frozenset(map(str, one.get("callers", ())))
        yield Rule(str(one["id"]), _any_of(one["functions"]), of_caller, callers)


def _table(name: str) -> dict[str, list[dict[str, Any]]]:
    text = files(__package__).joinpath("groups", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(translate(one) for one in patterns))
