"""The tables of facts about the machine and the server."""

from __future__ import annotations

from assay.base.decoding import whole_number
from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.records.facts import Fact, environment
from assay.reporting.report.tables.model import Table, named_columns


def tables(material: Material) -> list[Table]:
    """Returns `environment` with the important facts, and `all-facts` with every one."""
    words, facts = material.words, environment(material)
    return [
        _sheet(material, "environment", words("environment.title"), [f for f in facts if f.headline]),
        _sheet(material, "all-facts", words("environment.all-title"), facts, folded=True),
    ]


def _sheet(material: Material, name: str, title: str, facts: list[Fact], *, folded: bool = False) -> Table:
    words = material.words
    return Table(
        "environment",
        name,
        title,
        (*named_columns(words, "column", scope="text", fact="text", value="text"),),
        tuple(
            (
                words.get(f"scope.{f.scope}", f.scope),
                f.key,
                " / ".join(_size(f, v) if not folded else v for v in f.values),
            )
            for f in facts
        ),
        note=words("environment.note"),
        empty=words("environment.empty"),
        folded=folded,
    )


def _size(fact: Fact, value: str) -> str:
    """Returns bytes as GiB and long counts with commas; the sheet of all facts keeps the recorded text."""
    count = whole_number(value)
    if count is None:
        return value
    if not fact.key.endswith("_bytes"):
        return number(count) if len(value) > 4 else value
    return f"{number(count / (1 << 30))} GiB"
