"""The form of a study file: one frozen model for each table, every key with its help text and its error
message.

schema/study.json is made from these models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from assay.study import checks
from assay.study.checks import checked
from assay.study.claims import Claim
from assay.study.factor_names import check_factor_name, check_settings, check_tied_name
from assay.study.key import keys_of
from assay.study.models import (
    Factor,
    GateKeys,
    GateRule,
    Hypothesis,
    HypothesisKeys,
    Profile,
    StudyTables,
)
from assay.study.sections import (
    SCALAR,
    SECTIONS,
    Table,
    field_of,
)
from assay.study.toml_lines import Keys
from assay.study.values import Scalar, check_variable

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"


class Header(Table):
    """Name, title and description of the study."""

    name: Annotated[
        str, Field(pattern=SLUG, max_length=60, description="Names the results folder: a-z, 0-9, - and _.")
    ]
    title: Annotated[
        dict[str, str],
        checked(checks.title),
        WithJsonSchema({"type": ["string", "object"], "additionalProperties": {"type": "string"}}),
        Field(description="A title, or one a language: en, zh.", default_factory=dict),
    ]
    description: Annotated[str | None, Field(description="What the study is for.")] = None
    profile: Annotated[
        str | None, Field(description="The profile that counts when none is asked for; none when absent.")
    ] = None


class ProfileTable(Table):
    """Keys of the study with other values: "load.threads", "factor.NAME.levels", "hypothesis.ID.claim"."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    about: Annotated[
        dict[str, str],
        checked(checks.title),
        WithJsonSchema({"type": ["string", "object"], "additionalProperties": {"type": "string"}}),
        Field(description="What it changes, and what that means.", default_factory=dict),
    ]


@dataclass(frozen=True)
class VariedKey:
    """A key that varies, with its value at each level of its factor, the `number`th of the file."""

    key: str  # "server.variables.innodb_io_capacity"
    values: tuple[Scalar | None, ...]  # None: this level leaves the key out
    number: int
    column: int | None  # of a tied factor: its place in `keys`
    settings: tuple[str, ...] = ()  # of a factor with `settings`: its levels

    @property
    def given(self) -> tuple[Scalar, ...]:
        """Its values at the levels that set it."""
        return tuple(value for value in self.values if value is not None)

    @property
    def place(self) -> Keys:
        """The path of the name of the key in the file."""
        if self.settings:
            first = next(n for n, value in enumerate(self.values) if value is not None)
            return self.value_place(first)
        return ("factor", self.number, "name") if self.column is None else (*self.table, "keys", self.column)

    @property
    def table(self) -> Keys:
        """The path of its factor."""
        return ("factor", self.number)

    @property
    def values_place(self) -> Keys:
        """The path of its values."""
        if self.settings:
            return (*self.table, "settings")
        return (*self.table, "levels" if self.column is None else "values")

    def value_place(self, level: int) -> Keys:
        """Returns the path of its value at a level."""
        if self.settings:
            return (*self.values_place, self.settings[level])
        return (*self.values_place, level, *(() if self.column is None else (self.column,)))


def _factor_name(name: object, info: ValidationInfo) -> object:
    tied = info.data.get("keys") is not None or info.data.get("settings") is not None
    check = check_tied_name if tied else check_factor_name
    try:
        return check(name)
    except ValueError as error:
        raise PydanticCustomError("value", "{sentence}", {"sentence": str(error)}) from None


def _levels_or_settings(form: dict[str, Any]) -> None:
    """Marks in the JSON Schema of a factor that its settings may name its levels."""
    form["required"].remove("levels")
    form["anyOf"] = [{"required": ["levels"]}, {"required": ["settings"]}]


class FactorTable(Table):
    """One factor with its levels."""

    model_config = ConfigDict(json_schema_extra=_levels_or_settings)

    settings: Annotated[
        dict[str, dict[str, Scalar]] | None,
        checked(check_settings),
        WithJsonSchema({"type": "object", "additionalProperties": {"type": "object"}, "minProperties": 2}),
        Field(
            description="A table for each level: the keys that it sets, as in { workload.range_size = 10 }."
        ),
    ] = None
    keys: Annotated[
        list[Annotated[str, checked(check_factor_name), WithJsonSchema({"type": "string"})]] | None,
        Field(
            min_length=1, description="Several keys that vary together; name is then a word of the author's."
        ),
    ] = None
    name: Annotated[
        str,
        BeforeValidator(_factor_name),
        WithJsonSchema({"type": "string"}),
        Field(
            description="What varies: server.variables.X, workload.X, schema.index,"
            " schema.engine, server.use …"
        ),
    ]
    levels: Annotated[
        list[Scalar],
        checked(checks.levels),
        WithJsonSchema({"type": "array", "items": SCALAR, "minItems": 2, "uniqueItems": True}),
        Field(
            description="Its values, or the names of rows in values or of tables in settings, of which"
            " it may leave some out; the first is the baseline."
        ),
    ]
    values: Annotated[
        list[list[Annotated[Scalar, checked(check_variable), WithJsonSchema(SCALAR)]]] | None,
        Field(min_length=2, description="With keys: a row for each level, a value for each key."),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _all_settings(cls, raw: Any) -> Any:
        """Takes the names of all settings as levels if the factor lists no levels."""
        if isinstance(raw, dict) and "levels" not in raw and isinstance(raw.get("settings"), dict):
            return {**raw, "levels": list(raw["settings"])}
        return raw

    @property
    def factor(self) -> Factor:
        """The factor, with a row of values for each level where it sets several keys."""
        settings = self.of_levels()
        return Factor(
            name=self.name,
            levels=tuple(self.levels),
            keys=tuple(self.keys or settings),
            values=tuple(map(tuple, self.values or zip(*settings.values(), strict=True))),
        )

    def of_levels(self) -> dict[str, tuple[Scalar | None, ...]]:
        """Returns the keys of its settings, each with its value at every level; None where one leaves it
        out.
        """
        tables = [(self.settings or {}).get(str(level), {}) for level in self.levels]
        return {
            key: tuple(table.get(key) for table in tables)
            for key in dict.fromkeys(key for table in tables for key in table)
        }

    def varied(self, number: int) -> tuple[VariedKey, ...]:
        """Returns the keys that it varies; `number` is its place in the file."""
        if self.settings is not None:
            names = tuple(map(str, self.levels))
            return tuple(
                VariedKey(key, values, number, None, names) for key, values in self.of_levels().items()
            )
        if self.keys is None:
            return (VariedKey(self.name, tuple(self.levels), number, None),)
        rows = [row for row in self.values or () if len(row) == len(self.keys)]
        return tuple(
            VariedKey(key, tuple(row[column] for row in rows), number, column)
            for column, key in enumerate(self.keys)
        )


class HypothesisTable(HypothesisKeys):
    """One hypothesis, which the report judges."""

    claim: Annotated[
        str | None,
        checked(checks.claim_text),
        WithJsonSchema({"type": "string"}),
        Field(description='"tps[a=4] > tps[a=1]", "… ~ …", "qps[..]/qps[..] >= 1000", "p95_ms[..] < 20".'),
    ] = None
    claims: Annotated[
        list[Annotated[str, checked(checks.claim_text)]] | None,
        WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        Field(min_length=1, description="Several claims, in place of one: all must hold."),
    ] = None

    @property
    def texts(self) -> tuple[tuple[Keys, str], ...]:
        """Every claim, with the key that has it."""
        if self.claim is not None:
            return ((("claim",), self.claim),)
        return tuple((("claims", number), text) for number, text in enumerate(self.claims or ()))

    def with_claims(self, claims: Iterable[Claim]) -> Hypothesis:
        """Returns the hypothesis with its claims as the study's factors resolve them."""
        keys = {name: value for name, value in self.written.items() if name not in ("claim", "claims")}
        return Hypothesis(**keys, claims=tuple(claims), texts=tuple(text for _, text in self.texts))


class GateTable(GateKeys):
    """One gate, which `assay gate` judges."""

    claim: Annotated[
        str,
        checked(checks.claim_text),
        WithJsonSchema({"type": "string"}),
        Field(description='What must hold: "tps[build=new]/tps[build=base] >= 0.97".'),
    ]

    def with_claim(self, claim: Claim) -> GateRule:
        """Returns the gate with its claim as the study's factors resolve it."""
        return GateRule(**{**self.written, "claim": claim}, text=self.claim)


class Headed(Table):
    """The tables of a file that say which study it is; complaints about them come first."""

    study: Header
    profile: Annotated[
        dict[Annotated[str, Field(pattern=SLUG, max_length=60)], ProfileTable],
        Field(description="Sets of keys with other values, by their names.", default_factory=dict),
    ]


class StudyFile(StudyTables, Headed):
    """A study: what to vary, what load to drive, which hypotheses to judge."""

    factor: Annotated[list[FactorTable], Field(default_factory=list)]
    hypothesis: Annotated[list[HypothesisTable], Field(default_factory=list)]
    gate: Annotated[list[GateTable], Field(default_factory=list)]

    @classmethod
    def of(cls, raw: object) -> StudyFile:
        """Returns the file of these tables, as TOML has them. Raises ValidationError."""
        return cls.model_validate(raw, by_alias=True, by_name=False, context=checks.FROM_FILE)

    @property
    def varied(self) -> tuple[VariedKey, ...]:
        """Every key that some factor varies, in the file's order."""
        return tuple(key for number, factor in enumerate(self.factor) for key in factor.varied(number))

    @property
    def applied(self) -> Profile | None:
        """The applied profile; the applied changes make it the file's default."""
        name = self.study.profile
        return None if name is None else Profile(name=name, about=self.profile[name].about)

    @property
    def tables(self) -> dict[str, Any]:
        """The tables that the study of this file has, by the names of their fields."""
        return {name: getattr(self, name) for name in StudyTables.model_fields}

    @property
    def keys(self) -> dict[str, Scalar]:
        """Returns the file's values of the keys that have one value, by their full names, as in `KEYS`."""
        found = {f"host.{key}": value for key, value in self.host.items()}
        found |= {f"volume.{key}": value for key, value in self.volume.items()}
        for section, table in SECTIONS.items():
            said = self.table(section)
            found |= {
                f"{section}.{key}": getattr(said, key)
                for key in keys_of(table)
                if key in said.model_fields_set
            }
        return found

    def table(self, section: str) -> Table:
        """Returns the table of one of `SECTIONS`."""
        found: Table = getattr(self, field_of(section))
        return found
