"""Studies of files: what they are without a server, and what is refused, with its key."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import make_plan
from assay.design.study import Study, parse_study, study_hash

HEAD = '[study]\nname = "s"\n[workload]\n'
FILEIO = HEAD + 'use = "fileio"\nfile_test_mode = "rndrd"\n'
LOAD = "[load]\nthreads = [1]\n"


def study(text: str, here: Path = Path("/nowhere")) -> Study:
    return parse_study(text, here / "s.toml")


def test_it_needs_no_server_and_has_headlines_of_its_own() -> None:
    found = study(FILEIO + LOAD)
    assert found.subject.kind == "storage"
    assert found.server.use == "none"
    assert found.headlines == ("iops", "mib_per_s", "p95_ms", "p99_ms")
    assert study(FILEIO + LOAD + '[server]\nuse = "none"\n') == found


def test_the_job_file_is_part_of_the_study(tmp_path: Path) -> None:
    text = HEAD + 'use = "fio:j.fio"\n' + LOAD
    (tmp_path / "j.fio").write_text("[a]\nsize=1m\n")
    first = study(text, tmp_path)
    (tmp_path / "j.fio").write_text("[a]\nsize=2m\n")
    assert study_hash(first) != study_hash(study(text, tmp_path))
    (one,) = make_plan(first, seed=1).treatments
    assert one.storage is not None
    assert one.storage.text == "[a]\nsize=1m\n"


def test_what_a_job_file_includes_is_part_of_the_study(tmp_path: Path) -> None:
    text = HEAD + 'use = "fio:parts/j.fio"\n' + LOAD
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/j.fio").write_text("include sizes.fio ; of all\n[a]\nrw=write\n")
    (tmp_path / "parts/sizes.fio").write_text("[global]\nsize=1m\nbs=8k\n")
    first = study(text, tmp_path)
    assert set(first.workload.files) == {"fio:parts/j.fio", "parts/sizes.fio"}
    (one,) = make_plan(first, seed=1).treatments
    assert one.storage is not None
    (job,) = one.storage.jobs("threads", 1, tmp_path)
    assert (job.file_bytes, job.access.write_blocks) == (1 << 20, 8192)
    (tmp_path / "parts/sizes.fio").write_text("[global]\nsize=2m\n")
    assert study_hash(first) != study_hash(study(text, tmp_path))
    for elsewhere in ("/etc/passwd", "../s.fio"):
        (tmp_path / "parts/sizes.fio").write_text(f"include {elsewhere}\n")
        with pytest.raises(InputError, match="names no file beside the study"):
            study(text, tmp_path)
    (tmp_path / "parts/sizes.fio").write_text("include gone.fio\n")
    with pytest.raises(InputError, match=r'"fio:parts/j.fio": .*parts/gone.fio: cannot be read'):
        study(text, tmp_path)


def test_a_depth_in_a_claim_is_a_rung_or_a_level() -> None:
    depths = FILEIO + 'file_io_mode = "async"\n[load]\niodepth = [1, 8]\n'
    claim = '[[hypothesis]]\nclaim = "iops[iodepth=8] > iops[iodepth=1]"\n'
    (hypothesis,) = study(depths + claim).hypotheses
    assert str(hypothesis.claims[0]) == "iops[iodepth=8] > iops[iodepth=1]"
    with pytest.raises(InputError, match=r"iodepth=4 is not on the ladder \[1, 8\]"):
        study(depths + claim.replace("=8", "=4"))


def test_a_depth_that_is_varied_is_a_level(tmp_path: Path) -> None:
    (tmp_path / "j.fio").write_text("[a]\nsize=1m\n")
    factor = '[[factor]]\nname = "workload.iodepth"\nlevels = [1, 8]\n'
    claim = '[[hypothesis]]\nclaim = "iops[iodepth=8] > iops[iodepth=1]"\n'
    (hypothesis,) = study(HEAD + 'use = "fio:j.fio"\n' + LOAD + factor + claim, tmp_path).hypotheses
    assert "workload.iodepth=8" in str(hypothesis.claims[0])


def test_settings_of_the_machine_are_fixed_and_varied() -> None:
    fixed = "[host]\nvm.swappiness = 1\n"
    varied = '[[factor]]\nname = "host.block.scheduler"\nlevels = ["none", "mq-deadline"]\n'
    claim = '[[hypothesis]]\nclaim = "iops[scheduler=none] > iops[scheduler=mq-deadline]"\n'
    found = make_plan(study(FILEIO + LOAD + fixed + varied + claim), seed=1)
    assert [treatment.host for treatment in found.treatments] == [
        {"vm.swappiness": 1, "block.scheduler": "none"},
        {"vm.swappiness": 1, "block.scheduler": "mq-deadline"},
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            FILEIO + LOAD + '[server]\nuse = "mariadb"\n',
            r'server.use: "mariadb": a load on files' r" needs no server",
        ),
        (FILEIO + LOAD + '[server]\nmemory = "1G"\n', "server.memory: is for servers"),
        (FILEIO + LOAD + "[schema]\nindex = true\n", "schema.index: is for tables"),
        (FILEIO + LOAD + 'client = "tcp"\n', "load.client: is for servers"),
        (FILEIO + LOAD + "terminals = 10\n", "load.terminals: is for servers"),
        (FILEIO + LOAD + "generators = 2\n", "load.generators: is for servers"),
        (FILEIO + "[load]\niodepth = [2]\nterminals = 10\n", "load.terminals: is for servers"),
        (FILEIO + LOAD + "[host]\nvm.swappines = 1\n", 'did you mean "vm.swappiness"'),
        (FILEIO + LOAD + "[storage]\nrounds = 3\n", "storage.rounds: is too few"),
        (FILEIO + LOAD + '[storage]\ndirectory = "data"\n', 'storage.directory: "data" is not a directory'),
        (FILEIO + "[load]\nthreads = [1]\niodepth = [2]\n", "load.iodepth: cannot be combined with threads"),
        (FILEIO + "[load]\niodepth = [0]\n", "0 is not a queue depth"),
        (
            FILEIO + LOAD + '[[factor]]\nname = "server.variables.x"\nlevels = [1, 2]\n',
            '"server.variables.x" is for servers; of files workload.X, storage.X, host.X, volume.X can vary',
        ),
        (FILEIO + LOAD + '[[hypothesis]]\nclaim = "tps > 5 /s"\n', '"tps" is measured of servers'),
        (FILEIO + LOAD + '[[hypothesis]]\nclaim = "rndrd.tps > 5 /s"\n', '"tps" is measured of servers'),
        (HEAD + 'use = "fio:gone.fio"\n' + LOAD, "gone.fio: cannot be read: No such file"),
        (HEAD + 'use = "fio:../x.fio"\n' + LOAD, "names no file beside the study"),
        (HEAD + 'use = "select"\n' + LOAD + '[server]\nuse = "none"\n', '"none" is for loads on files'),
        (
            HEAD + 'use = "select"\n' + LOAD + '[server]\nuse = "mariadb"\n[storage]\npasses = 1\n',
            "storage.passes: is for loads on files",
        ),
        (
            HEAD + 'use = "select"\n[load]\niodepth = [1]\n[server]\nuse = "mariadb"\n',
            "load.iodepth: is for loads on files",
        ),
        (
            HEAD
            + 'use = "select"\n'
            + LOAD
            + '[server]\nuse = "mariadb"\n[[hypothesis]]\nclaim = "iops > 5 /s"\n',
            '"iops" is measured of files',
        ),
    ],
)
def test_what_does_not_fit_is_said_with_its_key(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        study(text)
