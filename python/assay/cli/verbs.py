"""The verbs: adding one is its file and one line here. Help reads this list and imports none of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """`assay.cli.<file>` holds a click command called `command`; the file is called as the verb, unless that
    is a name of Python's: it would hide it in the package.
    """

    name: str
    summary: str
    file: str = ""


VERBS: tuple[Verb, ...] = (
    Verb("init", "Write a study to begin with."),
    Verb("list", "List the studies that come with assay, and the results here.", file="listing"),
    Verb("plan", "Say what a study would run, in which order, and how long it takes."),
    Verb("run", "Run a study, or go on where it stopped, and write its report."),
    Verb("report", "Write the report of results again."),
    Verb("show", "Show how far results have come and what they say."),
    Verb("bench", "One measurement without a study."),
    Verb("fio", "Run a fio job file on files or disks."),
    Verb("sysbench", "Tests of sysbench by their own options: fileio."),
    Verb("advise", "Settings of InnoDB for a disk that a study measured."),
    Verb("audit", "Search anybody's result tables for figures that cannot be."),
    Verb("calibrate", "Measure how fast the load generator itself is on this machine."),
    Verb("server", "Get, start and stop servers of any version."),
    Verb("dataset", "List the datasets that studies have loaded, and remove them."),
    Verb("host", "Show this machine, and what would disturb on it."),
    Verb("doctor", "Say what is missing on this machine and how to get it."),
    Verb("schema", "Write the JSON Schema of a file that people write, for editors."),
)
