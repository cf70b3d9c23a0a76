"""Reads the results of other tools, and writes them into results folders as imported runs."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.adopt.account import Account
    from assay.experiments.adopt.adopted import Adopted, LoadPoint
    from assay.experiments.adopt.auditing import audit_files
    from assay.experiments.adopt.importing import Brought, Import, bring_in
    from assay.experiments.adopt.reading import read_file
    from assay.experiments.adopt.registry import READERS
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "READERS",
    "Account",
    "Adopted",
    "Brought",
    "Import",
    "LoadPoint",
    "audit_files",
    "bring_in",
    "read_file",
]
