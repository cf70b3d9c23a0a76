"""Stands in for sysbench 1.0.20: its option names, its tests, its scripts, and the text it prints."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.compat.sysbench.command import TestCommand, name_first
    from assay.compat.sysbench.fileio_options import fileio_options
    from assay.compat.sysbench.fileio_run import fileio
    from assay.compat.sysbench.machine_options import machine_commands
    from assay.compat.sysbench.names import instead_of, normal
    from assay.compat.sysbench.other_tests import elsewhere
    from assay.compat.sysbench.script_options import SCRIPTS, STDIN, ScriptCommand, is_script, stdin_waits
    from assay.compat.sysbench.text import COMPATIBLE
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "COMPATIBLE",
    "SCRIPTS",
    "STDIN",
    "ScriptCommand",
    "TestCommand",
    "elsewhere",
    "fileio",
    "fileio_options",
    "instead_of",
    "is_script",
    "machine_commands",
    "name_first",
    "normal",
    "stdin_waits",
]
