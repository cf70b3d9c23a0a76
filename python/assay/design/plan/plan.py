"""Types of a plan, which is a function of the study and a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from assay.design.study import COPY, binaries

if TYPE_CHECKING:
    from assay.design.storage import StudyLoad
    from assay.design.study import LoadKind, Scalar


@dataclass(frozen=True)
class PlannedExperiment:
    """The experiment of a treatment with every option filled in. `empty` and `restarts` are as in
    `Experiment`, for these options.
    """

    use: str
    options: dict[str, Scalar]
    empty: bool
    restarts: bool


OPEN_LOOP_CONNECTIONS = 100
"""The connections of an open loop that says no number: enough for 1000 arrivals a second of 0.1 s each; below
every server's default limit.
"""


MOST_PADDING, PADDING_STEP = 4096, 16
"""How much longer the environment of a private server is at most, and in which steps: that of the stack."""


@dataclass(frozen=True)
class Script:
    """A script for sysbench as a workload. `source` is None for one that comes with the engine."""

    source: str | None
    files: dict[str, str]  # texts of the files that it may load, by their names relative to the study
    threads: int  # of its command `prepare`: as many as the largest load point has


@dataclass(frozen=True)
class OwnData:
    """Tables of one's own, which files make and no workload."""

    use: str  # as the study names them: "dump:shop.sql.zst"
    place: str  # of the file or folder
    digest: str  # of all that they consist of
    database: str | None = None  # None: the lab's own
    indexes_after: bool = False  # whether secondary indexes are made after the rows
    collations: Mapping[str, str] = field(default_factory=dict)
    scale: float = 1.0  # of a profile: how many times its rows are generated


@dataclass(frozen=True)
class Treatment:
    """One combination of levels, with everything that is needed to carry it out."""

    name: str  # "innodb_purge_threads=4, index=on"; "default" without factors
    levels: dict[str, Scalar]  # full factor name -> level
    server_use: str
    variables: dict[str, Scalar]
    workload: str
    workload_options: dict[str, Scalar]
    ps_mode: Literal["auto", "disable"]
    experiment: PlannedExperiment | None = None
    given: Mapping[str, Scalar] = field(default_factory=dict)  # other keys, as {"server.cpus": "0-3"}
    client: Literal["socket", "tcp", "netns"] | None = None  # None: the socket, or as a DSN says
    delay_ms: float = 0.0
    reconnect: int = 0  # transactions after which a connection is opened again; 0: never
    dynamic: dict[str, Scalar] = field(default_factory=dict)  # set on the running server
    host: dict[str, Scalar] = field(default_factory=dict)  # settings of the machine: "block.scheduler"
    volume: dict[str, Scalar] = field(default_factory=dict)  # of a volume that its run makes; none: no volume
    storage: StudyLoad | None = None  # what makes the engine's jobs on files; None: a server is driven
    script: Script | None = None  # the workload is this script; None: it is one of the engine's own
    own_data: OwnData | None = None  # what its tables are made of; None: the workload makes them
    directory: str | None = None  # of a load on files; None: the lab's own place
    data_loads: int = 1  # how often its dataset is loaded; blocks take the loads in turn
    first_load: int = 1  # of those, by number
    data_load: int = 1  # the load that a run has, by number
    padding_bytes: int = 0  # by which the environment of its private server is longer
    # By each factor of several keys, the value of each key. The levels say the same: they alone are compared.
    tied: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict, compare=False)

    def in_block(self, block: int) -> Treatment:
        """Returns the treatment as a block has it: loads of its dataset take turns, so that each has as many
        blocks as any other, within one.

        Equal copies have different loads in a block, since all that they can show is what differs in it.
        """
        ahead = int(self.levels[COPY]) if COPY in self.levels else 1
        return self.of_load(self.first_load + (block + ahead - 2) % self.data_loads)

    @property
    def of_loads(self) -> tuple[Treatment, ...]:
        """The treatment on each load that some block may have."""
        return tuple(self.of_load(self.first_load + turn) for turn in range(self.data_loads))

    def of_load(self, number: int) -> Treatment:
        """Returns the treatment on one load of its dataset, from 1: that of one binary, where its build has
        several.
        """
        found = binaries(self.server_use)
        if len(found) > 1:
            use = found[(number - 1) % len(found)]
            return replace(self, server_use=use, data_load=number, data_loads=1, first_load=number)
        return self if number == self.data_load else replace(self, data_load=number)

    @property
    def on_binaries(self) -> tuple[Treatment, ...]:
        """The treatment on each binary of its build that some block may have."""
        return self.of_loads if len(binaries(self.server_use)) > 1 else (self,)

    @property
    def data_variables(self) -> dict[str, Scalar]:
        """The variables that its data may depend on: those that are set on the running server, too, since
        tables loaded without them would hide what they do.
        """
        return {**self.variables, **self.dynamic}

    @property
    def varied(self) -> dict[str, Scalar]:
        """The value of every key that the study varies."""
        found: dict[str, Scalar] = {}
        for factor, level in self.levels.items():
            found |= self.tied.get(factor, {factor: level})
        return found


@dataclass(frozen=True)
class WorkloadSize:
    """The estimated size of a workload's tables, before they exist, and its statements per connection."""

    rows: int
    bytes: int  # on disk, with indexes
    statements: int | None  # of one connection; None: only the script knows
    writes: bool | None = None  # whether the load may change rows; None: only the script knows
    shaped_by: str = ""  # what decides its rows: the same for treatments that share a dataset


@dataclass(frozen=True)
class PlannedRun:
    """One treatment in one block."""

    run_id: str  # names the run's folder
    block: int  # from 1
    position: int  # within the block, from 1
    treatment: str
    loads: tuple[float, ...]  # the ladder's rungs in the order of this run, the same for all runs of a block
    seed: int  # of the operation stream: the same for all runs of a block, so that they are paired

    @property
    def padding_bytes(self) -> int:
        """The bytes by which the environment of its server is longer, drawn for each run: a longer one moves
        the stack, which alone made programs up to a third slower or faster (Mytkowicz et al. 2009).
        """
        digest = hashlib.sha256(f"{self.seed}/{self.run_id}/padding".encode()).digest()
        return PADDING_STEP * (int.from_bytes(digest[:8], "big") % (MOST_PADDING // PADDING_STEP + 1))


@dataclass(frozen=True)
class Plan:
    """Every run in the order in which it is carried out."""

    study_hash: str
    seed: int
    ordering: int  # the rules by which the seed orders runs: of `make_plan`
    data_loads: int  # how often each dataset is loaded in so many blocks or more
    load_kind: LoadKind
    loads: tuple[float, ...]  # the ladder
    treatments: tuple[Treatment, ...]  # the first is the baseline
    runs: tuple[PlannedRun, ...]

    def treatment(self, name: str) -> Treatment:
        """Returns the treatment called `name`. Raises KeyError when the plan has none."""
        for treatment in self.treatments:
            if treatment.name == name:
                return treatment
        raise KeyError(name)
