"""Makes a private apt directory that asks the same Debian archive for another suite; the system's stays
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError

SOURCES = Path("/etc/apt")
OS_RELEASE = Path("/etc/os-release")


@dataclass(frozen=True)
class PackageSource:
    """One apt package source of this machine."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str | None


def options_for_suite(suite: str, folder: Path) -> list[str]:
    """Returns apt-get options that ask the archive of this machine for `suite`, with all state in `folder`.

    The address and the trusted keys are those of the machine's own source. Raises HostError when it has no
    Debian source.
    """
    entry = own_debian_source()
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    signed = f"Signed-By: {entry.signed_by}\n" if entry.signed_by else ""
    source = folder / "suite.sources"
    source.write_text(f"Types: deb\nURIs: {entry.uri}\nSuites: {suite}\nComponents: main\n{signed}")
    settings = {
        "Dir::Etc::sourcelist": source,
        "Dir::Etc::sourceparts": "-",
        "Dir::State": folder / "state",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": folder / "cache",
        "Acquire::Languages": "none",
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def own_debian_source() -> PackageSource:
    """Returns the source of this machine's main Debian packages."""
    system = dict(
        line.split("=", 1) for line in OS_RELEASE.read_text().splitlines() if "=" in line
    ) if OS_RELEASE.is_file() else {}  # fmt: skip
    codename = system.get("VERSION_CODENAME", "").strip('"')
    if system.get("ID", "").strip('"') == "debian" and codename:
        for entry in _entries():
            if codename in entry.suites and "main" in entry.components:
                return entry
    raise HostError(
        "cannot ask for another suite: this machine has no Debian package source",
        hint="do this on a Debian machine (a container will do), or unpack a vendor's tarball: "
        "assay server get FILE.tar.gz",
    )


def _entries() -> Iterator[PackageSource]:
    for file in sorted([*SOURCES.glob("sources.list"), *SOURCES.glob("sources.list.d/*")]):
        if file.suffix == ".sources":
            for stanza in re.split(r"\n\s*\n", file.read_text()):
                yield from _deb822(stanza)
        elif file.suffix == ".list":
            for line in file.read_text().splitlines():
                yield from _one_line(line)


def _deb822(stanza: str) -> Iterator[PackageSource]:
    fields: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line.startswith("#"):
            continue
        if line[:1].isspace():
            fields[name] = f"{fields.get(name, '')}\n{line}"
            continue
        name, _, value = line.partition(":")
        name = name.strip().lower()
        fields[name] = value.strip()
    if "deb" in fields.get("types", "").split() and fields.get("enabled", "yes").lower() != "no":
        yield PackageSource(
            uri=fields.get("uris", "").split()[0],
            suites=tuple(fields.get("suites", "").split()),
            components=tuple(fields.get("components", "").split()),
            signed_by=fields.get("signed-by"),
        )


def _one_line(line: str) -> Iterator[PackageSource]:
    found = re.match(
        r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<rest>[^#]+)", line
    )
    if found:
        signed = re.search(r"signed-by=(\S+)", found["options"] or "")
        yield PackageSource(
            found["uri"], (found["suite"],), tuple(found["rest"].split()), signed[1] if signed else None
        )
