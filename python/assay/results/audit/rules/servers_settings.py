"""The rule that servers, whose settings stand side by side, have the same ones where results compare them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_SETTING = re.compile(
    r"(?:server |system )?(?:variable|setting|parameter|option|param|config\w*)(?: name)?s?"
    r"|参数|变量|einstellung|paramètre"
)
_SERVER = re.compile(
    r"server|host|node|mysql|mariadb|percona|postgres|tidb|v?\d+\.\d+|\b[ab]\b", re.IGNORECASE
)
_NOT_COMPARED = re.compile(
    r"port|socket|dir$|datadir|basedir|pid|host|server[-_]id|uuid"
    r"|version|release|log[-_]?(?:error|file$)|report|bind|address|name$"
)
_MOST = 1 / 3
"""Share of the settings that may differ: where more do, they are what is compared."""
_LEAST = 3
_SAME = {"0": "off", "no": "off", "false": "off", "1": "on", "yes": "on", "true": "on"}


def _check(material: Material) -> Iterator[Finding]:
    rates = [cell for cell in material.cells if _is_rate(cell.metric, cell.unit)]
    files = {cell.file for cell in rates}
    heads = [f"{one.title} {' '.join(one.columns)}" for one in material.sheets if one.file in files]
    said = "\n".join([*heads, *(level for cell in rates for _, level in cell.levels)]).lower()
    for sheet in material.sheets:
        head, *servers = sheet.columns
        if sheet.is_known or not _SETTING.fullmatch(head.strip().lower()) or len(servers) < 2:
            continue
        names = [rf"(?<![\w.]){re.escape(one.lower())}(?![\w.])" for one in servers]
        compared = [one for one in names if re.search(one, said)]
        if len(compared) == len(servers) and all(_SERVER.search(one) for one in servers):
            yield from _of_sheet(sheet, head, servers)


def _is_rate(metric: str, unit: str) -> bool:
    role = role_of(metric, unit)
    return role is not None and role.kind in ("tps", "qps", "tpmc", "latency", "iops", "bandwidth")


def _of_sheet(sheet: Sheet, head: str, servers: list[str]) -> Iterator[Finding]:
    rows = [(line, row) for line, row in sheet.rows if not _NOT_COMPARED.search(row[head].lower())]
    apart = [(line, row) for line, row in rows if len({_meant(row[one]) for one in servers}) > 1]
    if not len(rows) >= _LEAST or len(apart) > _MOST * len(rows):
        return
    for line, row in apart:
        yield _finding(sheet, line, row, head, servers, len(rows) - len(apart))


def _meant(text: str) -> str:
    small = text.strip().lower()
    return _SAME.get(small, small)


def _finding(
    sheet: Sheet, line: int, row: Mapping[str, str], head: str, servers: list[str], same: int
) -> Finding:
    said = ", ".join(f"{row[one] or 'not set'} on {one}" for one in servers)
    return Finding(
        RULE.name,
        "warning",
        "medium",
        sheet.file,
        sheet.file,
        row[head],
        servers[-1],
        line,
        " / ".join(row[one] or "not set" for one in servers),
        "the same on all",
        f"{row[head]} is {said}, and results of them are compared",
        f"{same} other settings are the same",
    )


RULE = Rule(
    "servers-settings",
    "settings side by side, different on servers that are compared",
    _check,
    kind="settings",
    must="in a table of settings by server, servers that results compare have the same values, but for a "
    "third of them at the most, which would be what is compared",
)
