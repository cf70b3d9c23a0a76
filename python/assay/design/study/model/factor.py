"""The table `[[factor]]`: its form in the file, and the factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.factor_names import (
    check_factor_name,
    check_settings,
    check_tied_name,
    recorded_factor_name,
    recorded_settings,
)
from assay.design.study.model.keys import WORKLOAD, short_name
from assay.design.study.model.table import OUTSIDE_IDENTITY, SCALAR, Frozen, Table
from assay.design.study.model.texts import Texts, in_language
from assay.design.study.nearest import did_you_mean
from assay.design.study.toml_lines import Keys
from assay.design.study.values import Scalar, check_variable, level_text


def _same(one: Scalar, other: Scalar) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class Factor(Frozen):
    """A factor with its levels. The first level is the baseline."""

    name: str  # "server.variables.innodb_purge_threads", "workload.range_size", "schema.index" …
    levels: tuple[Scalar, ...]
    keys: tuple[str, ...] = ()  # of a tied factor, which varies several keys together; `name` is the author's
    values: tuple[tuple[Scalar | None, ...], ...] = ()  # of a tied factor: a row for each level; None: unset
    labels: Annotated[dict[str, dict[str, str]], OUTSIDE_IDENTITY] = {}  # level -> its name for people

    def __hash__(self) -> int:
        """Leaves the labels out, which have no hash; factors with the same levels are rarely told apart."""
        return hash((self.name, self.levels, self.keys, self.values))

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

    def label(self, level: str, language: str) -> str:
        """Returns the name for people of a level, given as text; `name=level` where it has none."""
        return in_language(self.labels.get(level, {}), language) or f"{self.short_name}={level}"

    @property
    def short_name(self) -> str:
        """The last part of the name, as claims and tables write it."""
        return short_name(self.name)


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
    of_one = recorded_factor_name if info.context is checks.FROM_RESULTS else check_factor_name
    check = check_tied_name if tied else of_one
    try:
        return check(name)
    except ValueError as error:
        raise PydanticCustomError("value", "{sentence}", {"sentence": str(error)}) from None


def _labels(labels: dict[str, dict[str, str]], info: ValidationInfo) -> dict[str, dict[str, str]]:
    """Refuses a label of no level while some level has none. A scale may leave levels out: labels of these
    stay, and name nothing.
    """
    levels = [level_text(level) for level in info.data.get("levels", ())]
    strange = [name for name in labels if name not in levels]
    bare = [level for level in levels if level not in labels]
    if levels and strange and bare and info.context is not checks.FROM_RESULTS:
        sentence = f'"{strange[0]}" is no level of this factor{did_you_mean(strange[0], bare)}'
        raise PydanticCustomError("value", "{sentence}", {"sentence": sentence})
    return labels


def _levels_or_settings(form: dict[str, Any]) -> None:
    """Marks in the JSON Schema of a factor that its settings may name its levels."""
    form["required"].remove("levels")
    form["anyOf"] = [{"required": ["levels"]}, {"required": ["settings"]}]


class FactorTable(Table):
    """One factor with its levels."""

    model_config = ConfigDict(json_schema_extra=_levels_or_settings)

    settings: Annotated[
        dict[str, dict[str, Scalar]] | None,
        checked(check_settings, recorded=recorded_settings),
        WithJsonSchema({"type": "object", "additionalProperties": {"type": "object"}, "minProperties": 2}),
        Field(
            description="A table for each level: the keys that it sets, as in { workload.range_size = 10 }."
        ),
    ] = None
    keys: Annotated[
        list[
            Annotated[
                str,
                checked(check_factor_name, recorded=recorded_factor_name),
                WithJsonSchema({"type": "string"}),
            ]
        ]
        | None,
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
    labels: Annotated[
        dict[str, Texts],
        AfterValidator(_labels),
        Field(
            description="Names of its levels for people: a text, or one a language, for each level.",
            default_factory=dict,
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
            labels=self.labels,
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
