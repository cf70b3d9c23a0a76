"""Studies in which a device fails: what they measure, and what does not fit, with its key."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import Study, parse_study
from assay.design.study.device_failure import HEADLINES
from assay.design.study.measures import comparable

FILES = '[study]\nname = "s"\n[workload]\nuse = "fileio"\nfile_test_mode = "rndrw"\n'
SERVER = '[study]\nname = "s"\n[server]\nuse = "mariadb"\n[workload]\nuse = "oltp_read_write"\n'
LOAD = '[load]\nthreads = [4]\nmeasure = "60s"\n'
VOLUME = '[volume]\nfile_system = "btrfs"\nraid = "raid1"\nfail_device = 2\n'
RATIO = '[[hypothesis]]\nclaim = "degraded_per_s/healthy_per_s < 0.8"\n'


def study(text: str) -> Study:
    return parse_study(text, Path("/nowhere/s.toml"))


def test_its_phases_are_always_compared() -> None:
    assert study(FILES + LOAD + VOLUME).headlines == ("iops", "mib_per_s", "p95_ms", "p99_ms", *HEADLINES)
    assert study(SERVER + LOAD + VOLUME).headlines == ("tps", "p95_ms", "p99_ms", *HEADLINES)
    whole = study(FILES + LOAD + VOLUME.replace("fail_device = 2\n", ""))
    assert not whole.fails_device
    assert not set(whole.headlines) & set(HEADLINES)


def test_whether_one_fails_can_vary() -> None:
    varied = '[[factor]]\nname = "volume.fail_device"\nlevels = [{}]\n'
    without = VOLUME.replace("fail_device = 2\n", 'fail_after = "5s"\n')
    found = study(FILES + LOAD + without + varied.format("0, 2") + RATIO)
    assert found.fails_device
    assert str(found.hypotheses[0].claims[0]) == "degraded_per_s / healthy_per_s < 0.8"


@pytest.mark.parametrize(
    "claim",
    [
        "degraded_per_s/healthy_per_s < 0.8",
        "degraded_per_s ~ healthy_per_s",
        "rebuilding_mib_per_s < healthy_mib_per_s",
        "dip_pct < 50 %",
    ],
)
def test_phases_of_one_window_are_set_against_each_other(claim: str) -> None:
    (hypothesis,) = study(f'{FILES}{LOAD}{VOLUME}[[hypothesis]]\nclaim = "{claim}"\n').hypotheses
    assert hypothesis.text == claim


def test_other_measures_are_not() -> None:
    assert comparable("tps", "tps")
    assert not comparable("tps", "qps")
    assert not comparable("healthy_per_s", "healthy_mib_per_s")
    with pytest.raises(InputError, match="both need the same measure"):
        study(FILES + LOAD + VOLUME + '[[hypothesis]]\nclaim = "degraded_per_s/iops < 0.8"\n')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            FILES + '[load]\nthreads = [4, 8]\nmeasure = "60s"\n' + VOLUME,
            "load.threads: has several rungs, but a device fails once in a run",
        ),
        (
            FILES + LOAD + VOLUME + 'fail_after = "1m"\n',
            r"volume.fail_after: the window \(\[load\] measure, 60 s\) ends before the device fails, 60 s",
        ),
        (
            FILES + LOAD + VOLUME + 'fail_after = "40s"\nreplace_after = "30s"\n',
            "volume.replace_after: the window .* ends before the device is replaced, 70 s into it",
        ),
        (
            FILES + LOAD + VOLUME + '[[factor]]\nname = "volume.replace_after"\nlevels = ["never", "50s"]\n',
            r"factor\[0\].levels: the window .* ends before the device is replaced, 60 s into it",
        ),
        (
            FILES + LOAD + VOLUME + '[[factor]]\nname = "volume.fail_after"\nlevels = ["soon", "5s"]\n',
            r"factor\[0\].levels\[0\]: \"soon\" is not a length of time",
        ),
        (
            FILES + LOAD + VOLUME + 'replace_after = "5s"\n[host]\nblock.nomerges = 2\n',
            "volume.replace_after: cannot be combined with host.block.nomerges",
        ),
        (
            FILES + LOAD.replace("60s", "10s") + VOLUME,
            "volume.fail_device: the window .* ends before the device fails, 10 s into it",
        ),
        (
            FILES + LOAD + VOLUME.replace("fail_device = 2", 'fail_after = "5s"'),
            "volume.fail_after: needs a device that fails; write which, as in fail_device = 2",
        ),
        (
            SERVER + LOAD + VOLUME + '[experiment]\nuse = "crash-recovery"\n',
            "volume.fail_device: cannot be combined with",
        ),
        (
            FILES + LOAD + VOLUME.replace("fail_device = 2\n", "") + RATIO,
            '"degraded_per_s" is measured where a device fails',
        ),
        (
            SERVER + LOAD + VOLUME + '[[hypothesis]]\nclaim = "degraded_mib_per_s > 5"\n',
            '"degraded_mib_per_s" is measured of files; of servers there is degraded_per_s',
        ),
        (FILES + LOAD + VOLUME.replace("fail_device", "fail_devise"), 'did you mean "fail_device"'),
    ],
)
def test_what_does_not_fit_is_said_with_its_key(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        study(text)
