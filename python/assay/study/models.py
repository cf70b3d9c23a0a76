"""The types of a validated study: frozen, every default filled in, every claim parsed and resolved."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from assay.study import checks, device_failure
from assay.study.checks import checked
from assay.study.claims import Claim, Term
from assay.study.experiments import EXPERIMENTS
from assay.study.host_settings import HOST, check_host
from assay.study.key import keys_schema
from assay.study.sections import (
    GIVEN,
    ExperimentChoice,
    Load,
    SchemaChoice,
    ServerChoice,
    StorageChoice,
    Table,
    WorkloadChoice,
    field_of,
)
from assay.study.subject import Subject, is_imported, subject_of
from assay.study.values import COPY, Scalar, level_text
from assay.study.volume_settings import VOLUME, check_volume

MOST_BLOCKS = 99  # run ids number blocks with two digits

Margin = Annotated[float, Field(gt=0, lt=1, strict=False)]
OF_COPIES = "aa"
"""The word for a margin that equal copies determine by their differences."""


def _check_margin(value: object) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == OF_COPIES or (number and 0 < value < 1):  # type: ignore[operator]
        return float(value) if number else value  # type: ignore[arg-type]
    sentence = f'{value!r} is not a margin; write a number between 0 and 1, or "{OF_COPIES}"'
    raise PydanticCustomError("value", "{sentence}", {"sentence": sentence})


class Frozen(BaseModel):
    """Base of models that never change and refuse unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


SERVER_USE = "server.use"
"""The key that names the server."""
WORKLOAD = "workload.use"
"""The factor whose levels are never compared with each other, unless a hypothesis does."""


def short_name(factor: str) -> str:
    """Returns the last word of a factor's name; `workload` for workload.use: `use` means the server's."""
    return "workload" if factor == WORKLOAD else factor.rpartition(".")[2]


def _same(one: Scalar, other: Scalar) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class Factor(Frozen):
    """A factor with its levels. The first level is the baseline."""

    name: str  # "server.variables.innodb_purge_threads", "workload.range_size", "schema.index" …
    levels: tuple[Scalar, ...]
    keys: tuple[str, ...] = ()  # of a tied factor, which varies several keys together; `name` is the author's
    values: tuple[tuple[Scalar | None, ...], ...] = ()  # of a tied factor: a row for each level; None: unset

    @property
    def varied(self) -> tuple[str, ...]:
        """The keys that it sets."""
        return self.keys or (self.name,)

    def settings(self, level: Scalar) -> dict[str, Scalar]:
        """Returns the value of each key at a level; a key that the level leaves out has none."""
        if not self.keys:
            return {self.name: level}
        row = next(row for one, row in zip(self.levels, self.values, strict=True) if _same(one, level))
        return {key: value for key, value in zip(self.keys, row, strict=True) if value is not None}

    def kind_of_load(self, level: Scalar) -> str:
        """The kind of load at a level of a factor that varies the workload: the level itself, even where only
        options differ, as rows per second of a scan and of a point query cannot be compared. If the factor
        also varies the server, it is the workload.
        """
        return str(self.settings(level)[WORKLOAD]) if "server.use" in self.varied else level_text(level)

    def settings_text(self, level: str) -> dict[str, str]:
        """Returns, as text, the value of each key at a level; of an unknown level that alone."""
        for one in self.levels:
            if level_text(one) == level:
                return {key: level_text(value) for key, value in self.settings(one).items()}
        return {self.name: level}

    @property
    def short_name(self) -> str:
        """The last part of the name, as claims and tables write it."""
        return short_name(self.name)


class Design(Frozen, strict=True):
    """Which treatments run, how often, and in which order."""

    kind: Annotated[
        Literal["factorial", "one-at-a-time", "plackett-burman", "latin-hypercube"],
        Field(
            description="All combinations of levels, the baseline with one factor changed, or a screen"
            " of many factors."
        ),
    ] = "factorial"
    fold_over: Annotated[
        bool,
        Field(
            description="plackett-burman: every treatment has its mirror image, so that main effects are"
            " clear of interactions of two factors."
        ),
    ] = True
    treatments: Annotated[
        int | None, Field(ge=4, le=999, description="latin-hypercube: how many; 24 when absent.")
    ] = None
    blocks: Annotated[
        int,
        Field(
            ge=1,
            le=MOST_BLOCKS,
            description="Passes over all treatments; six are the fewest that can decide.",
        ),
    ] = 6
    loads: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_BLOCKS,
            description="How often each dataset is loaded; blocks take the loads in turn. Three are the"
            " fewest that show the luck of a load. When absent: six where levels have data of their own,"
            " otherwise one.",
        ),
    ] = None
    first_load: Annotated[
        int,
        Field(
            ge=1, le=999, description="Number of the load that the first block has: another has other luck."
        ),
    ] = 1
    order: Annotated[Literal["randomized", "as-written"], Field(description="Order within a block.")] = (
        "randomized"
    )
    seed: Annotated[
        int | None, Field(ge=0, lt=2**53, description="Orders the runs; made from the study when absent.")
    ] = None
    redo: Annotated[
        Literal["block", "run"],
        Field(description="What is done again after a failed run or a long pause within a block."),
    ] = "block"
    fair: Annotated[
        Literal["report", "strict"],
        Field(description="strict: servers that are unequal in what the study does not vary raise a doubt."),
    ] = "report"

    @property
    def screens(self) -> bool:
        """Whether the design is a screen, which compares levels of factors over all treatments."""
        return self.kind in ("plackett-burman", "latin-hypercube")


class HypothesisKeys(Table):
    """The keys of a hypothesis but its claims, which a file has as text."""

    id: Annotated[str | None, Field(pattern=r"^\S+$", description="Names it for others' because.")] = None
    advice: Annotated[
        str | None, Field(description="A recommendation, in place of a claim; it rests on because.")
    ] = None
    because: Annotated[
        tuple[str, ...],
        checked(checks.tuple_of_list),
        Field(min_length=1, description="Ids of the hypotheses on which the advice depends."),
    ] = ()
    assumes: Annotated[
        str | None, Field(description='What replaces what the source names: "5.7 -> 9.7".')
    ] = None
    source: Annotated[str | None, Field(description="Where the hypothesis comes from.")] = None
    margin: Annotated[Margin | None, Field(description="Region of indifference for this claim.")] = None
    at: Annotated[
        tuple[Annotated[float, Field(gt=0, strict=False)], ...] | str | None,
        checked(checks.points),
        Field(description='Where it holds: rungs of the ladder, or "threads >= 16"; all when absent.'),
    ] = None


class Hypothesis(HypothesisKeys):
    """A hypothesis that the report judges."""

    margin: float | None = None  # a gate judged as a hypothesis may have none at all: 0
    claims: tuple[Claim, ...]  # all must hold; none: a recommendation, which stands and falls with `because`
    texts: tuple[str, ...]  # the claims as the study writes them; the claims have `at`, too

    @property
    def text(self) -> str:
        """The hypothesis in one line."""
        return " and ".join(self.texts) if self.texts else self.advice or ""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of its claims, from left to right."""
        return tuple(term for claim in self.claims for term in claim.terms)


class GateKeys(Table):
    """The keys of a gate but its claim, which a file has as text."""

    id: Annotated[str | None, Field(pattern=r"^\S+$", description="Names it for profiles and reports.")] = (
        None
    )
    severity: Annotated[
        Literal["fail", "warn"], Field(description="Whether a claim that fails ends the command with 9.")
    ] = "fail"
    undecided: Annotated[
        Literal["warn", "fail", "pass"], Field(description="What a claim that stays undecided does.")
    ] = "warn"
    margin: Annotated[
        float, Field(ge=0, lt=1, strict=False, description="Region of indifference for this claim.")
    ] = 0
    at: Annotated[
        tuple[Annotated[float, Field(gt=0, strict=False)], ...] | str | None,
        checked(checks.points),
        Field(description='Where it must hold: rungs of the ladder, or "threads >= 16"; all when absent.'),
    ] = None


class GateRule(GateKeys):
    """A claim that results must meet before a change may pass: `assay gate` judges it."""

    claim: Claim  # it has `at`, too
    text: str  # the claim as the study writes it

    @property
    def hypothesis(self) -> Hypothesis:
        """The rule as a hypothesis, so that one judge decides both."""
        return Hypothesis(claims=(self.claim,), texts=(self.text,), margin=self.margin, at=self.at)


class VerdictOptions(Frozen, strict=True):
    """How verdicts are reached."""

    margin: Annotated[
        float | Literal["aa"],
        BeforeValidator(_check_margin),
        WithJsonSchema(
            {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, {"const": "aa"}]}
        ),
        Field(
            description="Ratios from 1 / (1 + margin) to 1 + margin are the same;"
            ' "aa": what equal copies differ by, as `assay aa` found.'
        ),
    ] = 0.02
    confidence: Annotated[float, Field(gt=0.5, lt=1, strict=False, description="Of every interval.")] = 0.95
    noise: Annotated[
        Margin | None,
        Field(description="Spread of single runs (0.02: 2 %), for `assay plan` without A/A results."),
    ] = None

    @property
    def known_margin(self) -> float:
        """The margin as a number. Raises ValueError where copies determine it and have not been measured
        yet.
        """
        if isinstance(self.margin, str):
            raise ValueError("the margin of copies is not known yet")
        return self.margin


class Profile(Frozen):
    """The profile with which a study was read, which gives a few keys of the file other values."""

    name: str  # "small"
    about: dict[str, str] = {}  # language -> what it changes, and what that means


class StudyTables(Table):
    """The tables that a study has in its file and in the program alike."""

    server: ServerChoice = ServerChoice()
    workload: WorkloadChoice
    schema_: Annotated[SchemaChoice, Field(alias="schema")] = SchemaChoice()
    storage: StorageChoice = StorageChoice()
    host: Annotated[
        dict[str, Scalar],
        checked(check_host),
        WithJsonSchema(keys_schema(HOST)),
    ] = Field(
        description="Settings of the machine during each run; restored afterwards.", default_factory=dict
    )
    volume: Annotated[
        dict[str, Scalar],
        checked(check_volume),
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
    """One study. `assay.study.load_study` makes it from a file."""

    name: str
    profile: Profile | None = None  # None: the file's own values
    title: dict[str, str] = Field(default_factory=dict)  # language -> title; empty: the name serves
    description: str | None = None
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
        return self.name if self.profile is None else f"{self.name}-{self.profile.name}"

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
        usual = self.subject.headlines
        return (*usual, *device_failure.HEADLINES) if self.fails_device else usual
