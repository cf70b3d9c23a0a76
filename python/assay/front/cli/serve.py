"""The verb `assay serve`: pages over results, for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.base.argument_types import WholeNumber
from assay.front.terminal import say

if TYPE_CHECKING:
    from assay.front.web import Listening


@click.command("serve")
@click.argument(
    "root", metavar="[ROOT]", default="results", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. Any other than loopback needs the token for reading, too.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8321,
    show_default=True,
    help="Port to listen on; 0: a free one.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Answer to this host name too, as of a proxy; may be repeated. Other names are refused.",
)
def command(root: Path, host: str, port: int, names: tuple[str, ...]) -> None:
    """Serve pages over all results below ROOT, for a browser, until Ctrl-C.

    Every results folder is a row of the first page; a folder that cannot be read is a row with the reason.
    A measured number leads to the blocks it comes from, and down to the engine's event. The pages only read,
    and they take no look at verdicts before a study is complete.

    \b
    Example:
      assay serve results
      assay serve results --port 0
    """
    from assay.front.web import serve_in_turns

    serve_in_turns(root, host=host, port=port, names=names, announce=_say_where)


def _say_where(listening: Listening) -> None:
    say(f"pages: {listening.address}")
    if listening.is_local:
        say(f"with changes allowed: {listening.with_token}")
    else:
        say("without encryption: whoever reads the network can read the token and the pages")
    say("Ctrl-C ends it")
