"""Study file -> Study: parse, check the shape, check that the parts fit. Every complaint is an InputError."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from assay.errors import InputError
from assay.study.claim_parser import parse_claim
from assay.study.claims import LADDERS
from assay.study.cross_check import nothing_to_compare, resolve, rung_problem, unreachable, unused_margin
from assay.study.experiment_check import experiment_problems, not_measured
from assay.study.factor_names import check_level
from assay.study.failure_check import fails_device, failure_problems, not_measured_without
from assay.study.file import HypothesisTable, LoadTable, StudyFile
from assay.study.files_check import drives_files, files_problems, not_measured_there, read_job_files
from assay.study.models import (
    GIVEN,
    WORKLOAD,
    Design,
    ExperimentChoice,
    Factor,
    Hypothesis,
    Load,
    SchemaChoice,
    ServerChoice,
    StorageChoice,
    Study,
    VerdictOptions,
    WorkloadChoice,
)
from assay.study.on_files import NO_SERVER
from assay.study.problems import Problem, input_error, shape_problems
from assay.study.volume_check import needs_volume, volume_problems

_AT_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")

Changes = Mapping[tuple[str, str], str | int]
"""Table and key -> what the command line says instead of the file."""

_LARGEST = 16 << 20  # bytes

_SAME_THING = {
    "schema.index": "workload.create_secondary",
    "schema.engine": "workload.mysql_storage_engine",
}
"""Two names for one setting of the tables: a study may use one of them."""


def load_study(path: Path) -> Study:
    """The study in a file. Raises InputError naming file, line, key, what was found and what is allowed."""
    return parse_study(read_study_text(path), path)


def read_study_text(path: Path) -> str:
    """The text of a study file, without the mark that some editors put at its start. Raises InputError when
    it cannot be read."""
    try:
        if path.is_fifo() and not path.resolve().is_relative_to("/proc"):  # there: a pipe of the shell's
            raise InputError(f"{path}: is a named pipe, not a file: a study is read more than once")
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a name with a zero byte in it
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from None
    if len(content) > _LARGEST:
        raise InputError(f"{path}: is larger than {_LARGEST >> 20} MiB: it is no study")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start})", hint="save it as UTF-8") from None


def parse_study(text: str, path: Path, *, changes: Changes | None = None) -> Study:
    """The study in a text; `path` is for messages, `changes` are values in place of the text's own."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, error) from None
    except RecursionError:
        raise InputError(f"{path}: is not valid TOML: its lists or tables are nested too deep") from None
    for (table, key), value in (changes or {}).items():
        found = raw.setdefault(table, {})
        if isinstance(found, dict):
            found[key] = value
    try:
        file = StudyFile.model_validate(raw)
    except ValidationError as error:
        raise input_error(path, text, list(shape_problems(error))) from None
    varied: dict[tuple[str, ...], int] = {
        tuple(factor.name.split(".", 1)): number for number, factor in enumerate(file.factor)
    }
    for place in changes or {}:
        if place in varied:
            sentence = f'"{".".join(place)}" is a factor of this study: the command line cannot fix it'
            raise input_error(path, text, [Problem(("factor", varied[place], "name"), sentence)])
    job_files, unreadable = read_job_files(file, path)
    if problems := [*_fit_problems(file), *unreadable]:
        raise input_error(path, text, problems)
    load, design, factors = _load(file.load), Design(**dict(file.design)), _factors(file)
    hypotheses, problems = _hypotheses(
        file.hypothesis, load, design, factors, None if file.experiment is None else file.experiment.use
    )
    files, fails = drives_files(file), fails_device(file)
    problems += [
        Problem(("hypothesis", number, "claim"), sentence)
        for number, one in enumerate(hypotheses)
        for sentence in (
            *not_measured_there(one.claim, files=files),
            *not_measured_without(one.claim, fails=fails, files=files),
            *needs_volume(one.claim, file),
        )
    ]
    if problems:
        raise input_error(path, text, problems)
    first = {factor.name: factor.levels[0] for factor in factors}
    return Study(
        name=file.study.name,
        title=file.study.title,
        description=file.study.description,
        server=ServerChoice(
            use=NO_SERVER if drives_files(file) else str(first.get("server.use", file.server.use)),
            variables=file.server.variables,
            dynamic=file.server.dynamic,
            **{key: getattr(file.server, key) for key in GIVEN},
        ),
        workload=WorkloadChoice(
            use=str(first.get(WORKLOAD, file.workload.use)),
            options=dict(file.workload.__pydantic_extra__),
            files=job_files,
        ),
        storage=StorageChoice(
            directory=file.storage.directory,
            passes=file.storage.passes,
            rounds=file.storage.rounds,
            round_s=file.storage.round,
        ),
        schema_=SchemaChoice(**dict(file.schema_)),
        host=file.host,
        volume=file.volume,
        load=load,
        experiment=None
        if file.experiment is None
        else ExperimentChoice(use=file.experiment.use, options=dict(file.experiment.__pydantic_extra__)),
        factors=factors,
        design=design,
        hypotheses=hypotheses,
        verdict=VerdictOptions(**dict(file.verdict)),
    )


def _fit_problems(file: StudyFile) -> Iterator[Problem]:
    yield from _ladder_problems(file.load)
    yield from _delay_problems(file)
    yield from experiment_problems(file)
    yield from files_problems(file)
    yield from volume_problems(file)
    yield from failure_problems(file)
    for option in file.workload.__pydantic_extra__:
        if option in LoadTable.model_fields and option != "iodepth":
            yield Problem(("workload", option), "is no option of a workload; it belongs in [load]")
    fixed = _fixed(file)
    names = [factor.name for factor in file.factor]
    if file.server.use is None and "server.use" not in names and not drives_files(file):
        yield Problem(("server", "use"), 'is missing; say which server, as in use = "mariadb"')
    if file.workload.use is None and WORKLOAD not in names:
        yield Problem(
            ("workload", "use"), "is missing: Name of a workload, as `assay bench --help` lists them."
        )
    for number, factor in enumerate(file.factor):
        here = ("factor", number)
        if factor.name in names[:number]:
            yield Problem(
                (*here, "name"), f'"{factor.name}" is a factor already; put all its levels in one [[factor]]'
            )
        if factor.name in fixed:
            yield Problem(
                (*here, "name"),
                f'"{factor.name}" is set in both, here and at {fixed[factor.name]}; keep one of them',
            )
        for position, level in enumerate(factor.levels):
            try:
                check_level(factor.name, level)
            except ValueError as error:
                yield Problem((*here, "levels", position), str(error))
    everything = {name: name for name in names} | fixed
    for one, other in _SAME_THING.items():
        if one in everything and other in everything:
            yield Problem(("schema", one.partition(".")[2]), f'sets the same as "{other}"; keep one of them')


def _ladder_problems(load: LoadTable) -> Iterator[Problem]:
    ladders = [key for key in LADDERS if getattr(load, key) is not None]
    if not ladders:
        yield Problem(("load",), "has no ladder; write threads = [1, 8, 64], or rate = [500, 1000]")
    for key in ladders[1:]:
        yield Problem(("load", key), f"stands beside {ladders[0]}; a study has one ladder: keep one of them")
    if load.rate is None:
        for key in ("arrivals", "connections"):
            if getattr(load, key) is not None:
                yield Problem(
                    ("load", key), "is only for an open loop, which has rate = […] instead of threads"
                )
    if load.terminals is not None:
        if load.rate is not None:
            yield Problem(
                ("load", "terminals"), "is only for a closed loop: an open one has a schedule instead"
            )
        elif load.terminals < (most := max(load.threads or [1])):
            yield Problem(
                ("load", "terminals"),
                f"is {load.terminals}, but they are to share {most} connections (threads)",
            )


def _delay_problems(file: StudyFile) -> Iterator[Problem]:
    """A delay lies on the link of a client in a namespace: every treatment must have one."""
    varied = {factor.name: (number, factor.levels) for number, factor in enumerate(file.factor)}
    where, delays = ("load", "delay_ms"), [file.load.delay_ms or 0]
    if "load.delay_ms" in varied:
        number, delays = varied["load.delay_ms"]  # type: ignore[assignment]
        where = ("factor", number, "levels")  # type: ignore[assignment]
    clients = varied["load.client"][1] if "load.client" in varied else [file.load.client or "socket"]
    without = [client for client in clients if client != "netns"]
    if any(delays) and without:
        yield Problem(
            where,
            f'delays a client that is in a network of its own: load.client = "netns", not "{without[0]}"',
        )


def _fixed(file: StudyFile) -> dict[str, str]:
    """What the study sets once for all treatments: name as a factor would write it -> where."""
    fixed = {f"server.variables.{name}": "[server] variables" for name in file.server.variables}
    fixed |= {f"server.dynamic.{name}": "[server] dynamic" for name in file.server.dynamic}
    fixed |= {f"host.{name}": "[host]" for name in file.host}
    fixed |= {f"volume.{name}": "[volume]" for name in file.volume}
    fixed |= {f"workload.{name}": "[workload]" for name in file.workload.__pydantic_extra__}
    if file.experiment is not None:
        fixed |= {f"experiment.{name}": "[experiment]" for name in file.experiment.__pydantic_extra__}
    for name, value, where in (
        ("server.use", file.server.use, "[server] use"),
        *((f"server.{key}", getattr(file.server, key), f"[server] {key}") for key in GIVEN),
        (WORKLOAD, file.workload.use, "[workload] use"),
        ("storage.directory", file.storage.directory, "[storage] directory"),
        ("schema.index", file.schema_.index, "[schema] index"),
        ("schema.engine", file.schema_.engine, "[schema] engine"),
        ("load.ps_mode", file.load.ps_mode, "[load] ps_mode"),
        ("load.client", file.load.client, "[load] client"),
        ("load.delay_ms", file.load.delay_ms, "[load] delay_ms"),
    ):
        if value is not None:
            fixed[name] = where
    return fixed


def _load(table: LoadTable) -> Load:
    return Load(
        threads=None if table.threads is None else tuple(table.threads),
        rate=None if table.rate is None else tuple(table.rate),
        iodepth=None if table.iodepth is None else tuple(table.iodepth),
        terminals=table.terminals,
        arrivals=table.arrivals or "poisson",
        connections=table.connections,
        warmup=table.warmup,
        measure_s=table.measure,
        ps_mode=table.ps_mode or "auto",
        client=table.client,
        delay_ms=table.delay_ms or 0.0,
    )


def _factors(file: StudyFile) -> tuple[Factor, ...]:
    return tuple(Factor(name=factor.name, levels=tuple(factor.levels)) for factor in file.factor)


def _hypotheses(
    tables: list[HypothesisTable],
    load: Load,
    design: Design,
    factors: tuple[Factor, ...],
    experiment: str | None,
) -> tuple[tuple[Hypothesis, ...], list[Problem]]:
    hypotheses: list[Hypothesis] = []
    problems: list[Problem] = []
    for number, table in enumerate(tables):
        here = ("hypothesis", number)
        try:
            claim = resolve(parse_claim(table.claim), factors)
        except ValueError as error:
            problems.append(Problem((*here, "claim"), str(error)))
            continue
        problems += [Problem((*here, "claim"), text) for text in unreachable(claim, load, design, factors)]
        problems += [Problem((*here, "claim"), text) for text in not_measured(claim, experiment)]
        problems += [Problem((*here, "claim"), text) for text in nothing_to_compare(claim, design, factors)]
        if table.margin is not None and (sentence := unused_margin(claim)):
            problems.append(Problem((*here, "margin"), sentence))
        for position, point in enumerate(table.at or ()):
            if sentence := rung_problem(point, load):
                problems.append(Problem((*here, "at", position), sentence))
        at = None if table.at is None else tuple(table.at)
        hypotheses.append(
            Hypothesis(claim=claim, text=table.claim, source=table.source, margin=table.margin, at=at)
        )
    return tuple(hypotheses), problems


def _syntax_error(path: Path, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    found = _AT_LINE.search(str(error))
    reason = _AT_LINE.sub("", str(error)).strip()
    if found is None:  # "(at end of document)"
        return InputError(f"{path}: is not valid TOML: {reason}")
    line, column = int(found[1]), int(found[2])
    shown_line = text.splitlines()[line - 1] if line <= len(text.splitlines()) else ""
    return InputError(
        f"{path}:{line}: is not valid TOML: {reason} (column {column})",
        hint='strings stand in quotes ("1G"), lists in [ ], and no key may be given twice',
        detail=f"{shown_line}\n{' ' * (column - 1)}^",
    )
