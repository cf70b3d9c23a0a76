"""Loads on files as studies have them: what becomes of a job file, of options and of the ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.base.format.job import ConstantArrivals, Io, PoissonArrivals, StorageJob, SyncEach
from assay.design.storage.steady_state import steady_state
from assay.design.storage.study_load import StudyLoad, files_bytes, layout, overwrite
from assay.design.study import LoadKind

HERE = Path("/files/of/a/run")
TWO = """
[global]
bs=4k
size=1m
runtime=9
write_bw_log
[reads]
rw=randread
numjobs=2
[writes]
stonewall
rw=write
"""


def fio(text: str = TWO, **options: Any) -> StudyLoad:
    return StudyLoad("fio:two.fio", options, text)


def fileio(**options: Any) -> StudyLoad:
    return StudyLoad("fileio", {"file_num": 2, "file_total_size": "2M", **options})


def test_a_section_runs_on_the_runs_own_files_for_as_long_as_the_study_says() -> None:
    jobs = fio(section="reads").jobs("iodepth", 8, HERE)
    assert [job.files for job in jobs] == [[f"{HERE}/reads.{number}.0"] for number in (0, 1)]
    assert all(job.depth == 8 and job.repeat and job.limit_ms == 0 and job.fill for job in jobs)


def test_threads_are_workers_and_options_replace_those_of_the_file() -> None:
    jobs = fio(section="reads", bs="16k", direct=True, ioengine="libaio").jobs("threads", 5, HERE)
    assert len(jobs) == 5
    assert {job.access.read_blocks for job in jobs} == {16384}
    assert all(job.io.direct and job.io.kind == "libaio" for job in jobs)


def test_a_rate_is_that_of_all_workers() -> None:
    jobs = fio(section="reads").jobs("rate", 300, HERE)
    assert [job.arrivals.rate for job in jobs] == [150, 150]
    (one,) = fileio(file_test_mode="rndrd").jobs("rate", 300, HERE)
    assert one.arrivals == PoissonArrivals(rate=300)
    even = StudyLoad("fileio", {"file_test_mode": "rndrd"}, arrivals="constant")
    assert even.jobs("rate", 10, HERE)[0].arrivals == ConstantArrivals(rate=10)


def test_the_largest_rung_says_what_is_laid_out() -> None:
    load = fio(section="reads")
    rungs = [load.jobs("threads", point, HERE) for point in (1, 3)]
    assert files_bytes(rungs) == 3 << 20
    assert len(layout(rungs)) == 3
    made = [fileio(file_test_mode="seqwr").jobs("threads", 1, HERE)]
    assert layout(made) == []  # their making is what is measured
    (read,) = layout([fileio(file_test_mode="seqrewr").jobs("threads", 1, HERE)])
    assert read.fill
    assert read.create


def test_a_pass_writes_every_byte_once() -> None:
    jobs = layout([fio(section="reads", size="1000k").jobs("threads", 2, HERE)])
    passes = overwrite(jobs, 3)
    assert [job.files for job in passes] == [job.files for job in jobs]
    assert {job.limit_operations for job in passes} == {3 * 8}  # of 128 KiB, the last of a file shorter


def test_a_depth_of_fileio_is_its_backlog() -> None:
    (job,) = fileio(file_test_mode="rndrd", file_io_mode="async").jobs("iodepth", 16, HERE)
    assert job.depth == 16
    with pytest.raises(InputError, match='file_io_mode = "async"'):
        fileio(file_test_mode="rndrd").jobs("iodepth", 16, HERE)


def test_the_pattern_of_innodb_follows_its_settings() -> None:
    def jobs(kind: LoadKind = "rate", point: float = 1280, **options: Any) -> dict[str, StorageJob]:
        return {job.name: job for job in StudyLoad("innodb-pattern", options).jobs(kind, point, HERE)}

    usual = jobs()
    assert set(usual) == {"reads", "redo", "pages", "doublewrite"}
    assert usual["pages"].arrivals.rate == 1280
    assert usual["pages"].io == Io(kind="libaio", direct=True)
    assert usual["doublewrite"].arrivals.rate == 10  # batches of 128 pages
    assert usual["doublewrite"].access.write_blocks == 128 * 16384
    assert usual["redo"].sync == SyncEach(writes=1)
    assert usual["redo"].arrivals is None
    assert jobs(innodb_flush_log_at_trx_commit=2, commits_per_s=500)["redo"].sync == SyncEach(writes=500)
    assert "doublewrite" not in jobs(innodb_doublewrite=False)
    assert jobs(innodb_flush_method="fsync")["pages"].io.direct is False
    assert jobs(innodb_flush_method="O_DIRECT_NO_FSYNC")["pages"].sync is None
    readers = jobs("threads", 16, innodb_page_size="4k", innodb_io_capacity=200)
    assert readers["reads"].clones == 16
    assert readers["reads"].access.read_blocks == 4096
    assert readers["pages"].arrivals.rate == 200


def test_steady_is_what_snia_calls_so() -> None:
    level = [100.0, 104, 97, 101, 99]
    assert steady_state(level).reached
    assert steady_state([500.0, 300, *level]).reached  # only the last five rounds count
    assert not steady_state(level[:4]).reached
    assert not steady_state([100.0, 100, 121, 100, 100]).reached  # a range of more than 20 %
    falling = steady_state([106.0, 103, 100, 97, 94])  # within 20 %, but moving by 12 %
    assert not falling.reached
    assert falling.range == pytest.approx(0.12)
    assert falling.slope == pytest.approx(-0.12)
    assert not steady_state([0.0] * 5).reached


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (fio(), "one after the other, but a load point can run only one"),
        (fio(section="raeds"), 'no job raeds; did you mean "reads"'),
        (fio(section="reads", iodpeth=4), 'workload.iodpeth: fio has no such option.*"iodepth"'),
        (fio(section="reads", iodepth=4), r"workload.iodepth: \[load\] iodepth sets it"),
        (fio(section="reads", runtime=4), r"workload.runtime: cannot be set here; set \[load\]"),
        (fio(section="reads", directory="/"), r"cannot be set here; set \[storage\] directory"),
        (fio(section="reads", bs="many"), "workload.bs: bs=many"),
        (
            fio("[a]\nfilename=/dev/sda\nsize=1m\n"),
            "filename /dev/sda cannot be a device: .* would destroy the contents",
        ),
        (fio("[a]\nfilename=../x\nsize=1m\n"), "x cannot be used in a study"),
        (fio("[a]\nsize=${SIZE}\n"), r"two.fio:2: \$\{SIZE\}: a study cannot read the environment"),
        (fio("include ${HERE}.fio\n"), r"two.fio:1: \$\{HERE\}: a study cannot read the environment"),
        (fio("include two.fio\n"), "two.fio: files include each other in a cycle"),
        (
            fio("[a]\nsize=1m\nverify=crc32c\n"),
            "two.fio:3: verify cannot be used in a study: a second write to a block",
        ),
        (fileio(), "workload.file_test_mode is missing"),
        (fileio(file_test_mode="rndrx"), "workload.file_test_mode: rndrx: expected one of seqwr"),
        (fileio(file_test_mode="rndrd", file_nmu=3), 'file_nmu: fileio has no such option.*"file_num"'),
        (
            fileio(file_test_mode="rndrd", file_extra_flags="o_direct"),
            "sync, dsync, direct separated by commas",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_key(load: StudyLoad, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load.jobs("iodepth", 1, HERE)
