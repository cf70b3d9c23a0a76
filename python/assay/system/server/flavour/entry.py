"""The types of which a flavour's data are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.design.folder import Scalar
from assay.system.server.flavour.release import Release, Version, this_machine


@dataclass(frozen=True, kw_only=True)
class Span:
    """The versions for which an entry holds: `since <= version < until`."""

    since: Version = ()
    until: Version | None = None

    def holds(self, version: Version) -> bool:
        return self.since <= version and (self.until is None or version < self.until)


@dataclass(frozen=True, kw_only=True)
class InstallScript(Span):
    """Makes a data directory by a script in bin/ or scripts/ of the base directory."""

    scripts: tuple[str, ...]
    options: tuple[str, ...]
    tools: tuple[str, ...] = ()  # programs beside the script that it cannot do without


@dataclass(frozen=True, kw_only=True)
class Initialize(Span):
    """Makes a data directory by an option of the server itself."""

    options: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Span):
    """Makes a data directory from SQL files of the server's share directory, with `--bootstrap` and no
    script.
    """

    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Preset(Span):
    """An option that the lab sets unless the study does. `value=None` gives the option without a value."""

    name: str
    value: str | None
    why: str
    unless: str | None = None  # another variable that, when the study sets it, makes this one wrong


@dataclass(frozen=True, kw_only=True)
class Renamed:
    """A variable that got another name, or lost its meaning (`new` is None), in version `since`.

    `alike`: a value means the same under both names, so that a study may use either.
    """

    old: str
    new: str | None
    since: Version
    note: str = ""
    alike: bool = False


@dataclass(frozen=True, kw_only=True)
class SemiSync:
    """The names of semi-synchronous replication: `source` and `replica` are the prefixes of its variables and
    status values.

    `plugins` maps the plugins that each side must load to their files; None where it is built in.
    """

    source: str
    replica: str
    plugins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Replication(Span):
    """The statements, names and variables of replication in these versions.

    `change` begins the statement that names the source, `source` its options (`MASTER_HOST`) and columns of
    the status, `replica` ends the statements (`START SLAVE`) and begins other columns (`Slave_IO_Running`);
    `where` shows the source's position. `by_gtid` and `by_file` are the options that choose how a replica
    finds its position, `options` those that it always gets. `variables` are needed on every server,
    `gtid_variables` in addition where positions are found by GTID.
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
    """A size that these versions take as the size of each of several files.

    `whole` is `each` times `count`; `count=None` means one file. A study sets `whole`, for every server.
    """

    whole: str
    each: str
    count: str | None = None


@dataclass(frozen=True, kw_only=True)
class FixedFiles(Span):
    """Files that these versions make once, and whose size or number cannot be changed at a start.

    After a clean stop they hold nothing: they can be removed, and the server makes new ones.
    """

    files: str  # a pattern, in the data directory
    each: str
    count: str


@dataclass(frozen=True, kw_only=True)
class Flavour:
    """One family of servers, MySQL or MariaDB, as data.

    `binaries` and `title` name it; `ways` make a data directory (the first that holds and exists is used);
    `presets` are options that the lab sets; `renamed` explains old variable names, `introduced` new ones;
    before `switch_words_since` some switches take 1 and 0 only, and read OFF as on; `divided` lists sizes
    that a server has in parts, `fixed_files` the files to remove for another size; `releases` is the
    catalogue: versions that `assay server get` can fetch; `newest_known` has the newest version of each
    series that was known when the catalogue was written; `how_to_get` is shown when none is found;
    `replication` says how servers replicate, one entry a span of versions; versions before `mutexes_until`
    count the waits for every mutex; a study that applies to the flavour that it is `based_on`, with the same
    versions, applies to it.
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
    newest_known: tuple[Version, ...] = ()
    replication: tuple[Replication, ...] = ()
    mutexes_until: Version = ()
    based_on: str = ""

    def release(self, wanted: Version) -> Release | None:
        """Returns the newest release in the catalogue whose version begins with these numbers; None when
        there is none. One for this kind of machine goes before newer ones for others.
        """
        fitting = [release for release in self.releases if release.version[: len(wanted)] == wanted]
        here = this_machine()
        return max(fitting, key=lambda one: (here in one.machines, one.version), default=None)

    @property
    def releases_here(self) -> tuple[Release, ...]:
        """The releases in the catalogue for this kind of machine."""
        return tuple(release for release in self.releases if this_machine() in release.machines)

    def catalogue_here(self) -> str:
        """Returns what the catalogue has for this kind of machine: `it has mysql@9.7`, or that it has
        none.
        """
        names = ", ".join(f"{self.name}@{release.number}" for release in self.releases_here)
        others = len(self.releases_here) < len(self.releases)
        of_machine = f" for {this_machine()}" if others else ""
        return f"it has {names}{of_machine}" if names else f"it has no {self.title}{of_machine}"

    def newer_than(self, version: Version) -> Version | None:
        """Returns the newest known version of the series of a whole version; None when that is not newer."""
        known = max((one for one in self.newest_known if one[:2] == version[:2]), default=())
        return known if len(version) > 2 and known > version else None

    def presets_for(self, version: Version) -> list[Preset]:
        return [preset for preset in self.presets if preset.holds(version)]

    def successor(self, variable: str, version: Version) -> Renamed | None:
        """Returns the rename or removal of a variable by this version; None when it still has its name."""
        for entry in self.renamed:
            if entry.old == variable and version >= entry.since:
                return entry
        return None

    def predecessor(self, variable: str, version: Version) -> Renamed | None:
        """Returns the rename that gave a variable its name, when this version is older; otherwise None."""
        for entry in self.renamed:
            if entry.new == variable and version < entry.since:
                return entry
        return None

    def division(self, variable: str, version: Version) -> Divided | None:
        """Returns the parts into which this version divides a size; None where it takes the size as a
        whole.
        """
        return next((one for one in self.divided if one.whole == variable and one.holds(version)), None)

    def other_names(self, variable: str) -> list[str]:
        """Returns the other names under which a value of this variable means the same, in any version."""
        alike = [entry for entry in self.renamed if entry.alike and entry.new]
        newer = [entry.new for entry in alike if entry.new and entry.old == variable]
        return [*newer, *(entry.old for entry in alike if entry.new == variable)]
