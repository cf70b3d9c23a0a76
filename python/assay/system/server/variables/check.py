"""Checks before load that a study's variables are known to the build, correctly written, and in force."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from assay.base.errors import InputError, ServerError
from assay.design.folder import Scalar
from assay.design.study import SET_BY_THE_LAB, number, option_text, same_value, variable_name, variable_set
from assay.system.server.flavour import Flavour, Version, flavour_of
from assay.system.server.release.build import Build
from assay.system.server.variables.catalogue import Catalogue, catalogue, loads_of, plain, try_options
from assay.system.server.variables.plugins import libraries, not_opened, where_to_look
from assay.system.server.variables.reading import version_numbers
from assay.system.server.variables.translate import NAMED_SWITCHES, is_loose, settings, value_there
from assay.system.server.variables.values import unit_mistake

_KEYS = {"datadir": "server.data_dir", "innodb_log_group_home_dir": "server.redo_dir"}
_SHOWN_AS = {"default_time_zone": "time_zone"}
_NEVER_SHOWN = re.compile(
    r"performance_schema_(instrument|consumer_\w+)|symbolic_links|character_set_client_handshake|sysdate_is_now"
    r"|safe_user_create|old_style_user_limits|tc_heuristic_recover|master_retry_count|show_slave_auth_info"
)
"""Options that `--verbose --help` lists among the variables, and no running server shows: manual of MySQL,
"Server Command Options", and of MariaDB, "mariadbd Options". The server's start is all that is known of them.
"""
_CUT = "performance_schema_instrument"
"""MySQL 5.6 takes this option apart where it stands, and shows what is before the equals sign."""
_NO_VALUE = "(No default value)"
_NOTHING: Mapping[str, Scalar] = MappingProxyType({})
_NOWHERE = 9999  # no list of words is so long
_WORDS = re.compile(
    r"(?!(?:ON|OFF)$)[A-Za-z][\w-]*(?:,[A-Za-z][\w-]*)*"
)  # a switch is no list: 2 is no word of it


_IGNORED = "the server has no such variable: it was ignored"


@dataclass(frozen=True)
class Fault:
    """One fault of one variable, and what to do about it."""

    variable: str
    problem: str
    remedy: str | None = None

    def __str__(self) -> str:
        return f"{self.variable}: {self.problem}"


class NotInForce(ServerError):
    """A server that runs does not have a value that was set. Every later start would meet it, too."""


def check_variables(
    build: Build, variables: Mapping[str, Scalar], *, because: Mapping[str, str] | None = None
) -> None:
    """Raises an error for variables that this build does not know, clamps or ignores. Starts no server (some
    60 ms).

    `because`: why the lab sets a variable that the study does not name.

    The error is InputError for variables that the lab sets itself and for values in a unit that servers do
    not read (`2GB`), ServerError for the rest; either lists every fault, with the nearest name or the value
    that would be used.
    """
    own = [_of_the_lab(name) for name in variables if variable_name(name) in SET_BY_THE_LAB]
    known, loads = catalogue(build, variables), loads_of(build, variables)
    taken = {fault.variable for fault in own}
    given = settings(build, {name: value for name, value in variables.items() if name not in taken})
    notes = {setting.name: setting.note for setting in given if setting.note}
    variables = {setting.name: setting.value for setting in given}
    units = [
        Fault(name, f'{option_text(value)!r} is not a size that the server reads; write "{better}"')
        for name, value in variables.items()
        if plain(name) in known.numeric and (better := unit_mistake(value))
    ]
    lacking = _not_loaded(build, loads)
    unknown = [Fault(name, why_unknown(build, name, known)) for name in variables if not known.knows(name)]
    wrong = {fault.variable for fault in units}
    # A binary log is not asked for: MySQL 5.6 and MariaDB 10.1 would open it at once, in no data directory.
    asked = {
        name: value
        for name, value in variables.items()
        if known.knows(name) and name not in wrong and plain(name) not in NAMED_SWITCHES
    }
    faults = [*own, *units, *lacking, *unknown, *(_tried(build, asked, loads) if asked else [])]
    faults = [_noted(fault, notes.get(fault.variable)) for fault in faults]
    faults = [_noted(fault, (because or {}).get(fault.variable)) for fault in faults]
    if not faults:
        return
    remedy = faults[0].remedy
    if not own and not units:
        remedy = remedy or f"list all variables: {' '.join(build.command)} --no-defaults --verbose --help"
    raise (InputError if own or units else ServerError)(
        _headline(faults, f"{build.flavour.title} {build.version_number}"),
        hint=remedy,
        detail=_listing(faults),
    )


def _of_the_lab(name: str) -> Fault:
    key = _KEYS.get(variable_name(name))
    return Fault(
        name, "is set by the lab itself", "take it out of the study" if key is None else f"use the key {key}"
    )


def check_in_force(
    variables: Mapping[str, Scalar],
    actual: Mapping[str, str],
    *,
    where: str,
    log: Iterable[str] = (),
    options: Container[str] = (),
    is_numbered: Callable[[str, Scalar, str], bool] = lambda name, asked, have: False,
) -> dict[str, str]:
    """Compares variables that were set with SHOW GLOBAL VARIABLES of the running server, and returns the
    values in force. `options` are those that the server takes and has no variable for; `is_numbered` says
    whether the server calls the value `have` by the number that was asked for.

    Raises ServerError that lists every variable that is unknown, clamped or ignored, in the server's words.
    """
    lines = list(log)
    faults = []
    in_force = {}
    text = actual.get("version", "")
    flavour, version = flavour_of(text, actual), version_numbers(text)
    for name, value in variables.items():
        asked, have = _shown(flavour, version, name, value, actual)
        if have is None:
            if _is_ignored(name, value, options):
                faults.append(Fault(name, _IGNORED))
            elif not is_loose(name):
                in_force[plain(name)] = option_text(value)
        elif _matches(name, asked, have) or is_numbered(name, asked, have):
            in_force[plain(name)] = have
        else:
            faults.append(Fault(name, f"asked for {_quoted(value)}, the server has {have or _EMPTY}"))
    if faults:
        said = [line for line in lines if any(_mentions(line, fault.variable) for fault in faults)]
        raise NotInForce(
            _headline(faults, where),
            hint="write the value that the server has, or one that it accepts",
            detail=_listing(faults, said),
        )
    return in_force


def may_number(asked: Scalar, have: str) -> bool:
    """Returns whether a number may stand for a word: servers take the position of a word in its list in place
    of the word (`concurrent_insert = 2` is ALWAYS), and show the word.
    """
    return option_text(asked).strip().isdecimal() and _WORDS.fullmatch(have) is not None


def numbered_by(build: Build, loads: Mapping[str, Scalar] = _NOTHING) -> Callable[[str, Scalar, str], bool]:
    """Returns the rule by which a build's own answer says which word a number stands for. `loads` are those
    that load plugins.
    """

    def is_numbered(name: str, asked: Scalar, have: str) -> bool:
        if not may_number(asked, have):
            return False
        words = [
            try_options(build, {**loads, name: one}).values.get(plain(name)) for one in (asked, _NOWHERE)
        ]
        return words[0] == have != words[1]  # what it makes of any number is its default, not a word's number

    return is_numbered


def check_names_in_force(
    build: Build, variables: Mapping[str, Scalar], reported: Iterable[str], *, where: str
) -> None:
    """Raises NotInForce for variables that a build lists among its options, and that no server of it has
    reported while it ran. Of those of plugins a server says nothing that ran without them.
    """
    known = dict.fromkeys(reported, "0")
    all_of_them = catalogue(build, variables)
    options = all_of_them.options | (all_of_them.defaults.keys() - catalogue(build).defaults.keys())
    faults = [
        Fault(name, _IGNORED)
        for name, value in variables.items()
        if _shown(build.flavour, build.version, name, value, known)[1] is None
        and _is_ignored(name, value, options)
    ]
    if faults:
        raise NotInForce(_headline(faults, where), hint="leave it out", detail=_listing(faults))


def _shown(
    flavour: Flavour, version: Version, name: str, value: Scalar, actual: Mapping[str, str]
) -> tuple[Scalar, str | None]:
    """Returns the value that a name asks for of a variable, and the one that the server shows; None where it
    shows none.
    """
    if (have := value_there(flavour, version, name, actual)) is not None:
        return value, have
    variable, asked = variable_set(name, value)  # skip_log_bin is log_bin, off
    if (have := value_there(flavour, version, variable, actual)) is not None:
        return asked, have
    return asked, actual.get(_SHOWN_AS.get(variable, ""))


def _is_ignored(name: str, value: Scalar, options: Container[str]) -> bool:
    """Returns whether a server that shows no such variable has left it out, though nobody allowed it to."""
    variable, _ = variable_set(name, value)
    return not (variable in options or _NEVER_SHOWN.fullmatch(variable) or is_loose(name))


def _not_loaded(build: Build, loads: Mapping[str, Scalar]) -> list[Fault]:
    """Returns a fault for each option that names a plugin library which the build cannot open."""
    missing = not_opened(try_options(build, loads).messages, loads) if loads else {}
    return [
        Fault(
            option,
            f"the plugin library {library} cannot be loaded: {missing[library]}",
            where_to_look(library),
        )
        for library, option in libraries(loads).items()
        if library in missing
    ]


def _noted(fault: Fault, note: str | None) -> Fault:
    return replace(fault, problem=f"{fault.problem} ({note})") if note else fault


def _tried(build: Build, variables: Mapping[str, Scalar], loads: Mapping[str, Scalar]) -> list[Fault]:
    """Returns the faults that the binary itself finds in these values."""
    known, trial = catalogue(build, loads), try_options(build, variables)
    if not trial.accepted:
        # It stops at the first one that it refuses: ask one at a time.
        faults, rest = [], dict(variables)
        for name, value in variables.items():
            alone = try_options(build, {**loads, name: value})
            if not alone.accepted:
                problem = f"{option_text(value)!r} refused: {_said(alone.messages, name)}"
                faults.append(Fault(name, problem, _default(known, name)))
                del rest[name]
        return faults + _tried(build, rest, loads) if faults and rest else faults
    faults, is_numbered = [], numbered_by(build, loads)
    for name, value in variables.items():
        have = trial.values.get(plain(name), _NO_VALUE)
        if have == _NO_VALUE or _matches(name, value, have) or is_numbered(name, value, have):
            continue
        said = f" ({words})" if (words := _said(trial.messages, name)) else ""
        problem = f"asked for {_quoted(value)}, the server would use {have or _EMPTY}{said}"
        nearest = _nearest(build, loads, name, have) if number(option_text(value)) is not None else None
        remedy = _default(known, name)
        if nearest is not None:
            remedy = f"write the nearest accepted value: {name} = {nearest}"
        faults.append(Fault(name, problem, remedy))
    return faults


def _nearest(build: Build, loads: Mapping[str, Scalar], name: str, have: str) -> str | None:
    """Returns the value at which the server settles for a number that it has changed; it may change a
    negative one twice.
    """
    for _ in range(3):
        again = try_options(build, {**loads, name: have}).values.get(plain(name), _NO_VALUE)
        if again == have:
            return have if number(have) is not None else None
        have = again
    return None


def _default(known: Catalogue, name: str) -> str | None:
    """Returns a hint with the variable's default value, as an example of its form."""
    usual = known.defaults.get(plain(name), _NO_VALUE)
    if plain(name) in known.numeric:
        return f"write a number, or one with K, M or G; by default {name} = {usual}"
    return None if usual in (_NO_VALUE, "") else f"by default {name} = {usual}"


def why_unknown(build: Build, name: str, known: Catalogue | None = None) -> str:
    """Returns why a build does not know a variable, and what it may have been meant to be. `known`: what it
    knows with its plugins.
    """
    flavour, version = build.flavour, build.version
    new, old = flavour.successor(plain(name), version), flavour.predecessor(plain(name), version)
    if new and new.new:
        return f"not known to this version; it is called {new.new}" + (f" ({new.note})" if new.note else "")
    if new:
        since = f" since {'.'.join(map(str, new.since))}" if new.since else ""
        return f"this server does not have it{since}" + (f": {new.note}" if new.note else "")
    if old:
        return f"not known to this version; it is called {old.old} before {'.'.join(map(str, old.since))}"
    introduced = flavour.introduced.get(plain(name))
    if introduced and version < introduced:
        return f"{flavour.title} has it since {'.'.join(map(str, introduced))}"
    nearest = (known or catalogue(build)).nearest(name)
    return "no such variable" + (f"; nearest: {', '.join(nearest)}" if nearest else "")


def _matches(name: str, value: Scalar, have: str) -> bool:
    if plain(name) == _CUT:
        return option_text(value).partition("=")[0] == have.partition("=")[0]
    if variable_set(name, value)[0] in NAMED_SWITCHES and have in ("ON", "OFF", "TRUE", "FALSE"):
        return same_value(option_text(value).lower() not in ("off", "0", "false"), have)
    return same_value(value, have)


def _mentions(line: str, name: str) -> bool:
    return (
        re.search(rf"(?<![\w-]){re.escape(plain(name))}(?![\w-])", line.lower().replace("-", "_")) is not None
    )


def _said(messages: Iterable[str], name: str) -> str:
    """Returns the server's messages about a variable, without their time stamps."""
    said = [re.sub(r"^.*?\[(?:Warning|ERROR)\]\s*", "", line) for line in messages if _mentions(line, name)]
    return "; ".join(said[:2])


def _headline(faults: list[Fault], where: str) -> str:
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{where}: variable {faults[0]}{more}"


def _listing(faults: list[Fault], said: Iterable[str] = ()) -> str | None:
    """Returns all faults, one a line; None for a single fault, which the message states already."""
    listed = faults if len(faults) > 1 else []
    lines = [*(f"  {fault}" for fault in listed), *(f"  server: {line}" for line in said)]
    return "\n".join(lines) or None


_EMPTY = "an empty text"


def _quoted(value: Scalar) -> str:
    """Returns a value as a message shows it, also one that cannot be seen."""
    return option_text(value).strip() or _EMPTY
