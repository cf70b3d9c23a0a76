"""A process that makes volumes is killed at any moment: the next sweep leaves nothing of them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from loop_devices import left_of, missing, needs

pytestmark = pytest.mark.machine

MAKING = """\
import sys
from pathlib import Path
from assay.system.host.volume.spec import VolumeSpec
from assay.system.server import PrivateDir
print("ready", flush=True)
for _ in range(100):
    for spec in ({specs}):
        with PrivateDir() as private:
            volume = private.volume(spec, Path(sys.argv[1]))
            (volume.point / "data").write_bytes(bytes(1 << 20))
"""
SPECS = {
    "ext4": 'VolumeSpec("ext4", device_bytes=16 << 20)',
    "btrfs": 'VolumeSpec("btrfs", raid="raid1", devices=2, device_bytes=128 << 20)',
}
SWEEP = "from assay.system.server import sweep_dead; sweep_dead()"
MOMENTS = 10
LONGEST_S = 1.5
"""More than it takes to make and remove the slowest of them; a slow machine gets more moments, and longer."""


@pytest.mark.long
@needs("ext4")
def test_at_any_moment(assay_home: Path) -> None:
    specs = "".join(f"{text}, " for kind, text in SPECS.items() if missing(kind) is None)
    chosen = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="killed-volume-", dir="/var/tmp") as path:
        parent = Path(path)
        parent.chmod(0o755)
        stages: set[int] = set()
        for moment in range(10 * MOMENTS):
            if moment >= MOMENTS and len(stages) > 2:
                break
            command = [sys.executable, "-c", MAKING.format(specs=specs), path]
            maker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert maker.stdout is not None
            assert maker.stdout.readline() == "ready\n"
            time.sleep(chosen.uniform(0, LONGEST_S * max(1, moment / MOMENTS)))
            maker.kill()
            maker.communicate()
            stages.add(len(left_of(parent)))
            subprocess.check_call([sys.executable, "-c", SWEEP])
            assert left_of(parent) == []
            assert not list((assay_home / "instances").glob(f"{maker.pid}-*"))
        assert len(stages) > 2, "it was killed at one stage only"


@needs("ext4")
def test_with_somebody_still_at_work_on_it(assay_home: Path) -> None:
    """What a lab started is ended first; then nothing is in use."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from assay.system.host.volume.spec import VolumeSpec\n"
        "from assay.system.server import PrivateDir\n"
        "from assay.system.server.process.program import launch\n"
        "volume = PrivateDir().volume(VolumeSpec('ext4', device_bytes=16 << 20), Path(sys.argv[1]))\n"
        "said = volume.point / 'said'\n"
        "orphan = 'cd ' + str(volume.point) + '; trap \"\" TERM; echo > said; while :; do sleep 1; done'\n"
        "launch(['/bin/sh', '-c', f'({orphan}) & wait'], as_server=False)\n"
        "while not said.exists(): pass\n"
        "os.kill(os.getpid(), 9)\n"
    )
    with tempfile.TemporaryDirectory(prefix="killed-volume-", dir="/var/tmp") as path:
        Path(path).chmod(0o755)
        assert subprocess.run([sys.executable, "-c", script, path], env=dict(os.environ)).returncode == -9
        assert any(name.endswith("/mounted") for name in left_of(Path(path)))
        subprocess.check_call([sys.executable, "-c", SWEEP])
        assert left_of(Path(path)) == []


LEFT = """\
import os, sys
from pathlib import Path
from assay.system.host import Knobs
from assay.system.host.volume.spec import VolumeSpec
from assay.system.server import PrivateDir
volume = PrivateDir().volume(VolumeSpec("ext4", device_bytes=16 << 20), Path(sys.argv[1]))
(volume.point / "data").write_bytes(bytes(1 << 20))
with Knobs() as knobs, knobs.turned({settings}, volume.point):
    print(volume.devices[0].name, flush=True)
    os.kill(os.getpid(), 9)
"""


def left(path: str, settings: str = "{}") -> str:
    """Leaves a volume behind, as a killed lab does; the name of its loop device."""
    Path(path).chmod(0o755)
    command = [sys.executable, "-c", LEFT.replace("{settings}", settings), path]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.strip()


@pytest.mark.long
@needs("ext4")
def test_what_somebody_else_uses_keeps_its_files(assay_home: Path) -> None:
    """A mount that cannot go is not removed through: neither its files nor those of its devices."""
    with tempfile.TemporaryDirectory(prefix="killed-volume-", dir="/var/tmp") as path:
        left(path)
        (data,) = Path(path).glob("*/mounted/data")
        with subprocess.Popen(["sleep", "600"], cwd=data.parent) as user:
            subprocess.check_call([sys.executable, "-c", SWEEP])
            assert data.stat().st_size == 1 << 20
            assert list(Path(path).glob("*/device-1"))
            user.kill()
        subprocess.check_call([sys.executable, "-c", SWEEP])
        assert left_of(Path(path)) == []


@pytest.mark.long
@needs("ext4")
def test_settings_of_its_devices_are_put_back_before_they_go(assay_home: Path) -> None:
    """A loop device keeps them when it is taken away, and the next file on it would have them."""
    with tempfile.TemporaryDirectory(prefix="killed-volume-", dir="/var/tmp") as path:
        setting = Path("/sys/block") / left(path, '{"block.nomerges": 2}') / "queue/nomerges"
        assert setting.read_text() == "2\n"
        subprocess.check_call(
            [sys.executable, "-c", "from assay.measurement.run.sweep import sweep; sweep()"]
        )
        assert left_of(Path(path)) == []
        assert setting.read_text() == "0\n"
