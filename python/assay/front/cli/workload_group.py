"""The base of verbs whose subcommands are the engine's workloads, each with its own options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from assay.base.errors import InputError
from assay.design.study import is_script
from assay.system.engine import workload_catalogue

Entry = dict[str, Any]
"""One workload of the engine's catalogue: `name`, `summary`, `ledger`, `options` (JSON Schema)."""


class WorkloadGroup(click.Group):
    """A group with a command for each workload. `make` turns a catalogue entry into its command, `of_script`
    the name of a script into its own; `commands` are those that need no workload.
    """

    def __init__(
        self,
        name: str,
        *,
        make: Callable[[Entry], click.Command],
        of_script: Callable[[str], click.Command] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(name, **attributes)
        self.make, self.of_script = make, of_script

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the workloads' names in the engine's order, then the other commands."""
        return [*(entry["name"] for entry in workload_catalogue()), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns one workload's command. Raises `InputError`, which names the nearest, when there is
        none.
        """
        if (other := super().get_command(ctx, cmd_name)) is not None:
            return other
        if self.of_script is not None and is_script(cmd_name):
            return self.of_script(cmd_name)
        catalogue = {entry["name"]: entry for entry in workload_catalogue()}
        entry = catalogue.get(cmd_name.replace("-", "_"))
        if entry is None:
            from assay.design.study import no_such_workload

            sentence, hint = no_such_workload(cmd_name, catalogue, verb=self.name or "bench")
            raise InputError(sentence, hint=hint)
        return self.make(entry)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the catalogue under its own title."""
        with formatter.section("Workloads"):
            formatter.write_dl([(entry["name"], entry["summary"]) for entry in workload_catalogue()])
        if self.commands:
            with formatter.section("Without a server"):
                formatter.write_dl([(name, one.get_short_help_str()) for name, one in self.commands.items()])


def write_sections(
    ctx: click.Context, formatter: click.HelpFormatter, sections: dict[str, list[click.Option]]
) -> None:
    """Writes the options of a command in named groups."""
    for title, options in sections.items():
        records = [record for option in options if (record := option.get_help_record(ctx))]
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
