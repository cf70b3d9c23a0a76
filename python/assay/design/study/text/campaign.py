"""Reads campaign files: a list of studies that are carried out in order."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from assay.base.decoding import toml_tables
from assay.base.errors import InputError
from assay.design.study.checks.problems import input_error, shape_problems
from assay.design.study.former_names import with_new_names
from assay.design.study.model.file import SLUG
from assay.design.study.model.table import Table
from assay.design.study.model.texts import Texts
from assay.design.study.text.reading import read_study_text


@dataclass(frozen=True)
class CampaignStudy:
    """One study of a campaign: its file, and the scale that replaces the file's own."""

    file: Path
    scale: str | None


@dataclass(frozen=True)
class Campaign:
    """Studies that are carried out in this order; `name` is the name of the results folder."""

    name: str
    title: dict[str, str]
    studies: tuple[CampaignStudy, ...]


class _Header(Table):
    """The campaign's name."""

    name: Annotated[str, Field(pattern=SLUG, max_length=60, description="Names the folder of the results.")]
    title: Annotated[Texts, Field(description="A title, or one a language: en, zh.", default_factory=dict)]


class _Entry(Table):
    """One study of a campaign."""

    file: Annotated[str, Field(min_length=1, description="The study file; its path starts at this file.")]
    scale: Annotated[str | None, Field(description="The scale of that file to take.")] = None


class _CampaignFile(Table):
    campaign: Annotated[_Header, Field(description="write [campaign] with a name")]
    study: Annotated[list[_Entry], Field(min_length=1, description="write one [[study]] for each study")]


def read_campaign(path: Path) -> Campaign:
    """Returns the campaign in a file. Raises InputError that names file, line and key, and for a study file
    that is listed twice with one scale.
    """
    text = read_study_text(path)
    try:
        raw = with_new_names(toml_tables(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as TOML: {error}") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    try:
        file = _CampaignFile.model_validate(raw)
    except ValidationError as error:
        raise input_error(path, text, list(shape_problems(error, _CampaignFile))) from None
    studies = tuple(CampaignStudy(path.parent / one.file, one.scale) for one in file.study)
    for number, one in enumerate(studies):
        if one in studies[:number]:
            raise InputError(
                f"{path}: study[{number}]: {file.study[number].file} is listed twice",
                hint="remove one of them: finished runs are never repeated",
            )
    return Campaign(file.campaign.name, file.campaign.title, studies)
