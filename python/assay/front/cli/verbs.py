"""The list of verbs; a new verb is its file and one line here. Help reads this list and imports none of
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """A verb, whose command `command` is in `assay.front.cli.<file>`.

    The file has the verb's name unless Python has a built-in of that name, which a module of the name would
    hide. `manual` is the page of the manual that explains what the verb is about, beside its options in
    the reference of commands.
    """

    name: str
    summary: str
    file: str = ""
    manual: str = ""


GROUPS: Mapping[str, tuple[Verb, ...]] = {
    "Begin": (
        Verb("demo", "Run a first study, up to its verdict.", manual="guide/install.md"),
        Verb("doctor", "Show what is missing on this machine and how to get it."),
        Verb("init", "Write a study to start from.", manual="guide/first-study"),
        Verb("list", "List the shipped studies, and the results in this folder.", file="listing"),
        Verb("plan", "Show what a study would run, in which order, and how long.", manual="reference/study"),
        Verb("run", "Run a study, or continue it, and write its report.", manual="reference/study"),
        Verb("show", "Show the progress and the verdicts of results.", manual="guide/reading-a-report"),
        Verb("report", "Judge results again and rewrite their report.", manual="guide/reading-a-report"),
    ),
    "Read and share results": (
        Verb("serve", "Serve pages over all results, for a browser.", manual="guide/web"),
        Verb("why", "Say what a difference between treatments is made of.", manual="guide/why"),
        Verb(
            "compare",
            "Compare results with a published table, or with other results.",
            manual="method/statistics",
        ),
        Verb("advise", "Suggest settings by what a study found: a fragment of my.cnf."),
        Verb("document", "Fill a Markdown document with results: tables, charts, verdicts."),
        Verb("site", "Write these pages as files.", manual="guide/web"),
        Verb("bundle", "Archive results as one file, or unpack such a file."),
    ),
    "Studies of another kind": (
        Verb("aa", "Measure how much equal runs of a study vary.", manual="method/statistics"),
        Verb("campaign", "Carry out many studies in order, under a budget of time."),
        Verb("bisect", "Find the server build that brought a change.", manual="method/history"),
        Verb(
            "published",
            "Show five published reports, and test their claims here.",
            manual="reference/published",
        ),
    ),
    "Changes over time": (
        Verb("gate", "Say whether a change may pass, by the claims of a study.", manual="guide/gate"),
        Verb("baseline", "Keep the figures of a build as a file, for later gates.", manual="guide/gate"),
        Verb("alarms", "Record which alarms of gates were right.", manual="guide/gate"),
        Verb(
            "history",
            "Follow results over server builds, and find where they changed.",
            manual="method/history",
        ),
    ),
    "One measurement without a study": (
        Verb("bench", "Make one measurement without a study.", manual="guide/from-sysbench"),
        Verb(
            "own", "Make a file of your own statements from a log, and check it.", manual="guide/from-a-log"
        ),
        Verb(
            "data",
            "Describe a server's data, to generate data like them.",
            manual="guide/data-at-scale",
        ),
        Verb("disk", "Say whether a disk is fit for a durable MySQL, on one page.", manual="guide/disk"),
        Verb("fio", "Run a fio job file on files or disks.", manual="reference/storage"),
        Verb(
            "sysbench",
            "Run sysbench's tests of files, processors, memory and locks.",
            manual="guide/from-sysbench",
        ),
    ),
    "Servers and machines": (
        Verb("server", "Get, start and stop servers of any version.", manual="reference/servers"),
        Verb("fleet", "Let generators on other machines share a load.", manual="guide/fleet"),
        Verb("host", "Show this machine, and what would disturb a measurement.", manual="method/host"),
        Verb(
            "calibrate",
            "Measure how fast the load generator itself is on this machine.",
            manual="method/scaling",
        ),
        Verb("dataset", "List the datasets that studies have loaded, and remove them."),
    ),
    "Figures from elsewhere, and other tools": (
        Verb(
            "import",
            "Bring results of other tools into a results folder.",
            file="importing",
            manual="reference/import",
        ),
        Verb("audit", "Search any result tables for impossible figures.", manual="reference/audit"),
        Verb("calc", "Calculate sizes: RAID space, redo log, buffer pool, data."),
        Verb("manual", "Print the manual: a page of it, or what it says of a verb."),
        Verb("schema", "Write the JSON Schema of study files, for editors.", manual="reference/study"),
    ),
}
"""The verbs by what one wants, those that a newcomer needs first."""

VERBS: tuple[Verb, ...] = tuple(verb for verbs in GROUPS.values() for verb in verbs)
