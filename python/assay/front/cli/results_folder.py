"""Options that say which results of a study: their folder, and the profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

results_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.  [default: results/<name of the study>, or <name>-<profile>]",
)
profile_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--profile",
    metavar="NAME",
    help="Take the study with this profile of its file.  [default: as [study] profile says, or none]",
)
