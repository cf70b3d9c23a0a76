"""The rule that options agree with the words beside them: a comment, a purpose, a second statement of the
setting.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from assay.results.audit.figure import parse_figure
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_SAME = {
    "block_size": ("bs", "blocksize", "block-size"),
    "file_size": ("size", "filesize"),
    "threads": ("numjobs", "num-threads"),
    "iodepth": ("iodepth",),
    "runtime": ("runtime", "max-time", "time"),
}
_ACCESS = {"sequential": ("rand",), "random": ("read", "write", "rw", "readwrite")}
"""Words of a purpose, each with the values of `rw`, or their beginnings, that contradict it."""


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("job", "option", "value"):
        jobs: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        for line, row in sheet.rows:
            jobs[row["job"]][row["option"]] = (line, row["value"])
        kept = sum(_says_same(jobs[job], name) is True for job in jobs for name in jobs[job])
        for job, options in jobs.items():
            for name, (line, value) in options.items():
                if _says_same(options, name) is False:
                    real = _stated(options, name) or (0, "")
                    others = f"{kept} other comments agree with their options" if kept else ""
                    named = f"the job's name is {job}" if real[1] and job.endswith(real[1]) else ""
                    yield _finding(sheet, job, name, line, value, real[1], others or named)
            yield from _purpose(sheet, job, options)


def _stated(options: Mapping[str, tuple[int, str]], name: str) -> tuple[int, str] | None:
    if not name.startswith("comment: "):
        return None
    return next(
        (options[one] for one in _SAME.get(name.removeprefix("comment: "), ()) if one in options), None
    )


def _says_same(options: Mapping[str, tuple[int, str]], name: str) -> bool | None:
    """Returns whether a comment agrees with the option; None where there is no comment that can be read."""
    stated = _stated(options, name)
    return None if stated is None else _number(stated[1]) == _number(options[name][1])


def _number(text: str) -> float | str:
    found = parse_figure(re.sub(r"\s*(i?[bB]|s|sec)$", "", text.strip()))
    return found.value if found else text.lower()


def _purpose(sheet: Sheet, job: str, options: Mapping[str, tuple[int, str]]) -> Iterator[Finding]:
    access = options.get("rw", (0, ""))[1]
    for name, (line, value) in options.items():
        if "purpose" not in name:
            continue
        for word, denied in _ACCESS.items():
            against = access.startswith("rand") if denied == ("rand",) else access in denied
            if access and word in value.lower() and against:
                yield _finding(sheet, job, name, line, value, f"rw={access}", f"the job's name is {job}")


def _finding(sheet: Sheet, job: str, name: str, line: int, value: str, real: str, second: str) -> Finding:
    return sheet.finding(
        RULE.name,
        "error" if second else "note",
        "high" if second else "low",
        job,
        name,
        line,
        value,
        real,
        f"the comment says {value}, the option is {real}",
        second,
    )


RULE = Rule(
    "comments",
    "options against the comments and purposes beside them",
    _check,
    kind="words",
    must="comments and purposes say what the options do",
)
