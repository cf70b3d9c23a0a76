"""Studies whose runs make volumes: what is recorded, what is refused, what is left after a kill."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import Manifest, ResultsFolder, read_manifest
from assay.results.store import build_store, open_store
from forked import Command
from live_command import PATIENCE_S, Finished, wait_for, written
from loop_devices import left_of, needs

pytestmark = [pytest.mark.live, pytest.mark.machine, needs("ext4")]

FILES = """\
[study]
name = "volumes"
[workload]
use = "fileio"
file_test_mode = "rndrw"
file_num = 2
file_total_size = "2M"
[storage]
directory = "{place}"
[host]
block.read_ahead_kb = 64
[volume]
device_size = "{size}"
mount = "noatime"
[load]
threads = [2]
warmup = "none"
measure = "300ms"
[[factor]]
name = "volume.unallocated_pct"
levels = [0, 20]
[[hypothesis]]
claim = "usable_pct[unallocated_pct=0] > usable_pct[unallocated_pct=20]"
[design]
blocks = 1
"""

SERVER = """\
[study]
name = "server-on-a-volume"
[server]
use = "mariadb"
[server.variables]
innodb_buffer_pool_size = "32M"
innodb_log_file_size = "16M"
[workload]
use = "oltp_read_write"
table_size = 5_000
[volume]
file_system = "{kind}"
device_size = "{size}"
[load]
threads = [2]
warmup = "none"
measure = "{measure}"
{more}
[design]
blocks = 1
"""


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="volume-study-", dir="/var/tmp") as path:
        Path(path).chmod(0o755)
        yield Path(path)


@pytest.fixture
def home() -> Iterator[Path]:
    """The home of a lab of its own: what is left there is ours."""
    path = Path(tempfile.mkdtemp(prefix="volume-home-", dir="/var/tmp"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def arguments(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "s.toml"
    path.write_text(text)
    return ["run", str(path), "--results", str(tmp_path / "results"), "--no-report"]


def manifests(tmp_path: Path) -> list[Manifest]:
    return [read_manifest(run) for run in ResultsFolder(tmp_path / "results").finished_runs()]


def test_files_on_volumes_are_measured_and_the_volumes_recorded(
    assay: Callable[..., Finished], tmp_path: Path, place: Path
) -> None:
    ended = assay(*arguments(tmp_path, FILES.format(place=place, size="128M")))
    assert ended.code == 0, ended.err
    whole, part = sorted(manifests(tmp_path), key=lambda one: str(one.levels))
    assert whole.volume is not None
    assert part.volume is not None
    assert (whole.volume.file_system, whole.volume.device_bytes) == ("ext4", 128 << 20)
    assert "noatime" in whole.volume.mount.split(",")
    assert (whole.volume.unallocated_pct, part.volume.unallocated_pct) == (0, 20)
    # The disk under the data is the loop device.
    assert [(entry.knob, entry.target[:4], entry.now) for entry in part.host] == [
        ("block.read_ahead_kb", "loop", "64")
    ]
    build_store(ResultsFolder(tmp_path / "results"))
    with open_store(ResultsFolder(tmp_path / "results")) as store:
        usable = dict(
            store.sql("select treatment, value from measures where measure = 'usable_pct'").fetchall()
        )
        kept = store.sql(
            "select distinct value from facts where scope = 'volume' and key = 'file_system'"
        ).fetchall()
    assert {name: round(value, 6) for name, value in usable.items()} == {
        one.treatment: round(100 * one.volume.usable_bytes / (128 << 20), 6)
        for one in (whole, part)
        if one.volume is not None
    }
    assert kept == [("ext4",)]
    assert left_of(place) == []


@pytest.mark.long
def test_what_has_no_room_is_said_before_any_load(
    assay: Callable[..., Finished], tmp_path: Path, place: Path
) -> None:
    ended = assay(*arguments(tmp_path, FILES.format(place=place, size="48M")))
    assert ended.code != 0
    assert "a run needs" in ended.err
    assert 'device_size = "' in ended.err
    assert not (tmp_path / "results/runs").exists()
    proposed = ended.err.partition('device_size = "')[2].partition('"')[0]
    again = assay(*arguments(tmp_path, FILES.format(place=place, size=proposed)))
    assert again.code == 0, again.err
    assert left_of(place) == []


def test_an_option_that_the_kernel_refuses_is_said_before_any_load(
    assay: Callable[..., Finished], tmp_path: Path, place: Path
) -> None:
    text = FILES.format(place=place, size="128M").replace('"noatime"', '"nodatacow"')
    ended = assay(*arguments(tmp_path, text))
    assert "volume.mount: ext4 was not mounted with nodatacow" in ended.err
    assert not (tmp_path / "results/runs").exists()
    assert left_of(place) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "size"),
    [pytest.param("xfs", "512M", marks=needs("xfs")), pytest.param("btrfs", "512M", marks=needs("btrfs"))],
)
def test_a_server_is_killed_and_recovers_on_its_volume(
    assay: Callable[..., Finished], tmp_path: Path, home: Path, kind: str, size: str
) -> None:
    more = '[experiment]\nuse = "crash-recovery"\n'
    text = SERVER.format(kind=kind, size=size, measure="1s", more=more)
    ended = assay(*arguments(tmp_path, text), ASSAY_HOME=str(home))
    assert ended.code == 0, ended.err
    (run,) = manifests(tmp_path)
    assert run.status == "complete"
    assert run.volume is not None
    assert run.volume.file_system == kind
    facts = json.loads(
        ResultsFolder(tmp_path / "results").run(run.run_id).facts("host", "before").read_text()
    )
    assert [one["type"] for point, one in facts["file_system"].items() if point.startswith(str(home))] == [
        kind
    ]
    assert left_of(home / "instances") == []
    assert not list(home.glob("assay-*"))


@pytest.mark.long
def test_killed_in_the_window_its_volume_goes_with_the_next_command(
    assay: Callable[..., Finished], start: Callable[..., Command], tmp_path: Path, home: Path
) -> None:
    text = SERVER.format(kind="ext4", size="512M", measure="60s", more="")
    lab = start(*arguments(tmp_path, text), ASSAY_HOME=str(home))
    events = "results/runs/.b01-*.unfinished/rungs/*/events.jsonl"
    try:
        wait_for(lambda: written(tmp_path.glob(events), '"measure"'))
    finally:
        lab.kill()
        lab.communicate(timeout=PATIENCE_S)
    assert list(home.glob("assay-*-volume/mounted/*"))
    swept = assay("server", "list", ASSAY_HOME=str(home))
    assert swept.code == 0
    assert not list(home.glob("assay-*"))
    assert not list((home / "instances").iterdir())
    assert [one for one in left_of(home) if one.startswith("/dev/loop")] == []
    assert str(home) not in Path("/proc/mounts").read_text()


def test_older_run_folders_have_no_volume() -> None:
    old = msgspec.json.decode(
        b'{"run_id":"b01-01-default","study":"s","study_hash":"h","treatment":"default","levels":{},"block":1,'
        b'"position":1,"seed":1,"status":"complete","started_wall_ns":1,"ended_wall_ns":2,"variables":{},'
        b'"workload":"w","workload_options":{},"rungs":[],"dataset":{},"server":{},"tools":{}}',
        type=Manifest,
    )
    assert old.volume is None
