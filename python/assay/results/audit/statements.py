"""What files say beside their results, in one form: settings, facts, claims, figures in prose, charts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from assay.results.audit.model import Finding, Material

Kind = Literal["setting", "fact", "claim", "figure", "chart", "variable", "option"]

_FORMS: Mapping[Kind, tuple[tuple[str, ...], str, str, str, str]] = {
    "setting": (("setting", "value"), "workload", "setting", "value", ""),
    "fact": (("attribute", "value"), "host", "attribute", "value", ""),
    "claim": (("claim", "hypothesis"), "", "claim", "hypothesis", "scope"),
    "figure": (("quantity", "value", "unit"), "", "quantity", "value", "condition"),
    "chart": (("x_axis", "x_ladder"), "x_axis", "chart", "series", "note"),
    "variable": (("variable", "value"), "server", "variable", "value", ""),
    "option": (("job", "option", "value"), "job", "option", "value", ""),
}
"""The columns by which a table of each kind is known, and those of subject, name, text and condition."""


UNKNOWN = {"unspecified", "unknown", "not stated", "n/a", "?"}
"""Words that stand where nobody states a condition."""


@dataclass(frozen=True)
class Statement:
    """One row of a table that describes results. `subject` is what it is of: a workload, a host, a job."""

    file: str
    line: int
    study: str
    subject: str
    name: str
    text: str
    unit: str = ""
    condition: str = ""

    def finding(
        self, rule: str, *, expected: str, sign: str, second: str, printed: str = "", row: str = ""
    ) -> Finding:
        """Returns a finding about this row; one without a second sign becomes a note."""
        named = f"{self.subject}, {self.name}" if self.subject and self.subject != self.name else self.name
        return Finding(
            rule,
            "warning" if second else "note",
            "medium" if second else "low",
            self.file,
            self.file.rsplit(".", 1)[0],
            row or named,
            "value",
            self.line,
            printed or self.text,
            expected,
            sign,
            second,
        )


def statements(material: Material, kind: Kind) -> Iterator[Statement]:
    """Yields all statements of a kind; of variables those in force."""
    columns, subject, name, text, condition = _FORMS[kind]
    for sheet in material.with_columns(*columns):
        if kind == "variable" and (sheet.has("attribute") or sheet.has("metric", "result")):
            continue
        for line, row in sheet.rows:
            if kind == "variable" and row.get("active", "yes") != "yes":
                continue
            of = row.get(subject, "") or (row.get("section", "") if kind == "variable" else "")
            yield Statement(
                sheet.file,
                line,
                row.get("study", ""),
                of,
                row.get(name, ""),
                row.get(text, ""),
                row.get("unit", ""),
                row.get(condition, ""),
            )


def by_study(material: Material, kind: Kind) -> Mapping[str, list[Statement]]:
    """Returns the statements of a kind by their study."""
    found: dict[str, list[Statement]] = defaultdict(list)
    for one in statements(material, kind):
        found[one.study].append(one)
    return found


def is_repeated(material: Material, study: str) -> bool:
    """Returns whether a study states that its figures are of several runs."""
    several = any(
        re.fullmatch(r"(?:repeats|runs|blocks|repetitions|iterations)", one.name.lower())
        and one.text.strip() not in ("", "1")
        for one in by_study(material, "setting").get(study, ())
    )
    return several or material.repeats.get(study, 1) > 1
