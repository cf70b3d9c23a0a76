"""The option that names a results folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

results_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.  [default: results/<name of the study>]",
)
