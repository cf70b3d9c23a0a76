"""Audits anybody's printed result tables: searches them for figures that cannot be right.

    read files → material → rules → findings and notes

A finding has two signs that are independent of each other; with one sign it is a note. `rules/` has one rule
a file.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.audit.auditing import Audit, audit, audit_of
    from assay.results.audit.claims import PrintedClaim, printed_claims
    from assay.results.audit.figure import Figure, parse_figure
    from assay.results.audit.metrics import BYTES_PER_S, role_of, seconds
    from assay.results.audit.model import Cell, Finding, LeftOver, Material, Sheet
    from assay.results.audit.objects import as_object
    from assay.results.audit.reading import read_material
    from assay.results.audit.reading.decoding import Decoded, decode, read_bytes, without_prefixes
    from assay.results.audit.reading.wide import ROW
    from assay.results.audit.rules import RULES, Rule
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "BYTES_PER_S",
    "ROW",
    "RULES",
    "Audit",
    "Cell",
    "Decoded",
    "Figure",
    "Finding",
    "LeftOver",
    "Material",
    "PrintedClaim",
    "Rule",
    "Sheet",
    "as_object",
    "audit",
    "audit_of",
    "decode",
    "parse_figure",
    "printed_claims",
    "read_bytes",
    "read_material",
    "role_of",
    "seconds",
    "without_prefixes",
]
