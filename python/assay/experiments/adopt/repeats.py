"""Decides whether a result may be a repeat of another: both must have done the same, as far as their texts
show.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.base.errors import InputError
from assay.design.folder import Manifest, PrintedFigure
from assay.design.study import level_text

_HARMLESS = re.compile(r"write_\w+_log|log_\w+|output\w*|description|randseed|randrepeat|title|eta\w*")
"""Settings of tools that do not change what a run does."""
_OF_INSTANCE = re.compile(
    r"hostname|host_name|server_id|server_uuid|report_\w+|pid_file|socket|port|bind_address|mysqlx_\w*|datadir|basedir"
    r"|tmpdir|\w*_dir|\w*log_file|log_error|log_bin_\w+|log_bin_basename|general_log_file|plugin_dir|gtid_\w+"
    r"|pseudo_\w+|timestamp|rand_seed\d|identity|last_\w+|insert_id|error_count|warning_count|\w*uuid\w*|ssl_\w+"
    r"|innodb_data_home_dir|in_transaction|wsrep_\w*|external_user|proxy_user|license|system_time_zone"
)
"""Variables that name a server instead of setting it up."""


@dataclass(frozen=True)
class Shape:
    """What a run did: amounts by what they are of, such as statements a transaction, and the number of its
    operations.
    """

    amounts: Mapping[str, float]
    operations: float
    seconds: float | None = None


@dataclass(frozen=True)
class KnownRun:
    """A run of the folder, or of this import, to which others are compared."""

    manifest: Manifest
    shape: Shape


def shape_of(figures: Iterable[PrintedFigure], settings: Mapping[str, str]) -> Shape:
    """Returns the shape that the figures of a run show, whatever tool printed them, where its settings do not
    say it.
    """
    known = {one.name: one.value for one in figures}
    amounts: dict[str, float] = {}
    done = known.get("transactions", known.get("events", 0.0))
    if done and {"reads", "writes", "other"} <= known.keys():
        tried = done + known.get("errors", 0.0)  # a transaction that failed has sent statements, too
        amounts |= {f"number of {of} a transaction": known[of] / tried for of in ("reads", "writes", "other")}
    rates = {side: known.get(f"{side}_iops", 0.0) for side in ("read", "write")}
    if total := sum(rates.values()):
        amounts["share of reads"] = rates["read"] / total
        amounts |= {
            f"number of KiB a {side}": known[f"{side}_mib_per_s"] * 1024 / rates[side]
            for side in rates
            if rates[side] and f"{side}_mib_per_s" in known and "bs" not in settings
        }
        done = done or sum(known.get(f"{side}_issued", 0.0) for side in rates)
    for ending in (".count", ".in_time"):
        counts = {name.removesuffix(ending): value for name, value in known.items() if name.endswith(ending)}
        if total := sum(counts.values()):
            amounts |= {f"share of {of}": count / total for of, count in counts.items()}
            done = done or total
    if known.get("nopm"):
        amounts["number of transactions for each new order"] = known.get("tpm", 0.0) / known["nopm"]
    return Shape(amounts, done, known.get("elapsed_s"))


def check_repeat(where: str, run: KnownRun, other: KnownRun, *, asked: bool, proposal: str) -> None:
    """Raises InputError where a run cannot be a repeat of another that has its levels and its load.

    `asked`: the caller says what the files have in common, or that they are repeats. `proposal` is a hint
    from the names of the files.
    """
    ours, theirs = run.manifest.imported, other.manifest.imported
    assert ours is not None
    assert theirs is not None
    name = theirs.sources[0].name
    if unequal := _unequal(run, other):
        what, one, another = unequal
        is_printed = what in ours.settings and what in theirs.settings
        raise InputError(
            f"{where}: would be a repeat of {name}, but its {what} is {one}, not {another}",
            hint=f"take it as a factor: --factor {what}"
            if is_printed
            else f"name a factor: --factor NAME=LEVEL in a call for each{proposal}",
        )
    if not asked and ours.sources[0].sha256 != theirs.sources[0].sha256:
        raise InputError(
            f"{where}: would be a repeat of {name}: nothing says how they differ",
            hint="name what distinguishes the files: --factor NAME=LEVEL in a call for each"
            f"{proposal}; or say --repeats, if one setup was measured several times",
        )


def _unequal(run: KnownRun, other: KnownRun) -> tuple[str, str, str] | None:
    """Returns the first difference: what it is of, its value here, and its value there."""
    ours, theirs = run.manifest.imported, other.manifest.imported
    assert ours is not None
    assert theirs is not None
    if ours.version != theirs.version:
        return f"version of {ours.tool}", ours.version or "unknown", theirs.version or "unknown"
    words = {name.rpartition(".")[2] for name in run.manifest.levels}
    for name in dict.fromkeys((*ours.settings, *theirs.settings)):
        one, another = ours.settings.get(name, "unset"), theirs.settings.get(name, "unset")
        if one != another and name not in words and not _HARMLESS.fullmatch(name):
            return name, one, another
    variables = run.manifest.variables, other.manifest.variables
    for name in dict.fromkeys(name for both in variables for name in both if all(variables)):
        one, another = (level_text(both[name]) if name in both else "unset" for both in variables)
        if one != another and name not in words and not _OF_INSTANCE.fullmatch(name):
            return f"server's {name}", one, another
    return _unequal_shapes(run.shape, other.shape)


def _unequal_shapes(one: Shape, other: Shape) -> tuple[str, str, str] | None:
    few = min(one.operations, other.operations)
    room = 0.05 + (2 / math.sqrt(few) if few else 0.0)
    for what in dict.fromkeys((*one.amounts, *other.amounts)):
        ours, theirs = one.amounts.get(what, 0.0), other.amounts.get(what, 0.0)
        largest = max(ours, theirs)
        if abs(ours - theirs) > max(room * largest, 0.02):
            return what, f"{ours:.4g}", f"{theirs:.4g}"
    other_time = one.seconds and other.seconds and _far(one.seconds, other.seconds, 1.0)
    if other_time and (not few or _far(one.operations, other.operations, 0.0)):
        return "time", f"{one.seconds:g} s", f"{other.seconds:g} s"
    return None


def _far(one: float, other: float, room: float) -> bool:
    return abs(one - other) > 0.1 * max(one, other) + room
