"""Fetches the servers that a command needs and this machine lacks, and says so on standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.front.terminal import say

if TYPE_CHECKING:
    from assay.design.folder import ResultsFolder
    from assay.experiments.lab import OpenedStudy
    from assay.system.server.release import Missing


def ready_for(opened: OpenedStudy, folder: ResultsFolder, *, seed: int | None = None) -> None:
    """Fetches what a study needs for the runs that are left, and says which builds its short names mean.

    Raises what would stop the study anyway before anything is fetched.
    """
    from assay.system.server.release import meanings, missing_servers, require_obtainable

    servers = opened.study.servers
    _say_unpacking(servers)
    if missing := missing_servers(servers):
        require_obtainable(missing)
        from assay.experiments.lab import (
            foresee,
        )  # and with it what judges: it would stand by during the runs

        forecast = foresee(opened, folder, seed=seed)
        if forecast.progress.done >= {run.run_id for run in forecast.plan.runs}:
            return
        if forecast.refusal is not None:
            raise forecast.refusal
        _fetch(forecast.fetches)
    for sentence in meanings(servers):
        say(sentence, err=True)


def ready_for_servers(*uses: str) -> None:
    """Fetches these servers where this machine lacks them, and says which builds short names mean."""
    from assay.system.server.release import meanings, missing_servers, require_obtainable

    _say_unpacking(uses)
    missing = missing_servers(uses)
    require_obtainable(missing)
    _fetch(missing)
    for sentence in meanings(uses):
        say(sentence, err=True)


def _say_unpacking(uses: Sequence[str]) -> None:
    from assay.system.server.release import packed

    for file in packed(uses):
        say(f"{file} is unpacked before its first start, and kept by its content", err=True)


def _fetch(missing: Sequence[Missing]) -> None:
    from assay.front.cli.server_get import get_shown

    if missing:
        say(f"not on this machine, fetched first: {', '.join(map(str, missing))}", err=True)
    for one in missing:
        say(f"fetched {get_shown(one.use)}", err=True)
