"""The names of `assay.base.numbers`, for modules that still import them from here."""

from assay.base.numbers import *  # noqa: F403
