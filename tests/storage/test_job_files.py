"""fio job files: what they mean, and what is wrong with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.base.format.job import ConstantArrivals, Pause, PoissonArrivals, Range, Share, StorageJob, SyncEach
from assay.design.storage.options import OPTIONS
from assay.design.storage.stages import Stage, read_stages
from assay.design.storage.without_effect import REFUSED, WITHOUT_EFFECT
from assay.system.engine import check_disk_job


def _stages(folder: Path, text: str) -> list[Stage]:
    path = folder / "job.fio"
    path.write_text(text)
    return read_stages(path)


def _only(folder: Path, text: str) -> StorageJob:
    (stage,) = _stages(folder, text)
    (job,) = stage.job.storage
    return job


def test_the_published_job_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "64m")
    (stage,) = _stages(
        tmp_path,
        f"""
        [global]
        directory={tmp_path}
        ioengine=libaio
        direct=1
        buffered=0
        iodepth=32
        size=${{SIZE}}
        runtime=30
        group_reporting=true
        write_bw_log=true
        [randread_4k]
        rw=randread
        bs=4k
        numjobs=64
        """,
    )
    jobs = stage.job.storage
    assert len(jobs) == 64
    assert len(stage.lines) == 1
    assert jobs[63].files == [str(tmp_path / "randread_4k.63.0")]
    assert {job.group for job in jobs} == {0}
    assert jobs[0].file_bytes == jobs[0].limit_bytes == 64 << 20
    assert jobs[0].io.kind == "libaio"
    assert jobs[0].io.direct is True
    assert jobs[0].access.order == "random"
    assert jobs[0].access.read_share == 1.0
    assert stage.job.phases.measure_ms == 30_000


def test_stonewall_begins_a_stage_and_globals_are_for_what_follows(tmp_path: Path) -> None:
    stages = _stages(
        tmp_path,
        """
        [global]
        size=1m
        [a]
        bs=8k
        [b]
        [global]
        bs=16k
        [c]
        stonewall
        """,
    )
    blocks = [[job.access.read_blocks for job in stage.job.storage] for stage in stages]
    assert blocks == [[8192, 4096], [16384]]
    assert [line.number for stage in stages for line in stage.lines] == [0, 0, 1]


def test_an_included_file_is_part_of_the_section(tmp_path: Path) -> None:
    (tmp_path / "shared.inc").write_text("iodepth=7\nioengine=io_uring\n")
    job = _only(tmp_path, "[a]\nsize=1m\ninclude shared.inc\n; a comment\n# another\n")
    assert (job.depth, job.io.kind) == (7, "io_uring")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bsrange=4k-64k", Range(from_=4096, to=65536)),
        ("bssplit=4k/60:64k/40", [Share(bytes=4096, weight=60.0), Share(bytes=65536, weight=40.0)]),
        ("bssplit=4k/60:8k/:16k/", [(4096, 60.0), (8192, 20.0), (16384, 20.0)]),
        ("blocksize=16k", 16384),
        ("bs=4ki", 4000),
    ],
)
def test_block_sizes(tmp_path: Path, line: str, expected: Any) -> None:
    found = _only(tmp_path, f"[a]\nsize=1m\n{line}\n").access.read_blocks
    if isinstance(expected, list) and isinstance(expected[0], tuple):
        found = [(share.bytes, share.weight) for share in found]
    assert found == expected


def test_rates_are_operations_and_mixed_ones_share_them(tmp_path: Path) -> None:
    assert _only(tmp_path, "[a]\nsize=1m\nrate=1m\nbs=4k").arrivals == ConstantArrivals(rate=256.0)
    mixed = _only(tmp_path, "[a]\nsize=1m\nrw=randrw\nrate_iops=300,100\nrate_process=poisson")
    assert mixed.arrivals == PoissonArrivals(rate=400.0)
    assert mixed.access.read_share == 0.75


def test_times_syncs_batches_and_thinking(tmp_path: Path) -> None:
    job = _only(
        tmp_path,
        """[a]
        size=1m
        rw=randwrite
        fdatasync=8
        end_fsync=1
        thinktime=2ms
        thinktime_blocks=4
        iodepth_batch_submit=4
        iodepth_batch_complete=2
        runtime=500ms
        time_based
        """,
    )
    assert job.sync == SyncEach(writes=8, kind="fdatasync")
    assert job.end_sync is True
    assert job.think == Pause(us=2000, operations=4)
    assert (job.batch.submit, job.batch.complete_min) == (4, 2)
    assert (job.limit_ms, job.repeat) == (500, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a]\nsize=1m\niodpth=4", ("job.fio:3", "iodpth", 'did you mean "iodepth"')),
        ("[a]\nsize=1m\nsteadystate=iops:1%", ("job.fio:3", "steadystate=iops:1% is not supported")),
        ("[a]\nsize=1m\nrw=randred", ("job.fio:3", "rw=randred", "randread")),
        ("[a]\nsize=1m\nioengine=posixaio", ("job.fio:3", "posixaio", "libaio")),
        ("[a]\nsize=1x", ("job.fio:2", "a size such as 4k")),
        ("[a]\nsize=1m\nbs=4k,8k,16k", ("job.fio:3", "trims")),
        ("[a]\nsize=1m\nbssplit=4k/60:8k/60", ("job.fio:3", "add up to 100")),
        ("[a]\nsize", ("job.fio:2", "size needs a value")),
        ("size=1m", ("job.fio:1", "must follow a section header")),
        ("[global]\nsize=1m", ("job.fio", "no job")),
        ("[a]\nrw=read", ("job.fio:1", "has no size")),
        ("[a]\nsize=${NO_SUCH_THING_HERE}", ("job.fio:2", "NO_SUCH_THING_HERE")),
        ("[a]\nsize=1m\ntime_based", ("job.fio:1", "needs a runtime")),
        ("[a]\nsize=1m\nramp_time=1\n[b]\nsize=1m", ("job.fio:4", "the same ramp_time")),
        ("[a]\nsize=1m\nnumjobs=0", ("job.fio:1", "numjobs is 0")),
        ("[a]\nsize=1m\nrw=randrw\nrate_iops=0", ("job.fio:4", "a rate must be above 0")),
        ("[a]\nsize=1m\nrw=randrw\nrate_iops=,500", ("job.fio:1", "rate_iops must limit both directions")),
        ("[a]\nsize=1m\nbs=0\nrate=1m", ("job.fio:3", "at least 1 byte")),
        ("[a]\nsize=1m\nbsrange=0-4k\nrate=1m", ("job.fio:3", "at least 1 byte")),
        ("[a]\nsize=1m\nbsrange=8k-4k", ("job.fio:3", "smaller size")),
        ("[a]\nsize=1m\nbs=,", ("job.fio:3", "expected a value")),
        ("[a]\nsize=1m\nstartdelay=5", ("job.fio:3", "startdelay=5 is not supported", "start together")),
        ("[a]\nsize=1m\nfallocate=none", ("job.fio:3", "only fallocate=posix")),
        ("[a]\nsize=1m\nzero_buffers", ("job.fio:3", "zero_buffers is not supported")),
        ("[a]\nsize=1m\nkb_base=1000", ("job.fio:3", "only kb_base=1024")),
        ("[a]\nsize=1m\nfsync=1\nfdatasync=1", ("job.fio:1", "cannot be combined")),
        ("[a]\nsize=1m\nfsync=-1", ("job.fio:3", "fsync=-1: expected a whole number from 0")),
        (f"[a]\nsize={'9' * 400}", ("job.fio:2", "a size of at most 4096p")),
        ("[a]\nsize=50%", ("job.fio:2", "a share of the device", "such as 1g")),
        (f"[a]\nsize=1m\nruntime={'9' * 400}", ("job.fio:3", "a time of at most")),
        (f"[a]\nsize=1m\nthinktime={'9' * 30}", ("job.fio:3", "a time of at most")),
        (f"[a]\nsize=1m\nnumber_ios={'9' * 20}", ("job.fio:3", "expected at most")),
        (f"[a]\nsize=1m\nloops={'9' * 5000}", ("job.fio:3", "a whole number from 0")),
        ("[a]\nsize=1m\niodepth=4294967296", ("job.fio:3", "expected at most 4,294,967,295")),
        ("[a]\nsize=1m\nnumjobs=100000000", ("job.fio:3", "expected at most 4,096")),
        ("[a]\nsize=1m\nnrfiles=100000000", ("job.fio:3", "expected at most 100,000")),
        ("[a]\nsize=1m\nrwmixread=1_0", ("job.fio:3", "a whole number")),
        ("[a]\nsize=1m\nbs=4k-16k", ("job.fio:3", "write bsrange=4k-16k")),
        ("[a]\nsize=1m\nbs=4k/60:8k/40", ("job.fio:3", "write bssplit=4k/60:8k/40")),
        ("[a]\nsize=1m\nbssplit=4k/nan:8k/50", ("job.fio:3", "expected a number")),
        ("[a]\nsize=1m\nbssplit=4k/-10:8k/110", ("job.fio:3", "percentages from 0 to 100")),
        ("[a]\nsize=1m\nrandom_distribution=zipf:inf", ("job.fio:3", "expected a number")),
        ("[a]\nsize=1m\nbs=4m", ("job.fio:1", "needs 4,194,304 bytes")),
        ("[a]\nsize=1k\nnrfiles=5000", ("job.fio:1", "needs 4,096 bytes")),
        ("[a]\nsize=1m\nfilename=", ("job.fio:3", "the names of files")),
        ("[a]\nsize=1m\nfilename=:", ("job.fio:3", "the names of files")),
        ("[a]\nsize=1m\nfilename=a\0b", ("job.fio:3", "the names of files")),
        ("[a]\nsize=1m\nfilename=$jobname.$jobnum", ("job.fio:3", "a.$jobnum cannot be filled in")),
        ("[a]\nsize=1m\ndirectory=a:b", ("job.fio:3", "several directories")),
        ("[a]\nsize=1m\nrate=1m\nrate_iops=5", ("job.fio:1", "cannot be combined")),
        ("include job.fio", ("job.fio: files include each other in a cycle",)),
        ("include .", (": cannot be read: Is a directory",)),
        ("include pipe", ("pipe: cannot be read: a job file must be a regular file",)),
        ("[a]\nsize=1m\n[b]\nsize=1m\nrandseed=5", ("job.fio:3", "the same randseed")),
        ("[a]\nfilename=/dev/null\nloops=3", ("job.fio:1", "loops=3")),
        ("[a]\nsize=1m\nrw=write\nverify_only=1", ("job.fio:1", "verify_only needs verify")),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, said: tuple[str, ...]) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as caught:
        _stages(tmp_path, text)
    for part in said:
        assert part in str(caught.value)


def test_a_later_stage_may_fill_what_an_earlier_one_makes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"x")
    text = "[global]\nsize=1m\ndirectory={0}\n[a]\nrw=write\nfilename={1}\n[b]\nstonewall\nfilename={1}\n"
    fills = [
        [stage.job.storage[0].fill for stage in _stages(tmp_path, text.format(tmp_path, name))]
        for name in ("new", "old", "new:old")
    ]
    assert fills == [[False, True], [False, False], [False, False]]


def test_the_size_begins_at_the_offset(tmp_path: Path) -> None:
    job = _only(tmp_path, "[a]\nsize=1m\noffset=4m\nnrfiles=2")
    assert (job.offset, job.file_bytes, job.limit_bytes) == (4 << 20, (4 << 20) + (1 << 19), 1 << 20)


@pytest.mark.parametrize(
    ("bs", "expected"),
    [("8k", (8192, 8192)), (",8k", (4096, 8192)), ("8k,", (8192, 4096)), ("8k,16k,", (8192, 16384))],
)
def test_a_size_that_is_left_out_is_the_default(tmp_path: Path, bs: str, expected: tuple[int, int]) -> None:
    access = _only(tmp_path, f"[a]\nsize=1m\nbs={bs}").access
    assert (access.read_blocks, access.write_blocks) == expected


def test_a_rate_of_one_direction_limits_that_one(tmp_path: Path) -> None:
    assert _only(tmp_path, "[a]\nsize=1m\nrw=read\nrate_iops=,500").arrivals is None
    assert _only(tmp_path, "[a]\nsize=1m\nrw=write\nrate_iops=,500").arrivals.rate == 500.0


def test_comments_end_lines(tmp_path: Path) -> None:
    job = _only(tmp_path, f"[a] ; reads\nfilename={tmp_path}/x#1 # fast\nsize=1m\t; small\n")
    assert (job.name, job.files, job.file_bytes) == ("a", [f"{tmp_path}/x#1"], 1 << 20)


def test_blocks_can_be_left_to_a_later_reading_back(tmp_path: Path) -> None:
    text = "[a]\nsize=1m\nrw=write\nverify=crc32c\n"
    assert _only(tmp_path, text).verify == "after"
    assert _only(tmp_path, text + "do_verify=0").verify == "stamp"
    assert _only(tmp_path, text + "do_verify=0\nverify_only=1").verify == "only"


def test_two_jobs_never_keep_one_ledger(tmp_path: Path) -> None:
    text = "[global]\nrw=randwrite\nbs=4k\nsize=1m\nverify=crc32c\n"
    text += "[w]\nfilename={}/a\n[{}]\nstonewall\nfilename={}/b\n"
    path = tmp_path / "job.fio"
    for name, refused in (("w", True), ("v", False)):
        path.write_text(text.format(tmp_path, name, tmp_path))
        if refused:
            with pytest.raises(InputError, match=r"\[w\]: two jobs cannot share the ledger .*w\.0\.ledger"):
                read_stages(path, ledgers=tmp_path)
        else:
            assert len(read_stages(path, ledgers=tmp_path)) == 2


def test_what_changes_no_load_is_accepted_with_its_reason_and_the_load_is_the_same(tmp_path: Path) -> None:
    plain = "[global]\nsize=1m\n[a]\nrw=randwrite\n"
    harmless = [
        f"{name}={(option.values or ('1',))[0]}" for name, option in WITHOUT_EFFECT.items() if name != "name"
    ]
    (with_them,) = _stages(tmp_path, plain + "\n".join(harmless))
    (without,) = _stages(tmp_path, plain)
    assert with_them.job == without.job
    assert with_them.without_effect.keys() == WITHOUT_EFFECT.keys() - {"name"}
    assert not without.without_effect


def test_no_option_is_of_two_kinds() -> None:
    assert not OPTIONS.keys() & (WITHOUT_EFFECT.keys() | REFUSED.keys())
    both = WITHOUT_EFFECT.keys() & REFUSED.keys()
    assert all(WITHOUT_EFFECT[name].values is not None for name in both)


def test_the_name_of_a_job_is_that_of_its_section_or_its_own_name(tmp_path: Path) -> None:
    """As in fio: a name in [global] names nothing, and files are named after the header."""
    (stage,) = _stages(tmp_path, "[global]\nsize=1m\nname=all\n[one]\n[two]\nname=zwei\n")
    assert [job.name for job in stage.job.storage] == ["one", "zwei"]
    assert [Path(job.files[0]).name for job in stage.job.storage] == ["one.0.0", "two.0.0"]


def test_all_that_is_wrong_in_a_file_is_told_at_once(tmp_path: Path) -> None:
    text = "[global]\nsize=1m\nstartdelay=5\n[a]\niodpth=4\nrw=randred\n[b]\nlatency_target=2ms\nbs=4x\n"
    with pytest.raises(InputError) as caught:
        _stages(tmp_path, text)
    assert "5 options are wrong" in str(caught.value)
    told = caught.value.detail or ""
    assert [line.partition(": ")[0].rpartition(":")[2] for line in told.splitlines()] == [
        "3",
        "5",
        "6",
        "8",
        "9",
    ]


def test_all_variables_that_the_environment_lacks_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _stages(tmp_path, "[a]\nsize=${NO_SIZE}\ndirectory=${NO_DIRECTORY}\nruntime=${NO_SIZE}\n")
    assert "job.fio:2: ${NO_SIZE}, ${NO_DIRECTORY}" in str(caught.value)
    assert caught.value.hint == "NO_SIZE=… NO_DIRECTORY=… assay fio …"


def _check(folder: Path, text: str) -> None:
    for stage in _stages(folder, text):
        check_disk_job(stage.job, folder)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("direct=1\nbs=1000", "multiples of 512"),
        ("rw=randread\nrandom_distribution=zipf:99", "theta is 99"),
    ],
)
def test_a_check_refuses_what_the_engine_refuses(tmp_path: Path, options: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _check(tmp_path, f"[a]\nsize=1m\ndirectory={tmp_path}\n{options}\n")


def test_a_check_makes_no_file(tmp_path: Path) -> None:
    _check(tmp_path, f"[a]\nsize=1m\ndirectory={tmp_path}\nrw=write\n[b]\nstonewall\nsize=1m\n")
    assert [one.name for one in tmp_path.iterdir()] == ["job.fio"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("rw=randrw\nrwmixread=70\nrwmixwrite=60", 0.4),
        ("rw=randrw\nrwmixwrite=60\nrwmixread=70", 0.7),
        ("rw=randrw\nrwmixread=10\nrwmixwrite=60\nrwmixread=70", 0.7),
    ],
)
def test_of_options_that_set_one_thing_the_last_counts(tmp_path: Path, options: str, expected: float) -> None:
    assert _only(tmp_path, f"[a]\nsize=1m\n{options}").access.read_share == pytest.approx(expected)
    assert not _only(tmp_path, "[a]\nsize=1m\ndirect=1\nbuffered=1").io.direct
    assert _only(tmp_path, "[a]\nsize=1m\nbuffered=1\ndirect=1").io.direct
    assert _only(tmp_path, "[a]\nsize=1m\nbsrange=1k-2k\nbs=8k").access.read_blocks == 8192
