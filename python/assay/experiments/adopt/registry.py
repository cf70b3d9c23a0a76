"""The readers of other tools' results; a new one is its file and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.experiments.adopt import (
    benchbase,
    fio_json,
    fio_text,
    hammerdb,
    iostat,
    linkbench,
    mysqlslap,
    options_file,
    sysbench,
    top,
    tpcc_mysql,
    variables,
    vmstat,
    ycsb,
)
from assay.experiments.adopt.adopted import Adopted
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.adopt.lines import Text


@dataclass(frozen=True)
class Reader:
    """The reader of one tool's text.

    `forms` names what it reads. `recognises` decides by the content; `read` takes the lines of a file that it
    understands, and returns one result for each run in it.
    """

    forms: str
    recognises: Callable[[str], bool]
    read: Callable[[Text], list[Adopted]]


READERS: tuple[Reader, ...] = (
    Reader("the text of sysbench 0.4, 0.5 or 1.0", sysbench.recognises, sysbench.read),
    Reader("the JSON of fio 3", fio_json.recognises, fio_json.read),
    Reader("the text of fio 3", fio_text.recognises, fio_text.read),
    Reader("the text of tpcc-mysql", tpcc_mysql.recognises, tpcc_mysql.read),
    Reader("the text or CSV files of LinkBench", linkbench.recognises, linkbench.read),
    Reader("the log or the job's JSON of HammerDB (TPROC-C)", hammerdb.recognises, hammerdb.read),
    Reader("summary.json or results.csv of BenchBase", benchbase.recognises, benchbase.read),
    Reader("the text of YCSB", ycsb.recognises, ycsb.read),
    Reader("the text or CSV of mysqlslap", mysqlslap.recognises, mysqlslap.read),
)
"""In the order in which they are asked; a file that none recognises may still be a table (`wide_tables`)."""


@dataclass(frozen=True)
class BesideReader:
    """The reader of what was recorded beside a load. `read` also takes the time between two readings, and
    returns each log in a file.
    """

    forms: str
    recognises: Callable[[str], bool]
    read: Callable[[Text, float | None], list[CompanionFile]]


BESIDE: tuple[BesideReader, ...] = (
    BesideReader("a log of vmstat", vmstat.recognises, vmstat.read),
    BesideReader("a log of iostat", iostat.recognises, iostat.read),
    BesideReader("a log of top -b", top.recognises, top.read),
    BesideReader("an options file (my.cnf)", options_file.recognises, options_file.read),
    BesideReader("the answer of SHOW GLOBAL VARIABLES", variables.recognises, variables.read),
)
