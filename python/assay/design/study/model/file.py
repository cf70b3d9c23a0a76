"""The form of a study file; schema/study.json is made from it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from assay.design.study.key import keys_of
from assay.design.study.model import checks
from assay.design.study.model.factor import FactorTable, VariedKey
from assay.design.study.model.gate import GateTable
from assay.design.study.model.hypothesis import HypothesisTable
from assay.design.study.model.keys import SECTIONS, field_of
from assay.design.study.model.study import Scale, StudyTables
from assay.design.study.model.table import Table
from assay.design.study.model.texts import Texts
from assay.design.study.values import Scalar

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"


class Header(Table):
    """Name, title and description of the study."""

    name: Annotated[
        str, Field(pattern=SLUG, max_length=60, description="Names the results folder: a-z, 0-9, - and _.")
    ]
    title: Annotated[Texts, Field(description="A title, or one a language: en, zh.", default_factory=dict)]
    description: Annotated[
        Texts, Field(description="What the study is for, or that in each language.", default_factory=dict)
    ]
    scale: Annotated[
        str | None, Field(description="The scale that counts when none is asked for; none when absent.")
    ] = None


class ScaleTable(Table):
    """Keys of the study with other values: "load.threads", "factor.NAME.levels", "hypothesis.ID.claim"."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    about: Annotated[Texts, Field(description="What it changes, and what that means.", default_factory=dict)]


class Headed(Table):
    """The tables of a file that say which study it is; complaints about them come first."""

    study: Header
    scale: Annotated[
        dict[Annotated[str, Field(pattern=SLUG, max_length=60)], ScaleTable],
        Field(description="Sets of keys with other values, by their names.", default_factory=dict),
    ]


class StudyFile(StudyTables, Headed):
    """A study: what to vary, what load to drive, which hypotheses to judge."""

    factor: Annotated[list[FactorTable], Field(default_factory=list)]
    hypothesis: Annotated[list[HypothesisTable], Field(default_factory=list)]
    gate: Annotated[list[GateTable], Field(default_factory=list)]

    @classmethod
    def of(cls, raw: object, *, measured: bool = False) -> StudyFile:
        """Returns the file of these tables, as TOML has them. Raises ValidationError.

        `measured`: the file lies in a results folder, whose settings of the machine an earlier version may
        have known.
        """
        context = checks.FROM_RESULTS if measured else checks.FROM_FILE
        return cls.model_validate(raw, by_alias=True, by_name=False, context=context)

    @property
    def varied(self) -> tuple[VariedKey, ...]:
        """Every key that some factor varies, in the file's order."""
        return tuple(key for number, factor in enumerate(self.factor) for key in factor.varied(number))

    @property
    def applied(self) -> Scale | None:
        """The applied scale; the applied changes make it the file's default."""
        name = self.study.scale
        return None if name is None else Scale(name=name, about=self.scale[name].about)

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
