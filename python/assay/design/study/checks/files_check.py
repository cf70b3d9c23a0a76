"""Checks that a study of storage fits together: no server, nothing about tables, a job file that can be
read.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.format import OWN_MEASURES
from assay.design.study import storage
from assay.design.study.checks.problems import Problem
from assay.design.study.claims import Claim
from assay.design.study.measures import parted
from assay.design.study.model.file import StudyFile
from assay.design.study.model.keys import KEYS, WORKLOAD
from assay.design.study.subject import SERVER, STORAGE, subject_of
from assay.design.study.values import shown

FACTORS = ("workload.", "storage.", "host.", "volume.")
_OF_SERVERS = {"tps", "qps", "errors_per_s", "generator_cpu_us_per_query", "server_cpu_us_per_query"} | {
    one.name for one in OWN_MEASURES
}
_OF_BOTH = {"disk_util_pct"}
STEADY_ROUNDS = 5
"""Rounds that the rule of a steady state looks at (SNIA PTS)."""
_SECTIONS_OF_SERVERS = ("server", "schema", "experiment")


def uses(file: StudyFile) -> list[str]:
    """Returns every workload that the study names."""
    varied = [str(value) for one in file.varied if one.key == WORKLOAD for value in one.given]
    return list(dict.fromkeys(varied)) or ([] if not file.workload.use else [file.workload.use])


def drives_files(file: StudyFile) -> bool:
    """Returns whether any of its workloads is on files."""
    return any(subject_of(use).kind == "storage" for use in uses(file))


def files_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with keys that a study of storage cannot have, or that only such a study can have."""
    if not drives_files(file):
        yield from _only_for_files(file)
        return
    where = ("factor",) if not file.workload.use else ("workload", "use")
    for use in uses(file):
        if subject_of(use).kind == "server":
            yield Problem(where, f"{shown(use)} drives a server, others files; write a study for each")
    if file.server.use not in ("", storage.NO_SERVER):
        yield Problem(
            ("server", "use"), f'{shown(file.server.use)}: a load on files needs no server; write "none"'
        )
    for key in file.server.model_fields_set - {"use"}:
        yield Problem(("server", key), "is for servers; this study drives files")
    for key in file.schema_.model_fields_set:
        yield Problem(("schema", key), "is for tables; this study drives files")
    for full in file.keys:
        section, _, key = full.partition(".")
        if section not in _SECTIONS_OF_SERVERS and "server" in KEYS[full].needs:
            yield Problem((section, key), "is for servers; this study drives files")
    if 0 < file.storage.rounds < STEADY_ROUNDS:
        yield Problem(
            ("storage", "rounds"), f"is too few: a steady state needs at least {STEADY_ROUNDS} rounds"
        )
    if file.experiment is not None:
        yield Problem(("experiment", "use"), "is for servers; this study drives files")
    for one in file.varied:
        if _varies_a_server(one.key):
            known = ", ".join(f"{prefix}X" for prefix in FACTORS)
            yield Problem(one.place, f'"{one.key}" is for servers; of files {known} can vary')


def _varies_a_server(factor: str) -> bool:
    key = KEYS.get(factor)
    return factor.startswith(_SECTIONS_OF_SERVERS) or (key is not None and "server" in key.needs)


def _only_for_files(file: StudyFile) -> Iterator[Problem]:
    if file.server.use == storage.NO_SERVER:
        yield Problem(
            ("server", "use"), '"none" is for loads on files: [workload] use = "fio:JOB.fio" or "fileio"'
        )
    if file.load.iodepth is not None:
        yield Problem(("load", "iodepth"), "is for loads on files; a server has threads = [1, 8, 64]")
    for key in file.storage.model_fields_set:
        yield Problem(
            ("storage", key), "is for loads on files; a server's places are server.data_dir and others"
        )
    for one in file.varied:
        if one.key.startswith("storage."):
            yield Problem(one.place, f'"{one.key}" is for loads on files; write "server.data_dir"')


def not_measured_there(claim: Claim, *, files: bool) -> Iterator[str]:
    """Yields sentences about measures of a claim that belong to the other kind of study."""
    for name in dict.fromkeys(parted(term.measure)[1] for term in claim.terms):
        if files and name in _OF_SERVERS:
            yield f'"{name}" is measured of servers; of files there are {", ".join(STORAGE.headlines)} …'
        if not files and name in storage.MEASURES and name not in _OF_BOTH:
            yield f'"{name}" is measured of files; of servers there are {", ".join(SERVER.headlines)} …'
