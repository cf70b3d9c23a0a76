"""The verb `assay doctor`: shows what is missing on this machine and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.front.terminal import console, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.experiments.lab import Finding

_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON object.")
@click.option("--quiet", is_flag=True, help="Print only what is missing; nothing when all is well.")
@click.pass_context
def command(context: click.Context, as_json: bool, quiet: bool) -> None:
    """Show what is missing on this machine and how to get it. Nothing is installed or changed.

    The exit code is 6 if something is missing that studies need.

    \b
    Example:
      assay doctor
    """
    from assay.base.errors import HostError
    from assay.experiments.lab import examine

    findings = examine()
    healthy = all(finding.outcome != "missing" for finding in findings)
    if as_json:
        _print_json(findings, healthy)
    elif not quiet:
        _print_lines(findings, healthy)
    elif not healthy:
        findings = [finding for finding in findings if finding.outcome == "missing"]
        _print_lines(findings, healthy)
    if not healthy:
        context.exit(HostError.exit_code)


def _print_json(findings: Sequence[Finding], healthy: bool) -> None:
    from dataclasses import asdict

    whole = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
    say_json(whole)


def _print_lines(findings: Sequence[Finding], healthy: bool) -> None:
    from rich.text import Text

    out = console()
    for finding in findings:
        outcome = (f"{finding.outcome:9}", _STYLES[finding.outcome])
        out.print(Text.assemble(outcome, f"{finding.name:15} {finding.found}"))
        if finding.how_to_get:
            out.print(Text(f"{'':25}→ {finding.how_to_get}", style="dim"))
    if healthy:
        out.print("\nReady: assay demo")
    else:
        out.print("\nNot ready: see the lines that say missing.")
