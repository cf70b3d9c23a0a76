"""Fills the marked parts of a Markdown document with tables, charts and verdicts of results folders.

The author writes the sentences; between two marks stands what the results say, and is written anew each time.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.document.filling import FilledDocument, fill
    from assay.experiments.document.parts import PARTS
    from assay.experiments.document.prose import Overstated, overstated
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = ["PARTS", "FilledDocument", "Overstated", "fill", "overstated"]
