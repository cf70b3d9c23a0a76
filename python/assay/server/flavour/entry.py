"""The types a flavour is written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.folder import Scalar
from assay.server.flavour.release import Release, Version


@dataclass(frozen=True, kw_only=True)
class Span:
    """Versions for which something holds: `since <= version < until`."""

    since: Version = ()
    until: Version | None = None

    def holds(self, version: Version) -> bool:
        return self.since <= version and (self.until is None or version < self.until)


@dataclass(frozen=True, kw_only=True)
class InstallScript(Span):
    """A data directory is made by a script in bin/ or scripts/ of the base directory."""

    scripts: tuple[str, ...]
    options: tuple[str, ...]
    tools: tuple[str, ...] = ()  # programs beside the script that it cannot do without


@dataclass(frozen=True, kw_only=True)
class Initialize(Span):
    """The server makes its data directory itself, with an option."""

    options: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Span):
    """The server reads SQL files of its share directory with `--bootstrap` (no script needed)."""

    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Preset(Span):
    """An option that the lab sets unless the study does. `value=None`: the bare option."""

    name: str
    value: str | None
    why: str
    unless: str | None = None  # another variable that, when the study sets it, makes this one wrong


@dataclass(frozen=True, kw_only=True)
class Renamed:
    """A variable that got another name, or lost its meaning (`new` is None), in version `since`.

    `alike`: under both names a value means the same, so that a study may say either.
    """

    old: str
    new: str | None
    since: Version
    note: str = ""
    alike: bool = False


@dataclass(frozen=True, kw_only=True)
class SemiSync:
    """`source` and `replica` begin the names of its variables and status values.

    `plugins` are what either side must load: name -> file. None: it is built in.
    """

    source: str
    replica: str
    plugins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Replication(Span):
    """What replication is called, and what it needs.

    `change` begins the statement that names the source, `source` its options (`MASTER_HOST`) and columns of
    the status, `replica` ends the statements (`START SLAVE`) and begins other columns (`Slave_IO_Running`);
    `where` shows the source's position. `by_gtid` and `by_file` are the options that choose how a replica
    finds its place, `options` those that it always gets. `variables` are needed on every server,
    `gtid_variables` besides where places are found by GTID.
    """

    change: str
    source: str
    replica: str
    where: str
    semi_sync: SemiSync
    by_gtid: str | None = None
    by_file: str | None = None
    options: tuple[str, ...] = ()
    variables: Mapping[str, Scalar] = field(default_factory=dict)
    gtid_variables: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Divided(Span):
    """A size that these versions are given as the size of each of several files.

    `whole` is `each` times `count`; `count=None`: there is one file. A study says `whole`, for every server.
    """

    whole: str
    each: str
    count: str | None = None


@dataclass(frozen=True, kw_only=True)
class FixedFiles(Span):
    """Files that these versions make once and refuse to start with when their size or number is another.

    After a clean stop they hold nothing: they can go, and the server makes new ones.
    """

    files: str  # a pattern, in the data directory
    each: str
    count: str


@dataclass(frozen=True, kw_only=True)
class Flavour:
    """One family of servers.

    `binaries` and `title` name it; `ways` make a data directory (the first that holds and is there is used);
    `presets` are options that the lab sets; `renamed` explains old variable names, `introduced` new ones;
    before `switch_words_since` some switches take 1 and 0 only, and read OFF as on;
    `divided` says a size once where a server has it in parts, `fixed_files` what must go for another size;
    `releases` is the catalogue: versions that `assay server get` can fetch; `how_to_get` is shown when none
    is found; `replication` says how servers replicate, one entry a span of versions.
    """

    name: str
    title: str
    binaries: tuple[str, ...]
    ways: tuple[InstallScript | Initialize | Bootstrap, ...]
    how_to_get: str
    presets: tuple[Preset, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    introduced: Mapping[str, Version] = field(default_factory=dict)
    divided: tuple[Divided, ...] = ()
    switch_words_since: Version = ()
    fixed_files: tuple[FixedFiles, ...] = ()
    releases: tuple[Release, ...] = ()
    replication: tuple[Replication, ...] = ()

    def release(self, wanted: Version) -> Release | None:
        """The newest release of the catalogue that is called by this version, or by its first numbers."""
        fitting = [release for release in self.releases if release.version[: len(wanted)] == wanted]
        return max(fitting, key=lambda release: release.version, default=None)

    def presets_for(self, version: Version) -> list[Preset]:
        return [preset for preset in self.presets if preset.holds(version)]

    def successor(self, variable: str, version: Version) -> Renamed | None:
        """What became of a variable by this version, when it was renamed or removed."""
        for entry in self.renamed:
            if entry.old == variable and version >= entry.since:
                return entry
        return None

    def predecessor(self, variable: str, version: Version) -> Renamed | None:
        """What a variable was called before it got its new name, when this version is older than that."""
        for entry in self.renamed:
            if entry.new == variable and version < entry.since:
                return entry
        return None

    def division(self, variable: str, version: Version) -> Divided | None:
        """The parts into which this version divides a size; None where it takes the size whole."""
        return next((one for one in self.divided if one.whole == variable and one.holds(version)), None)

    def other_names(self, variable: str) -> list[str]:
        """Names under which the same value means the same, in one version or another."""
        alike = [entry for entry in self.renamed if entry.alike and entry.new]
        newer = [entry.new for entry in alike if entry.new and entry.old == variable]
        return [*newer, *(entry.old for entry in alike if entry.new == variable)]
