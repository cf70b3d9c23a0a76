"""A person's own statements and data: the first file of statements, made of a log, what a server says of a
file, and the profile of a server's data.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.own.check import Checked, CheckedStatement, Finding, check
    from assay.experiments.own.data_file import COLLATIONS, DataFile, own_data
    from assay.experiments.own.first_file import FirstFile, check_file, first_file
    from assay.experiments.own.letters import (
        CHARACTER_SET,
        Letters,
        about_unnamed,
        collation_key,
        lack_letters,
        lacked_by,
        letters_of,
        who_lacks,
    )
    from assay.experiments.own.profile.profiling import MadeProfile, Wanted, profile_of
    from assay.experiments.own.source import Source
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CHARACTER_SET",
    "COLLATIONS",
    "Checked",
    "CheckedStatement",
    "DataFile",
    "Finding",
    "FirstFile",
    "Letters",
    "MadeProfile",
    "Source",
    "Wanted",
    "about_unnamed",
    "check",
    "check_file",
    "collation_key",
    "first_file",
    "lack_letters",
    "lacked_by",
    "letters_of",
    "own_data",
    "profile_of",
    "who_lacks",
]
