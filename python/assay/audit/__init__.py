"""Audits anybody's printed result tables: searches them for figures that cannot be right.

    read files → material → rules → findings and notes

A finding has two signs that are independent of each other; with one sign it is a note. `rules/` has one rule
a file.
"""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.audit.auditing import Audit, audit, audit_of
    from assay.audit.claims import PrintedClaim, printed_claims
    from assay.audit.figure import Figure, parse_figure
    from assay.audit.metrics import BYTES_PER_S, role_of, seconds
    from assay.audit.model import Cell, Finding, LeftOver, Material, Sheet
    from assay.audit.objects import as_object
    from assay.audit.reading import read_material
    from assay.audit.reading.decoding import Decoded, decode, read_bytes, without_prefixes
    from assay.audit.reading.wide import ROW
    from assay.audit.rules import RULES, Rule
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
