"""Prints calibrations as a table or as JSON."""

from __future__ import annotations

import msgspec
from rich.console import Console

from assay.front.terminal import figures_table, say_json
from assay.measurement.calibration import Calibration

_COLUMNS = ("workload", "over", "connections", "a second", "lowest-highest", "CPU µs each", "cores", "")
_PROTOCOLS = {"auto": "prepared", "disable": "text", "": ""}
_NOISY = 1.3
"""Highest window over lowest, above which a ceiling should be measured again."""


def show(found: list[Calibration], out: Console, *, as_json: bool) -> None:
    if as_json:
        say_json(msgspec.to_builtins(found))
    else:
        print_table(found, out)


def print_table(found: list[Calibration], out: Console, usable: list[bool] | None = None) -> None:
    table = figures_table(*_COLUMNS, left=2)
    for column in table.columns:
        column.no_wrap = True
    for at, one in enumerate(found):
        setting = one.setting
        mix = "".join(f" {name}={value}" for name, value in setting.options.items())
        table.add_row(
            setting.workload + mix,
            ", ".join(filter(None, (setting.transport, _PROTOCOLS[setting.ps_mode]))),
            f"{setting.connections:,}",
            f"{'' if one.engine_was_limit else '≥ '}{one.ceiling_qps:,.0f}",
            f"{one.lowest_qps:,.0f}-{one.highest_qps:,.0f}",
            f"{one.floor_cpu_us_per_query:.2f}",
            f"{one.engine_cores:.2f}",
            _remark(one, usable=usable is None or usable[at]),
        )
    out.print(table)
    if not all(one.engine_was_limit for one in found):
        out.print("≥: the generator had time to spare; the null server or the machine was the limit.")


def _remark(one: Calibration, *, usable: bool) -> str:
    if not usable:
        return "another host or engine: not used"
    if one.highest_qps > _NOISY * one.lowest_qps:
        return "noisy: repeat it when the machine is quiet"
    return ""
