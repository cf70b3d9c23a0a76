r"""Prints all output for people, so that no text from outside reaches a terminal unescaped.

Text from a server, a file or another program may hold control characters that set the window's title, clear
the screen or forge lines. `console()` and `say()` show them as `\x1b`. Nothing else prints.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.terminal.audit import print_audit
    from assay.front.terminal.bench import print_measured
    from assay.front.terminal.bench_progress import BenchDisplay, ServerDisplay
    from assay.front.terminal.byte_progress import ByteDisplay
    from assay.front.terminal.comparison import print_comparison
    from assay.front.terminal.disk import DiskDisplay, disk_object, print_disk
    from assay.front.terminal.gate import print_alarms, print_gate
    from assay.front.terminal.history import print_history
    from assay.front.terminal.imports import print_imports
    from assay.front.terminal.live import LiveProgress
    from assay.front.terminal.neighbours import warn_before
    from assay.front.terminal.output import (
        PIPE_WIDTH,
        OutputClosed,
        console,
        forget_output,
        json_printed,
        make_streams_safe,
        output_is_gone,
        say,
        say_json,
        say_rows,
        tell_size,
    )
    from assay.front.terminal.progress import PlainProgress, StepLines
    from assay.front.terminal.published import print_report, print_reports, print_table, table_object
    from assay.front.terminal.queued import print_queue
    from assay.front.terminal.rate_search import SearchDisplay, print_searched
    from assay.front.terminal.safe_console import AssayConsole
    from assay.front.terminal.storage import print_result, print_verified
    from assay.front.terminal.storage_progress import Moment, StorageDisplay
    from assay.front.terminal.tables import figures_table, say_tables
    from assay.front.terminal.tally import print_tally
    from assay.front.terminal.why import print_why
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "PIPE_WIDTH",
    "AssayConsole",
    "BenchDisplay",
    "ByteDisplay",
    "DiskDisplay",
    "LiveProgress",
    "Moment",
    "OutputClosed",
    "PlainProgress",
    "SearchDisplay",
    "ServerDisplay",
    "StepLines",
    "StorageDisplay",
    "console",
    "disk_object",
    "figures_table",
    "forget_output",
    "json_printed",
    "make_streams_safe",
    "output_is_gone",
    "print_alarms",
    "print_audit",
    "print_comparison",
    "print_disk",
    "print_gate",
    "print_history",
    "print_imports",
    "print_measured",
    "print_queue",
    "print_report",
    "print_reports",
    "print_result",
    "print_searched",
    "print_table",
    "print_tally",
    "print_verified",
    "print_why",
    "say",
    "say_json",
    "say_rows",
    "say_tables",
    "table_object",
    "tell_size",
    "warn_before",
]
