"""Stands in for sysbench 1.0.20: its option names, its tests, its scripts, and the text it prints."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.compat.sysbench.command import TestCommand, name_first
    from assay.front.compat.sysbench.fileio_options import fileio_options
    from assay.front.compat.sysbench.fileio_run import fileio
    from assay.front.compat.sysbench.help import general_help
    from assay.front.compat.sysbench.machine_options import machine_commands, print_help
    from assay.front.compat.sysbench.names import instead_of, normal
    from assay.front.compat.sysbench.own_name import has_own_name
    from assay.front.compat.sysbench.script_options import SCRIPTS, STDIN, ScriptCommand, stdin_waits
    from assay.front.compat.sysbench.text import COMPATIBLE
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "COMPATIBLE",
    "SCRIPTS",
    "STDIN",
    "ScriptCommand",
    "TestCommand",
    "fileio",
    "fileio_options",
    "general_help",
    "has_own_name",
    "instead_of",
    "machine_commands",
    "name_first",
    "normal",
    "print_help",
    "stdin_waits",
]
