"""Prints the output of `assay server list`: servers here, servers that can be fetched, servers that run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import msgspec

from assay.base.errors import HostError
from assay.system.server import find_build
from assay.system.server.flavour import FLAVOURS, Version, flavour_named
from assay.system.server.process import started
from assay.system.server.release import age, servers_dir, unpacked


@dataclass(frozen=True)
class Line:
    """One server that a study may `use`. `state`: installed, unpacked, or to get (then `binary` is empty).

    `names` are shorter names that mean this one now; `age` is the month of its release, with a mark where
    that is old or its series has newer ones.
    """

    use: str
    state: str
    version: str
    binary: str
    source: str
    age: str = ""
    names: tuple[str, ...] = ()


def servers() -> list[Line]:
    """Returns the installed server of each flavour, unpacked ones, and the rest of the catalogue."""
    lines = []
    here = unpacked()
    for name in FLAVOURS:
        try:
            build = find_build(name)
        except HostError:
            continue
        if not build.mysqld.resolve().is_relative_to(servers_dir().resolve()):
            lines.append(Line(name, "installed", build.version_number, str(build.mysqld), "this machine"))
    for folder, manifest in here:
        use = f"{manifest.flavour}@{manifest.version}"
        binary = str(manifest.build(folder).mysqld)
        lines.append(Line(use, "unpacked", manifest.version, binary, manifest.source))
    have = [(manifest.flavour, manifest.numbers) for _, manifest in here]
    for flavour in FLAVOURS.values():
        for release in flavour.releases_here:
            length = len(release.version)
            if not any(name == flavour.name and v[:length] == release.version for name, v in have):
                use = f"{flavour.name}@{release.number}"
                size = f", {release.megabytes} MB" if release.megabytes else ""
                lines.append(Line(use, "to get", release.number, "", f"{release.source}{size}"))
    return [replace(line, age=_age(line), names=_names(line, lines)) for line in lines]


def _age(line: Line) -> str:
    return age(FLAVOURS[_flavour(line)], _numbers(line)) if _flavour(line) in FLAVOURS else ""


def _names(line: Line, lines: Sequence[Line]) -> tuple[str, ...]:
    """Returns the names shorter than its own, shortest first, for which this server is taken: installed ones
    come before unpacked ones, and those before the catalogue's; of two alike, the newer one.
    """
    rank = {"installed": 2, "unpacked": 1, "to get": 0}
    names, own = [], _numbers(line)
    for length in range(min(len(own), 3)):
        name = "@".join(filter(None, (_flavour(line), ".".join(map(str, own[:length])))))
        rivals = [
            one for one in lines if _flavour(one) == _flavour(line) and _numbers(one)[:length] == own[:length]
        ]
        if name != line.use and line is max(rivals, key=lambda one: (rank[one.state], _numbers(one))):
            names.append(name)
    return tuple(names)


def _flavour(line: Line) -> str:
    return line.use.partition("@")[0]


def _numbers(line: Line) -> Version:
    return tuple(map(int, line.version.split(".")))


def as_text() -> str:
    """Returns the servers as text, then those that run."""
    out = []
    for line in servers():
        version = [line.version] if line.state == "installed" else []
        release = "; ".join(
            filter(None, (*version, line.age, *([f"is {', '.join(line.names)}"] if line.names else [])))
        )
        out.append(f"{line.use:17} {line.state:10} {release:62} {line.binary or line.source}")
    for entry in started():
        where = f"pid {entry.pid}, {entry.socket}" if entry.state == "ready" else f"kept by {entry.keeper}"
        title = f"{flavour_named(entry.flavour).title} {entry.version}"
        state = "running" if entry.state == "ready" else "starting"
        out.append(f"{entry.name:17} {state:10} {title}, {where}")
    return "\n".join(out)


def as_records() -> list[dict[str, object]]:
    """Returns servers for `--json`; those that run have a `name` instead of a `use`."""
    return [
        *(asdict(line) for line in servers()),
        *({**msgspec.structs.asdict(entry), "state": _state(entry.state)} for entry in started()),
    ]


def _state(state: str) -> str:
    return "running" if state == "ready" else state
