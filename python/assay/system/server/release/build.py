"""A server build: one binary on this machine, with its libraries and messages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.base.errors import HostError
from assay.system.server.flavour import FORK, Flavour, flavour_named, flavour_of, this_machine
from assay.system.server.process.program import run_tool
from assay.system.server.release.answers import Answers
from assay.system.server.release.elf import machine_of

_MISSING = re.compile(r"error while loading shared libraries: (\S+):")
# Libraries that servers are linked with, and Debian's packages of them.
_PACKAGES = {
    "libaio.so.1": "libaio1",
    "libnuma.so.1": "libnuma1",
    "libncurses.so.5": "libncurses5",
    "libtinfo.so.5": "libtinfo5",
    "libatomic.so.1": "libatomic1",
    "liburing.so.2": "liburing2",
}

_VERSION_ASKED = ("--no-defaults", "--version")
_DIGEST_ASKED = ("sha256",)  # of Assay itself, no argument of the binary
_VERSION = re.compile(r"\bVer (?:\S+ Distrib )?((\d+)\.(\d+)(?:\.(\d+))?\S*)")


@dataclass(frozen=True)
class Build:
    """One server binary. `version` is numbers such as (10, 11, 19), `version_text` is the binary's own
    version line.

    It must be started with `command` and `environment`, since it may bring libraries, and a loader with its
    own libc.
    """

    flavour_name: str
    version: tuple[int, ...]
    version_text: str
    mysqld: Path
    basedir: Path
    messages_dir: Path | None  # holds english/errmsg.sys; None: the binary's compiled-in one
    libraries: tuple[Path, ...] = ()  # searched before the machine's own
    loader: Path | None = None  # the dynamic linker that its libc belongs to

    @property
    def command(self) -> list[str]:
        """The command line of the binary, before its options."""
        return program(self.mysqld, self.libraries, self.loader)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the binary needs."""
        return surroundings(self.libraries, self.loader)

    @property
    def answers(self) -> Answers:
        """What this build has answered to earlier commands."""
        return _answers(self.mysqld, self.libraries, self.loader)

    @property
    def flavour(self) -> Flavour:
        return flavour_named(self.flavour_name)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the server's binary, in hex; a file is read once in each of its states."""
        answers = self.answers  # of the file's state before it is read: it may be replaced meanwhile
        digest = answers.get(_DIGEST_ASKED, str)
        if digest is None:
            with self.mysqld.open("rb") as binary:
                digest = hashlib.file_digest(binary, "sha256").hexdigest()
            answers.keep(_DIGEST_ASKED, digest)
        return digest

    @property
    def key(self) -> str:
        """A short unique name of the build for the dataset cache: `mariadb-10.11.19-3f2a9c01`."""
        return f"{self.flavour_name}-{self.version_number}-{self.sha256[:8]}"

    @property
    def version_number(self) -> str:
        return ".".join(map(str, self.version))

    def __str__(self) -> str:
        return f"{self.flavour.title} {self.version_number} ({self.mysqld})"

    @property
    def placement(self) -> dict[str, str]:
        """The options that tell the binary where its own files are."""
        options = {"basedir": str(self.basedir)}
        if self.messages_dir is not None:
            options["lc_messages_dir"] = str(self.messages_dir)
            if (self.messages_dir / "charsets").is_dir():
                options["character_sets_dir"] = str(self.messages_dir / "charsets")
        return options


def program(mysqld: Path, libraries: Sequence[Path], loader: Path | None) -> list[str]:
    """Returns the command line of a binary; with a loader, the binary is the loader's argument."""
    if loader is None:
        return [str(mysqld)]
    return [str(loader), "--library-path", ":".join(map(str, libraries)), str(mysqld)]


def surroundings(libraries: Sequence[Path], loader: Path | None) -> dict[str, str]:
    """Returns the environment variable for the libraries; empty with a loader, which is given them as an
    argument, so that a shell that the server starts keeps its own.
    """
    return {"LD_LIBRARY_PATH": ":".join(map(str, libraries))} if libraries and loader is None else {}


def read_build(
    mysqld: Path, basedir: Path | None = None, libraries: tuple[Path, ...] = (), loader: Path | None = None
) -> Build:
    """Asks a binary for its version, and returns its build. Raises HostError when it cannot run or states no
    version.
    """
    mysqld = mysqld.resolve()
    # ".../sbin/mysqld" and ".../bin/mysqld" both lie one step under the base directory.
    base = basedir.resolve() if basedir else mysqld.parent.parent
    answers = _answers(mysqld, libraries, loader)
    text = answers.get(_VERSION_ASKED, str)
    if text is None:
        text = _version_text(mysqld, libraries, loader)
        answers.keep(_VERSION_ASKED, text)
    found = _VERSION.search(text)
    assert found is not None
    return Build(
        flavour_name=_flavour_name(text[found.start() :]),
        version=tuple(int(part) for part in found.group(2, 3, 4) if part is not None),
        version_text=text.removeprefix(str(mysqld)).strip(),
        mysqld=mysqld,
        basedir=base,
        messages_dir=_messages_dir(base),
        libraries=libraries,
        loader=loader,
    )


def _flavour_name(said: str) -> str:
    """Returns a binary's flavour. One that nobody has named is started as MySQL is, and called a fork."""
    flavour = flavour_of(said)
    return flavour.name if flavour.binaries else FORK.name


def _answers(mysqld: Path, libraries: Sequence[Path], loader: Path | None) -> Answers:
    files = (mysqld,) if loader is None else (mysqld, loader)
    return Answers(program(mysqld, libraries, loader), surroundings(libraries, loader), files)


def _version_text(mysqld: Path, libraries: Sequence[Path], loader: Path | None) -> str:
    command = program(mysqld, libraries, loader)
    done = run_tool([*command, *_VERSION_ASKED], timeout_s=30, environment=surroundings(libraries, loader))
    text = done.stdout.strip()
    if missing := _MISSING.search(done.stderr):
        library = missing[1]
        package = _PACKAGES.get(library)
        install = f"apt-get install {package}" if package else f"apt-file search {library}"
        raise HostError(
            f"{mysqld} needs {library}, which this machine does not have",
            hint=f"install the package that has it; on Debian and Ubuntu: {install}",
        )
    if done.returncode != 0 or not _VERSION.search(text):
        machine = machine_of(mysqld)
        if machine not in (None, this_machine()):
            raise HostError(
                f"{mysqld} is a program for {machine}, this machine is {this_machine()}",
                hint=f"give a server for {this_machine()}; assay server list shows those of the catalogue",
            )
        raise HostError(
            f"{mysqld} does not print its version (exit status {done.returncode})",
            hint=f"try it: {' '.join(command)} --no-defaults --version",
            detail=(done.stderr or text).strip()[-2000:] or None,
        )
    return text


def _messages_dir(base: Path) -> Path | None:
    share = base / "share"
    places = [
        share,
        share / "mysql",
        share / "mariadb",
        *sorted(share.glob("mysql*")),
        *sorted(share.glob("mariadb*")),
    ]
    return next((place for place in places if (place / "english" / "errmsg.sys").is_file()), None)
