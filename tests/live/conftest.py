"""The command line as a person uses it, and the smallest study that is worth the name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked import Command
from live_command import GENTLE, PATIENCE_S, Finished
from loop_devices import left_of
from undrawn import UNDRAWN

STUDY = """\
[study]
name = "{name}"

[server]
use = "{use}"
{on}
[workload]
use = "oltp_read_write"
table_size = {rows}

[load]
{load}
warmup = "0s"
measure = "{measure}"

[design]
blocks = {blocks}
order = "as-written"
"""

FACTOR = """
[[factor]]
name = "server.variables.innodb_flush_log_at_trx_commit"
levels = [0, 2]
"""


@pytest.fixture
def start() -> Iterator[Callable[..., Command]]:
    """Starts `assay …` and lets it work; what a failing test leaves at work is killed. No picture is drawn
    unless the test sets UNDRAWN to nothing.
    """
    begun: list[Command] = []

    def started(*arguments: str, **env: str) -> Command:
        process = Command(arguments, {**os.environ, UNDRAWN: "1", **env})
        begun.append(process)
        return process

    yield started
    for process in begun:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def assay(start: Callable[..., Command]) -> Callable[..., Finished]:
    """Does `assay …` to its end."""

    def done(*arguments: str, **env: str) -> Finished:
        process = start(*arguments, **env)
        out, err = process.communicate(timeout=PATIENCE_S)
        return Finished(process.returncode, out, err)

    return done


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with an empty one, `data`, for the volumes of runs, of which nothing is left."""
    # Not below tmp_path, which is closed to the user of a server that root starts.
    with tempfile.TemporaryDirectory(prefix="device-failure-", dir="/var/tmp") as path:
        place, directory = Path(path), Path(path) / "data"
        place.chmod(0o755)
        directory.mkdir()
        yield place
        assert left_of(directory) == []


@pytest.fixture
def write_study(tmp_path: Path) -> Callable[..., Path]:
    """A study file: two treatments unless `factor` says otherwise."""

    def written(
        *,
        name: str = "live",
        use: str = "mariadb",
        on: str = "",
        rows: int = 500,
        load: str = GENTLE,
        measure: str = "500ms",
        blocks: int = 1,
        factor: str = FACTOR,
        variables: str = 'innodb_buffer_pool_size = "32M"\ninnodb_redo_log_capacity = "16M"',
    ) -> Path:
        path = tmp_path / f"{name}.toml"
        text = STUDY.format(name=name, use=use, on=on, rows=rows, load=load, measure=measure, blocks=blocks)
        path.write_text(f"{text}\n[server.variables]\n{variables}\n{factor}", encoding="utf-8")
        return path

    return written
