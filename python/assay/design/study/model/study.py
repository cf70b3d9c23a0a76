"""A study as a program has it: every default filled in, every claim parsed and resolved."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from pydantic import Field, WithJsonSchema

from assay.base.format import OWN_MEASURES_OF
from assay.design.study import device_failure
from assay.design.study.experiments import EXPERIMENTS
from assay.design.study.host_settings import HOST, check_host
from assay.design.study.key import keys_schema, recorded_keys
from assay.design.study.model.checks import checked
from assay.design.study.model.dataset import DatasetChoice
from assay.design.study.model.design import Design
from assay.design.study.model.experiment import ExperimentChoice
from assay.design.study.model.factor import Factor
from assay.design.study.model.factor_names import OF_MACHINE
from assay.design.study.model.gate import GateRule
from assay.design.study.model.hypothesis import Hypothesis
from assay.design.study.model.keys import GIVEN, KEYS, WORKLOAD, field_of
from assay.design.study.model.load import Load
from assay.design.study.model.schema import SchemaChoice
from assay.design.study.model.server import ServerChoice
from assay.design.study.model.storage import StorageChoice
from assay.design.study.model.table import Frozen, Table
from assay.design.study.model.verdict import VerdictOptions
from assay.design.study.model.workload import WorkloadChoice
from assay.design.study.subject import Subject, is_imported, subject_of
from assay.design.study.values import COPY, Scalar
from assay.design.study.volume_settings import VOLUME, check_volume


class Scale(Frozen):
    """The scale with which a study was read, which gives a few keys of the file other values."""

    name: str  # "small"
    about: dict[str, str] = {}  # language -> what it changes, and what that means


class StudyTables(Table):
    """The tables that a study has in its file and in the program alike."""

    server: ServerChoice = ServerChoice()
    workload: WorkloadChoice
    schema_: Annotated[SchemaChoice, Field(alias="schema")] = SchemaChoice()
    dataset: DatasetChoice = DatasetChoice()
    storage: StorageChoice = StorageChoice()
    host: Annotated[
        dict[str, Scalar],
        checked(check_host, written=True, recorded=partial(recorded_keys, check=check_host)),
        WithJsonSchema(keys_schema(HOST)),
    ] = Field(
        description="Settings of the machine during each run; restored afterwards.", default_factory=dict
    )
    volume: Annotated[
        dict[str, Scalar],
        checked(check_volume, written=True, recorded=partial(recorded_keys, check=check_volume)),
        WithJsonSchema(keys_schema(VOLUME)),
    ] = Field(
        description="A volume of loop devices that each run makes for its data, and removes.",
        default_factory=dict,
    )
    load: Load
    experiment: ExperimentChoice | None = None
    design: Design = Design()
    verdict: VerdictOptions = VerdictOptions()


class Study(StudyTables):
    """One study. `assay.design.study.load_study` makes it from a file."""

    name: str
    folder: str = ""  # of the study file, beside which its data lie; empty in a results folder
    scale: Scale | None = None  # None: the file's own values
    title: dict[str, str] = Field(default_factory=dict)  # language -> title; empty: the name serves
    description: dict[str, str] = Field(default_factory=dict)  # language -> what it is for
    left_out: tuple[str, ...] = ()  # what a private server cannot have of the options file, in sentences
    factors: tuple[Factor, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    gates: tuple[GateRule, ...] = ()

    @property
    def given(self) -> dict[str, Scalar]:
        """The values of the keys `GIVEN`, by their full names: `server.cpus`."""
        found = {}
        for full in GIVEN:
            section, _, key = full.partition(".")
            table = getattr(self, field_of(section))
            if (value := getattr(table, key)) != type(table).model_fields[key].default:
                found[full] = value
        return found

    @property
    def folder_name(self) -> str:
        """The default name of its results folder."""
        return self.name if self.scale is None else f"{self.name}-{self.scale.name}"

    @property
    def is_imported(self) -> bool:
        """Whether its results come from another tool, by `assay import`."""
        return is_imported(self.workload.use)

    @property
    def compares_copies(self) -> bool:
        """Whether all its treatments are equal, so that they differ by noise alone."""
        return [factor.name for factor in self.factors] == [COPY]

    @property
    def varied(self) -> dict[str, tuple[Scalar, ...]]:
        """By each key that varies, its value at each level of its factor that sets it."""
        return {
            key: tuple(found[key] for level in factor.levels if key in (found := factor.settings(level)))
            for factor in self.factors
            for key in factor.varied
        }

    @property
    def workload_factor(self) -> Factor | None:
        """The factor that varies the workload."""
        return next((factor for factor in self.factors if WORKLOAD in factor.varied), None)

    @property
    def workloads(self) -> tuple[str, ...]:
        """Every workload of the study, in its order."""
        return tuple(dict.fromkeys(map(str, self.varied.get(WORKLOAD, (self.workload.use,)))))

    @property
    def servers(self) -> tuple[str, ...]:
        """Every server of the study, in its order."""
        return tuple(dict.fromkeys(map(str, self.varied.get("server.use", (self.server.use,)))))

    @property
    def machine_settings(self) -> dict[str, Scalar]:
        """The settings that each run applies to its machine, by full names: `host.thp`, `volume.devices`."""
        host = {f"host.{name}": value for name, value in self.host.items()}
        return host | {f"volume.{name}": value for name, value in self.volume.items()}

    @property
    def unknown_settings(self) -> tuple[str, ...]:
        """The settings of the machine that only an earlier version knew; a new study has none."""
        names = {*self.machine_settings, *self.varied}
        return tuple(sorted(name for name in names if name.startswith(OF_MACHINE) and name not in KEYS))

    @property
    def subject(self) -> Subject:
        """What the study puts under load; all its workloads drive the same kind."""
        return subject_of(self.workload.use)

    @property
    def fails_device(self) -> bool:
        """Whether a device of some run's volume fails while its load is measured."""
        return any(self.varied.get("volume.fail_device", (self.volume.get("fail_device", 0),)))

    @property
    def headlines(self) -> tuple[str, ...]:
        """The measures that are always compared, charted and printed."""
        if self.experiment is not None:
            return tuple(EXPERIMENTS[self.experiment.use].measures)
        own = dict.fromkeys(name for one in self.workloads for name in OWN_MEASURES_OF.get(one, ()))
        usual = (*own, *self.subject.headlines)
        return (*usual, *device_failure.HEADLINES) if self.fails_device else usual
