"""Translates a study's variables into the names, or the parts, that a version and flavour has for them.

The name on a given server is asked of that server; the flavour only says which names mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.base.errors import InputError
from assay.design.folder import Scalar
from assay.design.study import number, option_text, variable_set
from assay.system.server.flavour import Divided, Flavour, Version, flavour_named
from assay.system.server.release.build import Build
from assay.system.server.variables.catalogue import Catalogue, catalogue, plain

NAMED_SWITCHES = frozenset({"log_bin", "relay_log"})
"""Variables that take a file name and report whether they are on."""


@dataclass(frozen=True)
class TranslatedVariable:
    """A variable in the form a build is given it. Where a size is divided over `files`, `value` is for each
    and `asked` for all of them.
    """

    said: str
    asked: Scalar
    name: str
    value: Scalar
    files: int | None = None
    is_bare: bool = False  # the name alone is the option

    @property
    def note(self) -> str:
        """The study's own name and value, where the server is given another; otherwise empty."""
        if self.files is None:
            return "" if plain(self.said) == self.name else f"{self.said} of the study"
        shape = "in one file" if self.files == 1 else f"in {self.files} files"
        return f"{self.said} = {option_text(self.asked)} of the study, {shape}"


def settings(build: Build, variables: Mapping[str, Scalar]) -> list[TranslatedVariable]:
    """Returns the variables by the names of this build's options; a variable that it does not know keeps the
    study's name. A `loose_` one that it does not know is left out, as the server itself would.

    Raises InputError when the study sets one variable by two names, or a size that cannot be divided.
    """
    found: dict[str, TranslatedVariable] = {}
    known = catalogue(build, variables)
    for name, value in variables.items():
        setting = _setting(build, known, name, value, variables)
        if is_loose(name) and not known.knows(setting.name):
            continue
        if other := found.get(setting.name):
            raise _twice(build, other.said, name, setting.name)
        found[setting.name] = setting
    for divided in build.flavour.divided:
        # Versions that know both take one of them, and say nothing of the other.
        if divided.whole in found and divided.each in found:
            raise _twice(build, found[divided.each].said, found[divided.whole].said, divided.whole)
    return list(found.values())


def is_loose(name: str) -> bool:
    """Returns whether a server that does not know this option shall go without it."""
    return plain(name).startswith("loose_")


def translate(build: Build, variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the variables by the names of this build's options, as name and value."""
    return {setting.name: setting.value for setting in settings(build, variables)}


def name_there(flavour: Flavour, name: str, knows: Callable[[str], bool]) -> str | None:
    """Returns the first known of the name itself and those that mean the same; None when none is known."""
    return next((other for other in (plain(name), *flavour.other_names(plain(name))) if knows(other)), None)


def value_there(flavour: Flavour, version: Version, name: str, actual: Mapping[str, str]) -> str | None:
    """Returns a running server's value of a variable, under any of its names or summed from its parts; None
    when it has none.
    """
    if there := name_there(flavour, name, actual.__contains__):
        return actual[there]
    divided = flavour.division(plain(name), version)
    if divided is None or divided.each not in actual:
        return None
    one, files = number(actual[divided.each]), number(actual.get(divided.count or "", "1"))
    return None if one is None or files is None else str(int(one * files))


def reported_option(
    flavour: str, version: Version, name: str, value: Scalar, reported: Mapping[str, str]
) -> tuple[str, str]:
    """Returns name and value of a study's variable as an options file of a server has them.

    `reported` are the variables of that server while it had this value. A variable that is not among them
    keeps the study's name.
    """
    server, text = flavour_named(flavour), option_text(value)
    there = name_there(server, name, reported.__contains__)
    divided = None if there else server.division(plain(name), version)
    if divided is not None and divided.each in reported:
        return divided.each, reported[divided.each]
    if there is None or version >= server.switch_words_since or text.lower() not in ("on", "off"):
        return there or plain(name), text
    switches = reported[there].upper() in ("ON", "OFF")
    return there, str(int(text.lower() == "on")) if switches else text


def known_only(build: Build, variables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the variables without those that this build does not know: for settings of the lab's own, which
    old servers may lack.
    """
    known = catalogue(build, variables)
    return {
        name: value
        for name, value in variables.items()
        if name_there(build.flavour, name, known.knows) or _division(build, known, name)
    }


def _setting(
    build: Build, known: Catalogue, name: str, value: Scalar, variables: Mapping[str, Scalar]
) -> TranslatedVariable:
    said, asked = name, value
    variable, set_to = variable_set(name, value)
    if plain(name) not in known.defaults and name_there(build.flavour, variable, known.knows):
        name, value = variable, set_to  # skip_log_bin is log_bin, off
    there = name_there(build.flavour, name, known.knows)
    divided = None if there else _division(build, known, name)
    if divided is None:
        bare = known.is_bare(there or name, value)
        written = _switch(build, known, there, value)
        return TranslatedVariable(said, asked, there or plain(name), written, is_bare=bare)
    files = _files(known, divided, variables)
    size = number(option_text(value))
    if size is None:
        # Refused later, with what to write.
        return TranslatedVariable(name, value, divided.each, value, files)
    if size % files:
        raise InputError(
            f"{name} = {option_text(value)} cannot be divided among the {files} redo files of {build}",
            hint=f"write a multiple of {files} MiB; {divided.each} is the size of each file",
        )
    return TranslatedVariable(name, value, divided.each, int(size) // files, files)


def _switch(build: Build, known: Catalogue, there: str | None, value: Scalar) -> Scalar:
    """Returns 1 or 0 for old servers, which do not read words for some switches; otherwise the value."""
    text = option_text(value).lower()
    if there is None or build.version >= build.flavour.switch_words_since or text not in ("on", "off"):
        return value
    return int(text == "on") if known.defaults.get(there) in ("TRUE", "FALSE") else value


def _division(build: Build, known: Catalogue, name: str) -> Divided | None:
    divided = build.flavour.division(plain(name), build.version)
    return divided if divided and known.knows(divided.each) else None


def _files(known: Catalogue, divided: Divided, variables: Mapping[str, Scalar]) -> int:
    """Returns the number of files that the study asks for, or else the server's default."""
    if divided.count is None:
        return 1
    said = {plain(name): option_text(value) for name, value in variables.items()}
    files = number(said.get(divided.count) or known.defaults.get(divided.count, "1"))
    return max(1, int(files or 1))


def _twice(build: Build, one: str, other: str, there: str) -> InputError:
    where = f"{build.flavour.title} {build.version_number}"
    return InputError(
        f"server variables {one} and {other} are one variable on {where}",
        hint=f"take one of them out of the study; this server calls it {there}",
    )
