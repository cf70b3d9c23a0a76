"""Lists the versions between two builds: those on this machine, and those that the catalogue can fetch."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import AssayError, HostError, InputError
from assay.measurement.run import RunProgress
from assay.system.server import Build, find_build, get_release
from assay.system.server.flavour import FLAVOURS
from assay.system.server.release import unpacked


def row_of(good: str, bad: str, between: Sequence[str] | None, progress: RunProgress) -> list[str]:
    """Returns the builds to search, from the good one to the bad one; with `between` None, the known ones
    between them.

    Raises what `build_of` and `versions_between` raise.
    """
    named = [use.partition("@")[0] for use in (good, bad)]
    if between is None and named[0] != named[1] and FLAVOURS.keys() >= set(named):
        raise _no_order(*named)  # before either is fetched
    if between is None:
        between = versions_between(build_of(good, progress), build_of(bad, progress))
    return [good, *(one for one in between if one not in (good, bad)), bad]


def versions_between(good: Build, bad: Build) -> list[str]:
    """Returns `flavour@version` of the versions strictly between two builds, from the good one to the bad
    one.

    Raises InputError where they are of two flavours, whose versions have no order.
    """
    if good.flavour_name != bad.flavour_name:
        raise _no_order(good.flavour_name, bad.flavour_name)
    name = good.flavour_name
    known = {release.version: release.number for release in FLAVOURS[name].releases}
    known |= {manifest.numbers: manifest.version for _, manifest in unpacked() if manifest.flavour == name}
    try:
        installed = find_build(name)
        known[installed.version] = installed.version_number
    except AssayError:
        pass
    low, high = sorted((good.version, bad.version))
    between = sorted(numbers for numbers in known if low < numbers < high)
    found = [f"{name}@{known[numbers]}" for numbers in between]
    return found if good.version < bad.version else found[::-1]


def build_of(use: str, progress: RunProgress) -> Build:
    """Returns the build that `use` names; fetched where the catalogue has it and this machine does not.

    Raises InputError for an unknown name or a running server, HostError where the build cannot be fetched.
    """
    try:
        return find_build(use)
    except HostError:
        if use.startswith("path:"):
            raise
    return get_release(use, progress.note, lambda _: None)


def _no_order(good: str, bad: str) -> InputError:
    return InputError(
        f"versions of {good} and {bad} have no common order",
        hint="list the builds between with --versions, from good to bad; --versions '' means none",
    )
