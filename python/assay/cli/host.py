"""`assay host`: what is known about this machine, as every run folder records it."""

from __future__ import annotations

import click


@click.command("host")
@click.option("--json", "as_json", is_flag=True, help="Print the facts as one JSON object.")
def command(as_json: bool) -> None:
    """Show what every run records about this machine: processor, memory, kernel, disks, file systems.

    \b
    Example:
      assay host
      assay host --json | jq .memory
    """
    from pathlib import Path

    from assay.cli.tree_view import print_tree
    from assay.host import host_facts
    from assay.server import home

    facts = host_facts([Path.cwd(), home()])
    if as_json:
        import json

        click.echo(json.dumps(facts, indent=2, ensure_ascii=False, default=str))
    else:
        print_tree(facts)
