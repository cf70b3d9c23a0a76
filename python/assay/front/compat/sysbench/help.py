"""sysbench's lists of options in its form, made from the options that the commands take: `sysbench --help`,
`sysbench TEST help`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import click

from assay.base.argument_types import Number, OnOff, WholeNumber
from assay.front.compat.sysbench.command import OLD_NAMES
from assay.front.compat.sysbench.fileio_options import file_options
from assay.front.compat.sysbench.general import general_options
from assay.front.compat.sysbench.machine_tests import MACHINE_TESTS
from assay.front.compat.sysbench.options import Checkpoints, CommaList, Size
from assay.front.compat.sysbench.script_options import mysql_options, rand_type

TESTS = {
    "fileio": "reads and writes of files",
    "cpu": "arithmetic of processors",
    "memory": "reads and writes of memory",
    "threads": "the scheduler",
    "mutex": "mutexes",
}
"""The tests that are no scripts, in sysbench's order."""

_RANDOM = {"rand-type", "rand-seed"}
_LOG = {"verbosity"}
_LATENCY = {"percentile", "histogram"}


class Listed(NamedTuple):
    """One option as sysbench lists it; no default is None, an empty one is shown as `[]`."""

    name: str
    kind: str
    text: str
    default: str | None = None


_ONLY_LISTED = (
    Listed("help", "[=on|off]", "print this list", "off"),
    Listed("version", "[=on|off]", "print the version", "off"),
)
_OF_SCRIPTS = (
    Listed("rand-spec-iter", "=N", "draws that are added up for one number", "12"),
    Listed("rand-spec-pct", "=N", "percent of the range that special draws more often", "1"),
    Listed("rand-spec-res", "=N", "percent of the draws that fall there", "75"),
    Listed("rand-pareto-h", "=N", "shape of the Pareto distribution", "0.2"),
)
"""Options that scripts alone read, in Lua."""
_MERGED = Listed("file-merged-requests", "=N", "not taken: requests are sent as they are", "0")


def options_of(test: str) -> str:
    """Returns what `sysbench TEST help` prints after the banner."""
    if test in MACHINE_TESTS:
        return f"{test} options:\n{_section(MACHINE_TESTS[test].options())}"
    *options, ratio = map(_listed, file_options())
    return f"{test} options:\n{_lines([*options, _MERGED, ratio])}"


def general_help() -> str:
    """Returns what `sysbench --help` prints."""
    general = {one.opts[0].removeprefix("--"): one for one in general_options()}
    elsewhere = _RANDOM | _LOG | _LATENCY
    own = [_listed(one) for name, one in general.items() if name not in elsewhere]
    random = [_listed(one) for one in (rand_type(), general["rand-seed"])]
    log, latency = ([general[name] for name in general if name in names] for names in (_LOG, _LATENCY))
    driver = mysql_options()
    tests = "".join(f"  {name} - {text}\n" for name, text in TESTS.items())
    return (
        "Usage:\n  sysbench [options]... [testname] [command]\n\n"
        "Commands of most tests: prepare run cleanup help\n\n"
        f"General options:\n{_lines([*own, *_ONLY_LISTED, *_former_names(own)])}"
        f"Pseudo-Random Numbers Generator options:\n{_lines([*random, *_OF_SCRIPTS])}"
        f"Log options:\n{_section(log)}{_section(latency)}"
        f"General database options:\n\n{_section(one for one in driver if _is_general(one))}\n"
        "Compiled-in database drivers:\n  mysql - MySQL driver\n\n"
        f"mysql options:\n{_section(one for one in driver if not _is_general(one))}"
        f"Compiled-in tests:\n{tests}\n"
        "The options of a test: sysbench TEST help\n\n"
    )


def _is_general(option: click.Option) -> bool:
    return option.opts[0].startswith("--db-")


def _former_names(options: Iterable[Listed]) -> list[Listed]:
    by_name = {f"--{one.name}": one for one in options}
    return [
        by_name[name]._replace(name=old.removeprefix("--"), text=f"former name of {name}")
        for old, name in OLD_NAMES.items()
    ]


def _listed(option: click.Option) -> Listed:
    """Returns an option as sysbench lists it: its default is that of the command, and its text begins small
    and has no full stop.
    """
    text = (option.help or "").partition("  [default:")[0].removesuffix(".")
    if text[1:2].islower():
        text = text[0].lower() + text[1:]
    if isinstance(option.type, click.Choice):
        text += f" {{{','.join(option.type.choices)}}}"
    return Listed(option.opts[0].removeprefix("--"), _kind(option), text, _default(option))


def _kind(option: click.Option) -> str:
    match option.type:
        case OnOff():
            return "[=on|off]"
        case WholeNumber() | Number():
            return "=N"
        case Size():
            return "=SIZE"
        case CommaList() | Checkpoints():
            return "=[LIST,...]"
        case click.Path():
            return "=FILENAME"
        case _:
            return "=STRING"


def _default(option: click.Option) -> str | None:
    match option.default:
        case bool(default):
            return "on" if default else "off"
        case float(default):
            return f"{default:g}"
        case int(default) | str(default):
            return str(default)
        case _:
            return None


def _section(options: Iterable[click.Option]) -> str:
    return _lines([_listed(one) for one in options])


def _lines(options: list[Listed]) -> str:
    width = max(len(one.name) + len(one.kind) for one in options)
    lines = []
    for one in options:
        default = "" if one.default is None else f" [{one.default}]"
        lines.append(f"  --{one.name + one.kind:<{width}} {one.text}{default}\n")
    return "".join(lines) + "\n"
