"""Prints a plan for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.markup import escape
from rich.table import Table

from assay.base.wording import counted, duration, sized
from assay.design.plan import Plan
from assay.design.study import Load, Study, level_text
from assay.experiments.lab import Forecast, Progress, StudyCode
from assay.front.cli.complaint import error_object
from assay.front.cli.plan_sight import sight_lines
from assay.front.terminal import console, say_json
from assay.measurement.source import Need
from assay.system.server import free_bytes

_MOST_TREATMENTS, _ENDS = 60, 20
"""The plan of more than 60 treatments shows its first 20 and its last 20."""
_MOST_IN_ORDER = 400
"""Most runs of a block that are shown in their order."""


def print_plan(forecast: Forecast) -> None:
    """Prints the plan as tables."""
    study, plan, progress = forecast.study, forecast.plan, forecast.progress
    out = console()
    out.print(f"[bold]{escape(study.title.get('en', study.name))}[/]  [dim]study {study.name}[/]\n")
    if study.scale is not None:
        about = f": {study.scale.about['en']}" if "en" in study.scale.about else ""
        out.print(f"scale     {escape(f'{study.scale.name}{about}')}")
    out.print(f"server    {escape(f'{_servers(plan)}  {_settings(study.server.variables)}'.rstrip())}")
    if study.server.read_only:
        out.print("          only read: no table is made, no row is written")
    if study.server.dynamic:
        out.print(f"          set while it runs: {escape(_settings(study.server.dynamic))}")
    if study.given:
        out.print(f"given     {escape(_settings(study.given))}")
    if settings := study.machine_settings:
        out.print(f"          set for each run: {escape(_settings(settings))}")
    out.print(f"workload  {escape(', '.join(study.workloads))}  {escape(_settings(study.workload.options))}")
    out.print(
        f"load      {plan.load_kind} {', '.join(map(level_text, plan.loads))}{_terminals(study.load)};"
        f" {_phases(study.load)}"
    )
    out.print(f"design    {_design(study, plan)}")
    if forecast.code:
        out.print(f"code      {escape(_code(forecast.code))}")
    out.print()
    out.print(_rows(study, plan) if study.design.screens else _treatments(plan))
    out.print(_order(plan, progress))
    for line in _disk(forecast.needs):
        out.print(escape(line))
    if forecast.fetches:
        out.print(f"fetch     {escape(', '.join(map(str, forecast.fetches)))}")
    for number, hypothesis in enumerate(study.hypotheses, start=1):
        out.print(f"hypothesis {number}  {escape(hypothesis.text)}")
    out.print(f"\n[bold]{_time(forecast)}[/]")
    for line in sight_lines(forecast):
        out.print(escape(line))
    of_loads = [] if forecast.of_loads is None else [forecast.of_loads]
    for note in (*forecast.unchecked, *forecast.notes, *of_loads):
        out.print(f"[yellow]note:[/] {escape(note)}")


def print_plan_json(forecast: Forecast) -> None:
    """Prints the plan as one JSON object."""
    study, plan, progress, needs = forecast.study, forecast.plan, forecast.progress, forecast.needs
    whole: dict[str, Any] = {
        "study": study.name,
        "scale": study.scale.model_dump() if study.scale else None,
        **asdict(plan),
    }
    whole |= {
        "done": sorted(progress.done),
        "estimate_s": round(forecast.seconds_left, 1),
        "estimate": {**asdict(forecast.left), "supposed": list(forecast.left.supposed)},
    }
    whole["disk"] = [{"place": str(one.place), "bytes": one.bytes, "what": one.what} for one in needs]
    whole |= {"code": [asdict(one) for one in forecast.code], "unchecked": list(forecast.unchecked)}
    whole["fetches"] = [
        {"use": one.use, "release": one.release.number, "megabytes": one.release.megabytes}
        for one in forecast.fetches
        if one.release is not None
    ]
    whole["sights"] = [asdict(one) for one in forecast.sights]
    whole["error"] = None if forecast.refusal is None else error_object(forecast.refusal)
    say_json(whole)


def _code(parts: Sequence[StudyCode]) -> str:
    """Returns what a run would carry out of the study's own, by the account that it would have."""
    by_account: dict[str, list[str]] = {}
    for part in parts:
        by_account.setdefault(part.account, []).append(part.what)
    return "a run carries out " + "; ".join(
        f"as {account}: {', '.join(whats)}" for account, whats in by_account.items()
    )


def _rows(study: Study, plan: Plan) -> Table:
    """Returns the treatments of a screen, a column a factor, headed by letters for their long names."""
    letters = [_letter(number) for number in range(len(study.factors))]
    factors = ", ".join(
        f"{letter} {one.short_name}" for letter, one in zip(letters, study.factors, strict=True)
    )
    table = Table(
        title=f"Treatments  {factors}", title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for column in ("#", *letters):
        table.add_column(column, justify="right")
    for number, treatment in enumerate(plan.treatments, start=1):
        levels = (level_text(treatment.levels[one.name]) for one in study.factors)
        table.add_row(str(number), *map(escape, levels))
    return table


def _letter(number: int) -> str:
    """Returns the letters of a column: A to Z, AA to AZ …"""
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def _treatments(plan: Plan) -> Table:
    table = Table(title="Treatments", title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("levels")
    table.add_column("")
    seen: set[str] = set()
    shown: Sequence[int] = range(1, len(plan.treatments) + 1)
    if len(shown) > _MOST_TREATMENTS:
        shown = [*shown[:_ENDS], *shown[-_ENDS:]]
    for number, treatment in enumerate(plan.treatments, start=1):
        if number not in shown:
            if number == _ENDS + 1:
                table.add_row("…", f"{len(plan.treatments) - 2 * _ENDS:,} more (--json has them all)", "")
            continue
        first = treatment.workload not in seen and len(plan.treatments) > 1
        seen.add(treatment.workload)
        baseline = "baseline" if first else ""
        table.add_row(str(number), escape(treatment.name), baseline)
    return table


def _order(plan: Plan, progress: Progress) -> Table:
    number = {treatment.name: str(index) for index, treatment in enumerate(plan.treatments, start=1)}
    table = Table(title="\nRuns in order", title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("block", justify="right")
    table.add_column("treatments (#)")
    reordered = any(run.loads != plan.loads for run in plan.runs)
    if reordered:
        table.add_column(plan.load_kind)
    if progress.done:
        table.add_column("done")
    for block, group in groupby(plan.runs, key=lambda run: run.block):
        runs = list(group)
        order = [number[run.treatment] for run in runs]
        if len(order) > _MOST_IN_ORDER:
            order = [*order[:_ENDS], f"… {len(order) - _ENDS:,} more"]
        cells = [str(block), "  ".join(order)]
        if reordered:
            cells.append(", ".join(map(level_text, runs[0].loads)))
        if progress.done:
            cells.append(f"{sum(run.run_id in progress.done for run in runs)} of {len(runs)}")
        table.add_row(*cells)
    return table


def _disk(needs: Sequence[Need]) -> list[str]:
    lines = []
    for need in needs:
        free = free_bytes(need.place)
        lines.append(f"disk      {sized(need.bytes)} for {need.what}; {sized(free)} free at {need.place}")
    return lines


def _servers(plan: Plan) -> str:
    return ", ".join(dict.fromkeys(treatment.server_use for treatment in plan.treatments))


def _settings(settings: dict[str, Any]) -> str:
    return " ".join(f"{name}={level_text(value)}" for name, value in settings.items())


def _terminals(load: Load) -> str:
    terminals = "" if load.terminals is None else f", {load.terminals:,} terminals"
    thinking = f", {load.think_ms:g} ms between transactions" if load.think_ms else ""
    each = "each transaction" if load.reconnect == 1 else f"{load.reconnect:,} transactions"
    return terminals + thinking + (f", reconnecting after {each}" if load.reconnect else "")


def _window(seconds: float) -> str:
    return f"{seconds:g} s" if seconds < 120 else duration(seconds)


def _phases(load: Load) -> str:
    warmup = {
        "none": "no warm-up",
        "fixed": f"warm-up {_window(load.warmup.seconds)}",
        "until-steady": f"warm-up until steady, {_window(load.warmup.seconds)} at most",
    }[load.warmup.kind]
    client = {
        None: "",
        "socket": ", over the socket",
        "tcp": ", over 127.0.0.1",
        "netns": ", from a network namespace" + (f" {load.delay_ms:g} ms away" if load.delay_ms else ""),
    }[load.client]
    watched = f"; then each once more, watched for {_window(load.profile_s)}" if load.profile_s else ""
    return f"{warmup}, measured {_window(load.measure_s)} at each{client}{watched}"


def _design(study: Study, plan: Plan) -> str:
    count = len(plan.treatments)
    treatments = counted(count, "treatment")
    if study.design.screens:
        folded = ", folded over" if study.design.kind == "plackett-burman" and study.design.fold_over else ""
        treatments += f" ({study.design.kind}{folded}, {counted(len(study.factors), 'factor')})"
    order = "random order" if study.design.order == "randomized" else "order as written"
    loads = max(one.data_loads for one in plan.treatments)
    turns = f", {loads} loads of each dataset in turn" if loads > 1 else ""
    return (
        f"{treatments} × {counted(study.design.blocks, 'block')} = {counted(len(plan.runs), 'run')},"
        f" {order} (seed {plan.seed}){turns}"
    )


def _time(forecast: Forecast) -> str:
    plan, progress, left = forecast.plan, forecast.progress, duration(forecast.seconds_left)
    caveat = f"; {forecast.left.caveat}" if forecast.left.caveat else ""
    if not progress.done:
        return f"about {left}{caveat}"
    if len(progress.done) == len(plan.runs):
        return f"all {len(plan.runs)} runs are done" if len(plan.runs) > 1 else "the run is done"
    basis = f"by the {counted(len(progress.observed_s), 'finished run')}"
    return f"{len(progress.done)} of {len(plan.runs)} runs are done; about {left} left, {basis}{caveat}"
