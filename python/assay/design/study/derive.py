"""Makes a study from another. Each function changes one thing and leaves the rest as it is.

A derived study can be one that nothing can run, such as a claim about a load point that it lacks: `read_back`
of `reading` checks it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from assay.base.errors import InputError
from assay.design.study.binaries import binaries
from assay.design.study.checks.cross_check import resolve
from assay.design.study.claims import Claim, ClaimSyntaxError, parse_claim
from assay.design.study.model.design import Design
from assay.design.study.model.factor import Factor
from assay.design.study.model.gate import GateRule
from assay.design.study.model.hypothesis import Hypothesis
from assay.design.study.model.keys import KEYS, SERVER_USE, WORKLOAD, field_of
from assay.design.study.model.study import Study
from assay.design.study.model.verdict import OF_COPIES, VerdictOptions
from assay.design.study.text.workload_files import files_for
from assay.design.study.values import COPY, DEFAULT_PLACE, Scalar, level_text

BUILD, BASE, NEW = "build", "base", "new"
"""The factor of the two builds of a gate, and its levels."""
PAIR, FIRST, SECOND = "treatment", "first", "second"
"""The factor of two treatments that differ in several factors, and its levels."""

_LONGEST_NAME = 60
_COPIES = "-aa"
_OF_ANY_DESIGN = ("order", "seed", "redo", "fair")
"""Keys of [design] that another study of the same experiment keeps, whatever its treatments are."""


def named(
    study: Study,
    name: str,
    *,
    title: Mapping[str, str] | None = None,
    description: Mapping[str, str] | None = None,
) -> Study:
    """Returns the study under another name. The scale ends: the name stands for its values, too."""
    new = {"name": name, "title": dict(title or {}), "description": dict(description or {}), "scale": None}
    return study.model_copy(update=new)


def with_value(study: Study, key: str, value: Scalar) -> Study:
    """Returns the study with one key set, by its full name: `server.cpus`, `workload.tables`.

    The value "default" of a key that has a place or an option as its value takes the key out.
    """
    section, _, last = key.partition(".")
    table = getattr(study, field := field_of(section))
    is_option = key not in KEYS and section in ("workload", "experiment")
    left_out = value == DEFAULT_PLACE and (key in KEYS or section == "workload")
    if section in ("host", "volume"):
        new: object = _set(table, last, value, left_out)
    elif key in KEYS:
        default = type(table).model_fields[last].default
        new = table.model_copy(update={last: default if left_out else value})
    else:  # an option of the workload; server.variables.X
        inner, name = ("options", last) if is_option else last.split(".", 1)
        new = table.model_copy(update={inner: _set(getattr(table, inner), name, value, left_out)})
    return study.model_copy(update={field: new})


def with_blocks(study: Study, blocks: int) -> Study:
    """Returns the study with another number of blocks."""
    return study.model_copy(update={"design": study.design.model_copy(update={"blocks": blocks})})


def with_other_loads(study: Study, loads: int) -> Study:
    """Returns the study on loads of its data that come after the `loads` that its blocks have now."""
    design = study.design
    first = design.first_load + min(loads, design.blocks)
    return study.model_copy(update={"design": design.model_copy(update={"first_load": first})})


def at_load(study: Study, load: float) -> Study:
    """Returns the study with this load point alone."""
    kind = study.load.kind
    ladder = (load,) if kind == "rate" else (int(load),)
    return study.model_copy(update={"load": study.load.model_copy(update={kind: ladder})})


def with_verdict(study: Study, verdict: VerdictOptions) -> Study:
    """Returns the study judged by other rules."""
    return study.model_copy(update={"verdict": verdict})


def without_claims(study: Study) -> Study:
    """Returns the study without hypotheses and gates."""
    return study.model_copy(update={"hypotheses": (), "gates": ()})


def with_hypothesis(study: Study, claim: str, *, margin: float | None = None) -> Study:
    """Returns the study with one more hypothesis. Raises InputError for a claim that cannot be one."""
    place = f"hypothesis[{len(study.hypotheses)}].claim"
    more = Hypothesis(claims=(_claim(study, claim, place),), texts=(claim,), margin=margin)
    return study.model_copy(update={"hypotheses": (*study.hypotheses, more)})


def with_claims(study: Study, claims: Sequence[str]) -> Study:
    """Returns the study with more gates, after its own. Raises InputError for a claim that cannot be one."""
    rules = tuple(
        GateRule(claim=_claim(study, text, f"gate[{number}].claim"), text=text)
        for number, text in enumerate(claims, start=len(study.gates))
    )
    return study.model_copy(update={"gates": (*study.gates, *rules)})


def at_levels(
    study: Study, levels: Mapping[str, str] | None = None, *, factors: Iterable[Factor] | None = None
) -> Study:
    """Returns the study with `factors`, by default all, replaced by one level each, and without claims, which
    compare levels.

    `levels`: levels as text by the full names of factors or keys; a factor that is not in it has its first.
    """
    fixed = tuple(study.factors if factors is None else factors)
    for factor in fixed:
        settings = {} if factor.name == COPY else factor.settings(_wanted(factor, levels or {}))
        for key, value in settings.items():
            study = with_value(study, key, value)
    return _with_factors(without_claims(study), tuple(one for one in study.factors if one not in fixed))


def of_pair(
    study: Study, one: Mapping[str, str], other: Mapping[str, str], *, free: Container[str] = ()
) -> tuple[Study, Factor]:
    """Returns the study at the levels that two treatments share, and the factor of those in which they
    differ; its first level is that of `one`.

    `one`, `other`: levels as text by the full names of factors. `free`: keys that the factor must not set, as
    another one will. Raises InputError for equal treatments, and
    for copies, which differ in nothing.
    """
    apart = [of for of in study.factors if of.name != COPY and one.get(of.name) != other.get(of.name)]
    if not apart:
        raise InputError("the two treatments are equal: what differs between them is noise")
    rest = [of for of in study.factors if of not in apart]
    levels = [[_wanted(of, side) for of in apart] for side in (one, other)]
    study = at_levels(study, one, factors=rest)
    if len(apart) == 1 and not apart[0].keys:
        return study, apart[0].model_copy(update={"levels": (levels[0][0], levels[1][0]), "labels": {}})
    first, second = (_settings(apart, side) for side in levels)
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    shared = [key for key in first if key not in differing]
    if not all(any(key in side for key in differing) for side in (first, second)):
        # A level that sets nothing cannot be written: it keeps something that both set alike.
        kept = next((key for key in shared if key not in free), None)
        differing += [] if kept is None else [kept]
        shared = [key for key in shared if key != kept]
    for key in shared:  # what both levels set alike is no part of what varies
        study = with_value(without_values(study, [key]), key, first[key])
    pair = Factor(
        name=apart[0].name if len(apart) == 1 else PAIR,
        levels=(levels[0][0], levels[1][0]) if len(apart) == 1 else (FIRST, SECOND),
        keys=tuple(differing),
        values=tuple(tuple(side.get(key) for key in differing) for side in (first, second)),
    )
    return study, pair


def without_values(study: Study, keys: Iterable[str]) -> Study:
    """Returns the study without the values that it gives these keys for all treatments."""
    for key in keys:
        section, _, last = key.partition(".")
        if key in KEYS or section in ("workload", "host", "volume"):
            study = with_value(study, key, DEFAULT_PLACE)
        else:
            table = getattr(study, field := field_of(section))
            inner, name = last.split(".", 1) if "." in last else ("options", last)
            kept = _set(getattr(table, inner), name, DEFAULT_PLACE, left_out=True)
            study = study.model_copy(update={field: table.model_copy(update={inner: kept})})
    return study


def with_treatments(
    study: Study, factors: Iterable[Factor], *, blocks: int, loads: int | None = None
) -> Study:
    """Returns the study with these factors in place of its own, all combinations in each block, and without
    claims. `loads`: of each dataset; None: as the study says.
    """
    kept = {key: getattr(study.design, key) for key in _OF_ANY_DESIGN}
    design = Design(**kept, blocks=blocks, loads=study.design.loads if loads is None else loads)
    return _with_factors(without_claims(study).model_copy(update={"design": design}), tuple(factors))


def as_copies(study: Study, *, copies: int, blocks: int, loads: int = 1) -> Study:
    """Returns the A/A study: equal copies of the baseline, which differ by noise alone, and no claims.

    With several `loads` of the baseline's dataset, each copy of a block has another of them. A margin that is
    taken from A/A results has its default, since there are none yet. All have the first of several binaries.
    """
    name = study.folder_name
    baseline = at_levels(study)
    baseline = with_value(baseline, SERVER_USE, binaries(baseline.server.use)[0])
    made = named(
        with_treatments(
            baseline,
            [Factor(name=COPY, levels=tuple(range(1, copies + 1)))],
            blocks=blocks,
            loads=loads,
        ),
        name[: _LONGEST_NAME - len(_COPIES)] + _COPIES,
        title={language: f"A/A: {text}" for language, text in study.title.items()},
        description={
            "en": f"{copies} equal copies of the baseline of {name}: all that differs is noise.",
            "zh": f"{name} 的基线的 {copies} 份相同副本：差别只来自噪声。",
        },
    )
    usual = {"margin": VerdictOptions().margin} if study.verdict.margin == OF_COPIES else {}
    return with_verdict(made, study.verdict.model_copy(update=usual))


def with_builds(study: Study, base: str, new: str) -> Study:
    """Returns the study with these two servers, as levels `base` and `new` of the factor `build`.

    A study that varies no server gains the factor; in one that has it, the servers of the two levels are
    replaced. Raises InputError for a study that varies its server otherwise.
    """
    uses = {BASE: base, NEW: new}
    of_server = [one for one in study.factors if SERVER_USE in one.varied]
    if not of_server:
        rows = tuple((use,) for use in uses.values())
        made = Factor(name=BUILD, keys=(SERVER_USE,), levels=tuple(uses), values=rows)
        return _with_factors(study, (made, *study.factors))
    build = of_server[0]
    if len(of_server) > 1 or build.name != BUILD or set(build.levels) != uses.keys():
        raise InputError(
            f"--base and --new need a study without a factor of {SERVER_USE}, or with the factor {BUILD!r} of"
            f" the levels {BASE!r} and {NEW!r}; it has the factor {build.name!r}",
            hint="leave --base and --new out, and name the levels of that factor in the claims",
        )
    column = build.keys.index(SERVER_USE)
    rows_now = zip(build.levels, build.values, strict=True)
    rows_then = tuple((*row[:column], uses[str(level)], *row[column + 1 :]) for level, row in rows_now)
    changed = build.model_copy(update={"values": rows_then})
    return _with_factors(study, tuple(changed if one == build else one for one in study.factors))


def _with_factors(study: Study, factors: tuple[Factor, ...]) -> Study:
    """Returns the study with these factors; its server and workload are those of their first levels."""
    made = study.model_copy(update={"factors": factors})
    first = {key: values[0] for key, values in made.varied.items() if key in (SERVER_USE, WORKLOAD)}
    for key, value in first.items():
        made = with_value(made, key, value)
    files = files_for(made.workloads, made.workload.files)
    return made.model_copy(update={"workload": made.workload.model_copy(update={"files": files})})


def _claim(study: Study, text: str, place: str) -> Claim:
    try:
        return resolve(parse_claim(text), study.factors)
    except ValueError as error:
        drawing = error.drawing if isinstance(error, ClaimSyntaxError) else None
        raise InputError(f"{place}: {error}", detail=drawing) from None


def _wanted(factor: Factor, levels: Mapping[str, str]) -> Scalar:
    """Returns the level that `levels` names, itself or by the values of the factor's keys; else the first."""
    for level in factor.levels:
        settings = {factor.name: level, **factor.settings(level)}
        said = [level_text(value) == levels[name] for name, value in settings.items() if name in levels]
        if said and all(said):
            return level
    return factor.levels[0]


def _settings(factors: Sequence[Factor], levels: Sequence[Scalar]) -> dict[str, Scalar]:
    """Returns the value of each key that these factors set at these levels."""
    found: dict[str, Scalar] = {}
    for factor, level in zip(factors, levels, strict=True):
        found |= factor.settings(level)
    return found


def _set(table: Mapping[str, Any], key: str, value: Scalar, left_out: bool) -> dict[str, Any]:
    """Returns a table with a key set, or without it."""
    others = {name: one for name, one in table.items() if name != key}
    return others if left_out else {**table, key: value}
