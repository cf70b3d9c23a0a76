"""Parts a treatment's server variables: those of its dataset's identity, and those that the load gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.design.folder import Scalar
from assay.design.study import (
    number,
    option_text,
    same_value,
    shapes_files,
    switch_value,
    variable_kind,
    variable_set,
)

# Of the space that files take; the load has them exactly, since its server makes the files of that size.
_SIZES = frozenset(("innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity"))

_LATER = frozenset(
    (
        *("enforce_storage_engine", "disabled_storage_engines", "sql_require_primary_key"),
        *("innodb_force_primary_key", "init_file"),
    )
)
"""Variables that are meant for tables of users."""


def shaping_variables(
    variables: Mapping[str, Scalar], defaults: Mapping[str, str] | None = None
) -> dict[str, Scalar]:
    """Returns the variables that may shape the rows or files of a load, with one spelling for each value: all
    but those that are known not to.

    `defaults`: values that the server has without any variable. Where every shaping variable has its default
    value there are none; one of several may decide what another one's default is.
    """
    found = dict(sorted(_spelled(variables)))
    known = defaults or {}
    usual = [
        variable in known and same_value(setting, known[variable])
        for variable, setting in (variable_set(name, value) for name, value in found.items())
    ]
    return {} if all(usual) else found


def loading_variables(
    shaping: Mapping[str, Scalar], variables: Mapping[str, Scalar], defaults: Mapping[str, str]
) -> dict[str, Scalar]:
    """Returns the variables with which a server loads a dataset.

    They are those that may shape it, sizes of memory and redo log, and limits where they allow more than the
    default. Others could only hinder the load: a server that is read only, or ends connections after a
    second.
    """
    given = {_plain(name): value for name, value in variables.items()}
    more = {
        name: value
        for name, value in given.items()
        if name in _SIZES or (variable_kind(name) == "limit" and _allows_more(value, defaults.get(name)))
    }
    return {**more, **shaping}


def initialising_variables(shaping: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns those with which a data directory is made: all that may shape it, but not those that would
    concern its system tables in place of a study's.
    """
    return {name: value for name, value in shaping.items() if variable_set(name, value)[0] not in _LATER}


def _spelled(variables: Mapping[str, Scalar]) -> Iterator[tuple[str, Scalar]]:
    for name, value in variables.items():
        if not shapes_files(name):
            continue
        text = option_text(value).strip()
        size = number(text)
        if size is not None and size == size.to_integral_value():
            yield _plain(name), int(size)
        elif isinstance(value, str) and (on := switch_value(value)) is not None and text:
            yield _plain(name), "ON" if on else "OFF"
        else:
            yield _plain(name), text


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_")


def _allows_more(value: Scalar, default: str | None) -> bool:
    size, usual = number(option_text(value)), None if default is None else number(default)
    return size is not None and usual is not None and size > usual
