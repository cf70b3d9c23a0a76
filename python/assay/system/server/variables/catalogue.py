"""Asks a build, without starting it, which variables it has and what it would make of given values.

Both come from its own `--verbose --help`.
"""

from __future__ import annotations

import atexit
import difflib
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from assay.base.errors import ServerError
from assay.design.folder import Scalar
from assay.design.study import option_text, switch_value
from assay.system.server.process.private import PrivateDir
from assay.system.server.process.program import run_tool
from assay.system.server.release.build import Build

_OPTION = re.compile(r"^\s+(?:-\w, )?--([a-z][\w-]*)(?:\[?=(#|name)\]?)?(?=\s|$)", re.IGNORECASE)
_RULE = re.compile(r"^-{20,} -{5,}\s*$")
_TIMEOUT_S = 60.0
# Old servers open these files before they print their help: they need a data directory to do it in.
_OPENED = frozenset({"log_bin", "relay_log"})
_LISTED = "--verbose --help, options and those without value"
_CRASHED = " got signal "
_NOTHING: Mapping[str, Scalar] = MappingProxyType({})
_LOADS = ("plugin_load", "plugin_load_add", "early_plugin_load")
"""Options that load plugins, whose own variables a server then has."""
_ADMITS = "plugin_maturity"
"""The option by which MariaDB refuses some of them."""


@dataclass(frozen=True)
class Catalogue:
    """The variables of a build with their default values, and which of them are numbers.

    `options` are those that set no variable, such as `plugin_load_add`: a server takes them, and SHOW
    VARIABLES has nothing of them; `bare` are those of them that take no value.
    """

    defaults: Mapping[str, str]
    numeric: frozenset[str]
    options: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()

    def knows(self, variable: str) -> bool:
        return plain(variable) in self.defaults or plain(variable) in self.options

    def is_bare(self, option: str, value: Scalar) -> bool:
        """Returns whether an option that is switched on is written without its value."""
        return plain(option) in self.bare and switch_value(value) is True

    def nearest(self, variable: str) -> list[str]:
        """Returns up to three known names, the closest first."""
        return difflib.get_close_matches(plain(variable), self.defaults, n=3, cutoff=0.7)


@dataclass(frozen=True)
class Trial:
    """A build's reaction to options: the values it would use, and its messages about them."""

    accepted: bool
    values: Mapping[str, str]
    messages: tuple[str, ...]


@dataclass(frozen=True)
class _Kept:
    """An accepted trial as it is kept: its values as what differs from the default ones."""

    changed: dict[str, str]
    missing: list[str]
    messages: tuple[str, ...]

    @classmethod
    def of(cls, trial: Trial, defaults: Mapping[str, str]) -> _Kept:
        changed = dict(trial.values.items() - defaults.items())
        return cls(changed, sorted(defaults.keys() - trial.values.keys()), trial.messages)

    def trial(self, defaults: Mapping[str, str]) -> Trial:
        values = {name: value for name, value in defaults.items() if name not in self.missing}
        return Trial(True, {**values, **self.changed}, self.messages)


def plain(variable: str) -> str:
    """Returns a variable's name as SHOW VARIABLES has it."""
    return variable.strip().lower().replace("-", "_")


def loading(variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns those of the variables that load plugins."""
    return {name: value for name, value in variables.items() if plain(name).removeprefix("loose_") in _LOADS}


def loads_of(build: Build, variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns those of the variables that decide which plugins a server of this build loads; none that it
    does not have, of which it would say nothing else.
    """
    loads, own = loading(variables), _catalogue(build, ())
    return {
        name: value
        for name, value in variables.items()
        if (name in loads or (loads and plain(name).removeprefix("loose_") == _ADMITS))
        and (plain(name).startswith("loose_") or own.knows(name))
    }


def catalogue(build: Build, variables: Mapping[str, Scalar] = _NOTHING) -> Catalogue:
    """Returns a build's variables, with those of the plugins that a study's `variables` load: a server knows
    them no sooner.

    Raises ServerError when the binary does not answer (in some 60 ms).
    """
    loads = loads_of(build, variables) if loading(variables) else {}
    return _catalogue(build, tuple(f"--{plain(name)}={option_text(value)}" for name, value in loads.items()))


@lru_cache(maxsize=64)
def _catalogue(build: Build, loads: tuple[str, ...]) -> Catalogue:
    if loads:  # asked again by each process: a library may have been installed since
        try:
            return _listed(build, loads)
        except ServerError:  # it refuses an option, which is told by whoever tries them
            return _catalogue(build, ())
    kept = build.answers.get((_LISTED,), Catalogue)
    if kept is None:
        kept = _listed(build)
        build.answers.keep((_LISTED,), kept)
    return kept


def usual_values(build: Build) -> dict[str, str]:
    """Returns the values that a private server has without the study's variables, but for those that the lab
    presets.
    """
    preset = {one.name for one in build.flavour.presets_for(build.version)}
    return {name: value for name, value in catalogue(build).defaults.items() if name not in preset}


def _listed(build: Build, loads: Sequence[str] = ()) -> Catalogue:
    trial, text = _ask(build, loads)
    if not trial.values:
        raise ServerError(
            f"{build} does not list its variables", detail="\n".join(trial.messages[-10:]) or None
        )
    listed = {plain(found[1]): found[2] for line in text.splitlines() if (found := _OPTION.match(line))}
    numeric = frozenset(name for name, kind in listed.items() if kind == "#")
    options = frozenset(listed.keys() - trial.values.keys())
    return Catalogue(trial.values, numeric, options, frozenset(name for name in options if not listed[name]))


def try_options(build: Build, variables: Mapping[str, Scalar]) -> Trial:
    """Returns a build's reaction to these options; no server is started.

    A build is asked once about options that it accepts. Options that it refuses, or that name files or
    plugins, are asked about again: what is missing may have been installed since.
    """
    known = catalogue(build)
    return _try(
        build,
        tuple(
            f"--{plain(name)}" + ("" if known.is_bare(name, value) else f"={option_text(value)}")
            for name, value in variables.items()
        ),
    )


@lru_cache(maxsize=1024)
def _try(build: Build, options: tuple[str, ...]) -> Trial:
    if not _OPENED.isdisjoint(option.lstrip("-").partition("=")[0] for option in options):
        with PrivateDir() as private:
            return _ask(build, options, {"datadir": str(private.path)})[0]
    if any("/" in option or "plugin" in option for option in options):
        return _ask(build, options)[0]
    defaults = catalogue(build).defaults
    if (kept := build.answers.get(options, _Kept)) is not None:
        return kept.trial(defaults)
    trial = _ask(build, options)[0]
    if trial.accepted:
        build.answers.keep(options, _Kept.of(trial, defaults))
    return trial


def _ask(
    build: Build, options: Sequence[str] = (), places: Mapping[str, str] | None = None
) -> tuple[Trial, str]:
    done = _help(build, {**build.placement, **(places or {})}, options)
    if _CRASHED in done.stderr:
        # MariaDB 10.1.8 reads the tables of plugins before it prints its help, and needs them there.
        done = _help(build, {**build.placement, "datadir": str(_data_directory(build).path)}, options)
    values = _table(done.stdout)
    messages = tuple(line.strip() for line in done.stderr.splitlines() if line.strip())
    return Trial(done.returncode == 0, values, messages), done.stdout


def _help(
    build: Build, places: Mapping[str, str], options: Sequence[str]
) -> subprocess.CompletedProcess[str]:
    return run_tool(
        [
            *(*build.command, "--no-defaults"),
            *(f"--{name}={value}" for name, value in places.items()),
            *(*options, "--verbose", "--help"),
        ],
        timeout_s=_TIMEOUT_S,
        environment=build.environment,
    )


@lru_cache(maxsize=16)
def _data_directory(build: Build) -> PrivateDir:
    """Returns a private data directory with system tables, made once a process, removed with it."""
    from assay.system.server.data.data_directory import system_tables  # which reads variables by this module

    private = PrivateDir()
    atexit.register(private.remove)
    system_tables(build, private.path, {})
    return private


def _table(text: str) -> dict[str, str]:
    """Returns the `name value` table at the end of the help text."""
    lines = iter(text.splitlines())
    for line in lines:
        if _RULE.match(line):
            break
    values: dict[str, str] = {}
    for line in lines:
        if not line.strip():
            break
        name, _, value = line.partition(" ")
        values[plain(name)] = value.strip()
    return values
