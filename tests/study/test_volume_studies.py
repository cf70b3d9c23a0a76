"""Studies with volumes: fixed and varied, and what has no sense beside one."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_plan
from assay.design.study import Study, parse_study, study_hash

FILES = '[study]\nname = "s"\n[workload]\nuse = "fileio"\nfile_test_mode = "rndrd"\n'
LOAD = "[load]\nthreads = [1]\n"
VOLUME = '[volume]\nfile_system = "xfs"\n'
FACTOR = '[[factor]]\nname = "volume.{}"\nlevels = {}\n'
USABLE = '[[hypothesis]]\nclaim = "usable_pct > 50 %"\n'


def study(text: str) -> Study:
    return parse_study(text, Path("/nowhere/s.toml"))


def test_settings_are_fixed_and_varied() -> None:
    found = study(FILES + LOAD + VOLUME + FACTOR.format("mount", '["noatime", "relatime"]'))
    assert [one.volume for one in make_plan(found, seed=1).treatments] == [
        {"file_system": "xfs", "mount": "noatime"},
        {"file_system": "xfs", "mount": "relatime"},
    ]


def test_a_factor_needs_no_table() -> None:
    found = study(FILES + LOAD + FACTOR.format("file_system", '["ext4", "btrfs", "none"]') + USABLE)
    assert [one.volume["file_system"] for one in make_plan(found, seed=1).treatments] == [
        "ext4",
        "btrfs",
        "none",
    ]


def test_another_volume_is_another_study() -> None:
    hashes = {study_hash(study(FILES + LOAD + text)) for text in ("", VOLUME, VOLUME + 'mount = "noatime"\n')}
    assert len(hashes) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[volume]\nfilesystem = "xfs"\n', 'no setting of a volume is called "filesystem".*file_system'),
        ('[volume]\nfile_system = "ext5"\n', '"ext5" is not allowed.*"ext4"'),
        ('[volume]\nraid = "raid6"\n', '"raid6" is not allowed'),
        ('[volume]\ndevice_size = "large"\n', "volume.device_size"),
        ("[volume]\ndevices = 17\n", "a whole number from 1 to 16"),
        ("[volume]\nunallocated_pct = 95\n", "a whole number from 0 to 90"),
        ('[volume]\nmount = "noatime; rm"\n', "volume.mount"),
        (
            VOLUME + '[host]\nmount = "noatime"\n',
            r"host\.mount: cannot be combined with a volume, .* write volume\.mount",
        ),
        (
            VOLUME + '[[factor]]\nname = "host.mount"\nlevels = ["noatime", "relatime"]\n',
            r'"host\.mount" cannot be combined with a volume, .* write volume\.mount',
        ),
        (FACTOR.format("file_sytem", '["xfs", "ext4"]'), 'did you mean "volume.file_system"'),
        (VOLUME + FACTOR.format("file_system", '["xfs", "ext4"]'), "is set in both"),
        (USABLE, r'"usable_pct" is the space of a volume: add \[volume\]'),
    ],
)
def test_what_has_no_sense_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        study(FILES + LOAD + text)
