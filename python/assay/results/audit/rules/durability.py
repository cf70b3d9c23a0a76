"""The rule that results without durability say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study

_OFF = {"0", "off", "no", "false"}
_UNSAFE = {
    "innodb_flush_log_at_trx_commit": {"0", "2"},
    "innodb_doublewrite": _OFF,
    "sync_binlog": {"0"},
}
"""Variables, with the values under which a crash may lose commits, or tear a page (MySQL manual)."""
_SAID = re.compile(r"durab|flush_log|doublewrite|sync_binlog|crash[- ]safe", re.IGNORECASE)
_LEAST = 2


def _check(material: Material) -> Iterator[Finding]:
    claims = by_study(material, "claim")
    for study, variables in by_study(material, "variable").items():
        servers: dict[str, list[Statement]] = {}
        for one in variables:
            if one.text.lower() in _UNSAFE.get(one.name.replace("-", "_").lower(), set()):
                servers.setdefault(one.subject, []).append(one)
        rates = [cell for cell in material.cells if cell.study == study and _is_rate(cell.metric, cell.unit)]
        said = any(_SAID.search(one.text) for one in claims.get(study, ()))
        unsafe = next((some for some in servers.values() if len(some) >= _LEAST), None)
        if unsafe is None or said or not rates or study not in claims:
            continue
        names = ", ".join(f"{one.name}={one.text}" for one in unsafe)
        yield replace(
            unsafe[0].finding(
                RULE.name,
                expected="1 and on, or a word beside the results",
                sign=f"{names}: a crash may lose commits and tear pages, and no claim says so",
                second=f"{rates[0].file} prints {rates[0].metric} of such servers as results",
                printed=names,
            ),
        )


def _is_rate(metric: str, unit: str) -> bool:
    role = role_of(metric, unit)
    return role is not None and role.kind in ("tps", "qps", "tpmc")


RULE = Rule(
    "durability",
    "results of servers that may lose commits, without a word of it",
    _check,
    kind="settings",
    must="results of servers that may lose commits are said to be such",
)
