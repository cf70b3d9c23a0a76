"""The table of the configuration in force, with the origin of each value."""

from __future__ import annotations

from assay.base.decoding import whole_number
from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.records.configuration import configuration
from assay.reporting.report.tables.model import Column, Table, named_columns

_SIZES = ("_size", "_capacity")
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def tables(material: Material) -> list[Table]:
    """Returns `configuration`: one row a variable, one column a treatment."""
    words, found = material.words, configuration(material)
    treatments = [t for t in material.results.treatments if any(t in one.values for one in found)]
    return [
        Table(
            "differences",
            "configuration",
            words("configuration.title"),
            (
                *named_columns(words, "column", variable="text", origin="text"),
                *(Column(treatment, treatment, kind="text", side=True) for treatment in treatments),
            ),
            tuple(
                (
                    one.variable,
                    words(f"origin.{one.origin}"),
                    *(_shown(one.variable, one.values.get(treatment)) for treatment in treatments),
                )
                for one in found
            ),
            note=words("configuration.note"),
            empty=words("configuration.empty"),
        )
    ]


def _shown(variable: str, value: str | None) -> str | None:
    """Returns sizes in bytes by the largest unit that needs no fraction, any other value as the server writes
    it.
    """
    count = None if value is None or not variable.endswith(_SIZES) else whole_number(value)
    for size, unit in _UNITS if count else ():
        if count and count % size == 0:
            return f"{number(count // size)} {unit}"
    return value
