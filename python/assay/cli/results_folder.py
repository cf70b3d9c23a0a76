"""Which results folder a study has, and how far its results have come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from assay.folder import ResultsFolder
    from assay.study import Study

results_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.  [default: results/<name of the study>]",
)


@dataclass(frozen=True)
class Progress:
    """What is there already. `seed` None: nothing has begun."""

    seed: int | None = None
    done: frozenset[str] = frozenset()
    observed_s: tuple[float, ...] = ()  # what the finished runs took


def folder_of(study: Study, results: Path | None) -> ResultsFolder:
    """Where `assay run` puts the results of a study."""
    from assay.folder import ResultsFolder

    return ResultsFolder(results or Path("results") / study.name)


def progress_of(folder: ResultsFolder, study_hash: str) -> Progress:
    """How far this study has come there; nothing when the folder is new or holds another study."""
    from assay.run.journal import completed, entry_of

    entry = entry_of(folder)
    if entry is None or entry.hash != study_hash:
        return Progress()
    complete = completed(folder)
    return Progress(
        seed=entry.seed,
        done=frozenset(manifest.run_id for manifest in complete),
        observed_s=tuple((one.ended_wall_ns - one.started_wall_ns) / 1e9 for one in complete),
    )
