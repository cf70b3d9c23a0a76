"""What lab and engine tell each other, as types: `job` in, `event` out.

The files are written by `make schema` from the engine's own types, by way of schema/*.json; nothing here is
edited by hand, and nothing here has behaviour.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.base.format import event, job, limits
    from assay.base.format.measures import OWN_MEASURES, OWN_MEASURES_OF
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "OWN_MEASURES",
    "OWN_MEASURES_OF",
    "event",
    "job",
    "limits",
]
