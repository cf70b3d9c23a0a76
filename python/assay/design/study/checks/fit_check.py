"""Checks that the tables of a study file fit each other, before the study is made of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.design.study.binaries import binaries
from assay.design.study.checks.data_check import data_problems
from assay.design.study.checks.experiment_check import experiment_problems
from assay.design.study.checks.failure_check import failure_problems
from assay.design.study.checks.files_check import drives_files, files_problems, uses
from assay.design.study.checks.problems import Problem, keys_of_table
from assay.design.study.checks.screen_check import screen_problems
from assay.design.study.checks.tied_check import tied_problems
from assay.design.study.checks.volume_check import volume_problems
from assay.design.study.claims import LADDERS
from assay.design.study.model.factor import VariedKey
from assay.design.study.model.factor_names import check_level
from assay.design.study.model.file import StudyFile
from assay.design.study.model.keys import WORKLOAD
from assay.design.study.model.load import Load
from assay.design.study.model.verdict import OF_COPIES
from assay.design.study.scripts import EXPERIMENTS_WITHOUT_SCRIPTS, NOT_WITH_SCRIPTS, is_lua, is_script
from assay.design.study.subject import is_imported

_SAME_THING = {
    "schema.index": "workload.create_secondary",
    "schema.engine": "workload.mysql_storage_engine",
}
"""Two names for one setting of the tables: a study may use one of them."""


MOST_TREATMENTS = 5000


def _size_problems(file: StudyFile) -> Iterator[Problem]:
    treatments = math.prod(len(factor.levels) for factor in file.factor)
    if not file.design.screens and treatments > MOST_TREATMENTS:
        yield Problem(
            ("factor",),
            f"all levels together make {treatments:,} treatments, and a study has at most"
            f" {MOST_TREATMENTS:,}; leave factors or levels out, or screen the factors",
        )


def _loads_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields a problem where datasets cannot be loaded as often as the design says."""
    loads = file.design.loads or 1
    if loads == 2:
        yield Problem(("design", "loads"), "2 loads give no verdict: load once, or at least 3 times")
    if loads > 1 and drives_files(file):
        yield Problem(("design", "loads"), "a load on files has no dataset that is loaded; leave it out")
    servers = _servers(file)
    if loads > 1 and servers and all(use.startswith("dsn:") for use in servers):
        yield Problem(("design", "loads"), "a running server keeps its tables, loaded once; leave it out")
    counts = {len(binaries(use)) for use in servers} - {1}
    if len(counts) > 1:
        said = " and ".join(map(str, sorted(counts)))
        yield Problem(("server", "use"), f"builds of {said} binaries: give each as many, or one")
    elif counts and file.design.loads not in (None, most := max(counts)):
        sentence = f"a build has {most} binaries, and each has a load of its own: leave it out"
        yield Problem(("design", "loads"), sentence)


def _servers(file: StudyFile) -> list[str]:
    """Returns every server that the study names."""
    varied = (value for one in file.varied if one.key == "server.use" for value in one.values)
    return [use for use in (file.server.use, *varied) if isinstance(use, str) and use]


def fit_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with keys that are correct alone and contradict each other."""
    if problems := list(_size_problems(file)):  # before anything is made of so many treatments
        yield from problems
        return
    yield from _ladder_problems(file.load)
    yield from _loads_problems(file)
    yield from _delay_problems(file)
    yield from data_problems(file)
    yield from experiment_problems(file)
    yield from files_problems(file)
    yield from _script_problems(file)
    yield from volume_problems(file)
    yield from failure_problems(file)
    yield from screen_problems(file)
    for option in file.workload.options:
        if option in keys_of_table("load") and option != "iodepth":
            yield Problem(("workload", option), "is not an option of a workload; it belongs in [load]")
    fixed = _fixed(file)
    names = [one.key for one in file.varied]
    imported = is_imported(file.workload.use)
    for one in file.varied:
        if one.key.startswith("imported.") and not imported:
            yield Problem(one.place, f'"{one.key}" is for results that `assay import` brings in')
    without_server = imported or drives_files(file)
    if not file.server.use and "server.use" not in names and not without_server:
        yield Problem(("server", "use"), 'is missing; say which server, as in use = "mariadb"')
    if file.server.reason is not None and not file.server.applies:
        yield Problem(
            ("server", "reason"),
            'needs applies, which says what servers the study applies to: applies = ["mysql >= 5.6"]',
        )
    yield from _hosts_problems(file)
    if not file.workload.use and WORKLOAD not in names:
        yield Problem(
            ("workload", "use"), "is missing; write the name of a workload (`assay bench --help` lists them)"
        )
    for number, factor in enumerate(file.factor):
        yield from tied_problems(number, factor, [one.name for one in file.factor])
    for position, one in enumerate(file.varied):
        if one.key in names[:position]:
            yield Problem(one.place, _twice(one, file))
        if one.key in fixed and None not in one.values:
            yield Problem(
                one.place, f'"{one.key}" is set in both, here and at {fixed[one.key]}; keep one of them'
            )
        for level, value in enumerate(one.values):
            if value is None:
                continue
            try:
                check_level(one.key, value)
            except ValueError as error:
                yield Problem(one.value_place(level), str(error))
    everything = {*names, *fixed}
    for key, other in _SAME_THING.items():
        if key in everything and other in everything:
            yield Problem(("schema", key.partition(".")[2]), f'sets the same as "{other}"; keep one of them')


def _twice(one: VariedKey, file: StudyFile) -> str:
    """Returns the sentence about a key that an earlier factor varies too."""
    earlier = next(other for other in file.varied if other.key == one.key)
    if earlier.place == (*earlier.table, "name") and one.place == (*one.table, "name"):
        return f'"{one.key}" is a factor already; put all its levels in one [[factor]]'
    name = file.factor[earlier.number].name
    return f'"{one.key}" is set by the factor "{name}" already; a key can vary in one factor'


def _ladder_problems(load: Load) -> Iterator[Problem]:
    ladders = [key for key in LADDERS if getattr(load, key) is not None]
    if not ladders:
        yield Problem(("load",), "needs a ladder; write threads = [1, 8, 64], or rate = [500, 1000]")
    for key in ladders[1:]:
        yield Problem(
            ("load", key), f"cannot be combined with {ladders[0]}: a study has one ladder; keep one of them"
        )
    if load.rate is None:
        for key in ("arrivals", "connections"):
            if key in load.model_fields_set:
                yield Problem(("load", key), "needs an open loop, which has rate = […] instead of threads")
    if load.think_ms and load.rate is not None:
        yield Problem(("load", "think_ms"), "needs a closed loop: an open loop has a schedule instead")
    if load.terminals is not None:
        if load.rate is not None:
            yield Problem(("load", "terminals"), "needs a closed loop: an open loop has a schedule instead")
        elif load.terminals < (most := max(load.threads or [1])):
            yield Problem(
                ("load", "terminals"),
                f"is {load.terminals}, but they share {most} connections (threads)",
            )


def _script_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with keys that a load by a script cannot have."""
    if not any(map(is_script, uses(file))):
        return
    if file.experiment is not None and file.experiment.use in EXPERIMENTS_WITHOUT_SCRIPTS:
        yield Problem(("experiment", "use"), EXPERIMENTS_WITHOUT_SCRIPTS[file.experiment.use])
    if not any(map(is_lua, uses(file))):
        return
    varied = {one.key: one.place for one in file.varied}
    for key, sentence in NOT_WITH_SCRIPTS.items():
        if key in file.load.model_fields_set:
            yield Problem(("load", key), sentence)
        elif place := varied.get(f"load.{key}"):
            yield Problem(place, sentence)


def _delay_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields a problem when a network delay lacks a client in a namespace in some treatment."""
    varied = {one.key: one for one in file.varied}
    delayed, connecting = varied.get("load.delay_ms"), varied.get("load.client")
    delays = delayed.given if delayed else (file.load.delay_ms,)
    clients = connecting.given if connecting else (file.load.client or "socket",)
    if delayed and connecting and delayed.number == connecting.number:  # they vary together
        clients = tuple(client for delay, client in zip(delays, clients, strict=True) if delay)
    without = [client for client in clients if client != "netns"]
    if any(delays) and without:
        yield Problem(
            delayed.values_place if delayed else ("load", "delay_ms"),
            f'needs a client in its own network: load.client = "netns", not "{without[0]}"',
        )


def _fixed(file: StudyFile) -> dict[str, str]:
    """Returns the keys that the study sets for all treatments, by their names as factors, with their place in
    the file.
    """
    fixed = {f"server.variables.{name}": "[server] variables" for name in file.server.variables}
    fixed |= {f"server.dynamic.{name}": "[server] dynamic" for name in file.server.dynamic}
    fixed |= {f"workload.{name}": "[workload]" for name in file.workload.options}
    if file.experiment is not None:
        fixed |= {f"experiment.{name}": "[experiment]" for name in file.experiment.options}
    for name in file.keys:
        section, _, key = name.partition(".")
        fixed[name] = f"[{section}] {key}"
    return fixed


def _hosts_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields a problem where blocks cannot be carried out on other hosts."""
    if file.server.on is None:
        return
    for use in _servers(file):
        if use.startswith("dsn:"):
            yield Problem(
                ("server", "on"),
                "is for servers that a lab starts on each host; a running server is where it is",
            )
            return
    if file.verdict.margin == OF_COPIES:
        yield Problem(
            ("server", "on"),
            f'cannot be combined with verdict.margin = "{OF_COPIES}", which is kept of this machine alone;'
            " write the margin as a number",
        )
