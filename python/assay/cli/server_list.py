"""Prints the output of `assay server list`: servers here, servers that can be fetched, servers that run."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import msgspec

from assay.errors import HostError
from assay.server import find_build
from assay.server.flavour import FLAVOURS, flavour_named
from assay.server.process import started
from assay.server.release import servers_dir, unpacked


@dataclass(frozen=True)
class Line:
    """One server that a study may `use`. `state`: installed, unpacked, or to get (then `binary` is empty)."""

    use: str
    state: str
    version: str
    binary: str
    source: str


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
        for release in flavour.releases:
            length = len(release.version)
            if not any(name == flavour.name and v[:length] == release.version for name, v in have):
                use = f"{flavour.name}@{release.number}"
                size = f", {release.megabytes} MB" if release.megabytes else ""
                lines.append(Line(use, "to get", release.number, "", f"{release.source}{size}"))
    return lines


def as_text() -> str:
    """Returns the servers as text, then those that run."""
    out = [f"{line.use:17} {line.state:10} {line.binary or line.source}" for line in servers()]
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
