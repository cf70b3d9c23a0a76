"""The list of verbs; a new verb is its file and one line here. Help reads this list and imports none of
them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """A verb, whose command `command` is in `assay.front.cli.<file>`.

    The file has the verb's name unless Python has a built-in of that name, which a module of the name would
    hide.
    """

    name: str
    summary: str
    file: str = ""


VERBS: tuple[Verb, ...] = (
    Verb("init", "Write a study to start from."),
    Verb("list", "List the shipped studies, and the results in this folder.", file="listing"),
    Verb("plan", "Show what a study would run, in which order, and how long."),
    Verb("run", "Run a study, or continue it, and write its report."),
    Verb("campaign", "Carry out many studies in order, under a budget of time."),
    Verb("aa", "Measure how much equal runs of a study vary."),
    Verb("report", "Judge results again and rewrite their report."),
    Verb("document", "Fill a Markdown document with results: tables, charts, verdicts."),
    Verb("show", "Show the progress and the verdicts of results."),
    Verb("serve", "Serve pages over all results, for a browser."),
    Verb("site", "Write these pages as files."),
    Verb("bundle", "Archive results as one file, or unpack such a file."),
    Verb("gate", "Say whether a change may pass, by the claims that a study requires."),
    Verb("alarms", "Record which alarms of gates were right."),
    Verb("baseline", "Keep the figures of a build as a file, for gates that cannot run it."),
    Verb("history", "Follow results over server builds, and find where they changed."),
    Verb("bisect", "Find the server build that brought a change."),
    Verb("bench", "Make one measurement without a study."),
    Verb("fio", "Run a fio job file on files or disks."),
    Verb("sysbench", "Run sysbench's tests of files, processors, memory and locks with its own options."),
    Verb("advise", "Suggest settings by what a study found: a fragment of my.cnf."),
    Verb("calc", "Calculate sizes: RAID space, redo log, buffer pool, data."),
    Verb("import", "Bring results of other tools into a results folder.", file="importing"),
    Verb("audit", "Search any result tables for impossible figures."),
    Verb("compare", "Compare results with a published table, or with other results."),
    Verb("published", "Show five published reports, and test their claims here."),
    Verb("calibrate", "Measure how fast the load generator itself is on this machine."),
    Verb("server", "Get, start and stop servers of any version."),
    Verb("fleet", "Let generators on other machines share a load."),
    Verb("dataset", "List the datasets that studies have loaded, and remove them."),
    Verb("host", "Show this machine, and what would disturb a measurement."),
    Verb("doctor", "Show what is missing on this machine and how to get it."),
    Verb("schema", "Write the JSON Schema of study files, for editors."),
)
