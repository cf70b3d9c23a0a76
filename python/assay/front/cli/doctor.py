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
    """Show what is missing on this machine and how to get it, and what this process may do. Nothing is
    installed or changed.

    The table of privileges says what works as any user, what needs a capability, and what needs root. The
    exit code is 6 if something is missing that studies need.

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
        _print_lines(findings, healthy, privileges=True)
    elif not healthy:
        findings = [finding for finding in findings if finding.outcome == "missing"]
        _print_lines(findings, healthy)
    if not healthy:
        context.exit(HostError.exit_code)


def _print_json(findings: Sequence[Finding], healthy: bool) -> None:
    from dataclasses import asdict

    from assay.system.host import rights, standings

    whole = {
        "healthy": healthy,
        "findings": [asdict(finding) for finding in findings],
        "process": asdict(rights()) | {"held": sorted(rights().held)},
        "privileges": [
            {
                "name": one.name,
                "level": one.level,
                "needs": one.needs,
                "capabilities": one.capabilities,
                "feature": one.feature,
                "here": lacking is None,
                "why": None if lacking is None else lacking.why,
                "otherwise": one.otherwise or None,
            }
            for one, lacking in standings()
        ],
    }
    say_json(whole)


def _print_privileges() -> None:
    """Prints the table of privileges, with what this process lacks."""
    from rich.text import Text

    from assay.system.host import rights, standings

    out = console()
    out.print(f"\nPrivileges of this process: {rights().words}", markup=False)
    for one, lacking in standings():
        has, style = ("yes", "green") if lacking is None else ("no", "yellow")
        out.print(Text.assemble((f"{has:9}", style), f"{one.name:15} {one.needs}: {one.feature}"))
        if lacking is not None:
            out.print(Text(f"{'':25}→ {lacking.why}; {one.otherwise}", style="dim"))


def _print_lines(findings: Sequence[Finding], healthy: bool, *, privileges: bool = False) -> None:
    from rich.text import Text

    out = console()
    for finding in findings:
        outcome = (f"{finding.outcome:9}", _STYLES[finding.outcome])
        out.print(Text.assemble(outcome, f"{finding.name:15} {finding.found}"))
        if finding.how_to_get:
            out.print(Text(f"{'':25}→ {finding.how_to_get}", style="dim"))
    if privileges:
        _print_privileges()
    if healthy:
        out.print("\nReady: assay demo")
    else:
        out.print("\nNot ready: see the lines that say missing.")
