"""The forms of data of one's own, in the order in which they are looked for."""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import InputError
from assay.design.plan import OwnData
from assay.design.study import DUMP, parse_data
from assay.measurement.source.dataset.forms import delimited, mydumper, mysqlsh, sql_file, sql_folder
from assay.measurement.source.dataset.forms.form import Form, Parts

FORMS: tuple[Form, ...] = (mysqlsh.FORM, mydumper.FORM, delimited.FORM, sql_folder.FORM, sql_file.FORM)


def form_of(own: OwnData) -> Form:
    """Returns the form of a dump: the one that the study names, otherwise the first that recognises it.

    Raises InputError for files of no known form.
    """
    named, place = parse_data(own.use).form, Path(own.place)
    if not place.exists():
        raise InputError(f"dataset.use: there is no file {place}")
    for form in FORMS:
        if form.name == named or (named is None and form.recognises(place)):
            return form
    if inner := [one for one in _folders(place) if any(form.recognises(one) for form in FORMS)]:
        raise InputError(
            f"dataset.use: {place} holds folders of dumps: {', '.join(one.name for one in inner)}",
            hint=f'name one of them: use = "{DUMP}{Path(parse_data(own.use).path) / inner[0].name}"',
        )
    titles = ", ".join(f"{form.name} ({form.title})" for form in FORMS)
    raise InputError(f"dataset.use: {place} is no dump of a known form", hint=f"forms: {titles}")


def _folders(place: Path) -> list[Path]:
    return sorted(one for one in place.iterdir() if one.is_dir()) if place.is_dir() else []


def parts_of(own: OwnData) -> Parts:
    """Returns the files of a dump. Raises InputError for what is not whole or of no known form."""
    return form_of(own).parts(Path(own.place), own.database)
