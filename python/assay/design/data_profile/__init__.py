"""Profiles of data: statistics of tables in a file, of which the engine makes rows that are like theirs."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.data_profile.reading import DataProfile, read_profile
    from assay.design.data_profile.units import readable, units
    from assay.design.data_profile.writing import Heading, profile_text
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = ["DataProfile", "Heading", "profile_text", "read_profile", "readable", "units"]
