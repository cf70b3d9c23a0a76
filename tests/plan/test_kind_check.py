"""A claim about a kind of transactions, or a job, that does not exist is refused before load is spent."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import check_kinds, make_plan
from assay.design.study import parse_study
from assay.design.study.text.study_text import StudyText

CATALOGUE = [
    {"name": "tpcc", "kinds": ["new_order", "payment", "delivery"], "measures": [{"name": "tpmc"}]},
    {"name": "ycsb", "kinds": ["read", "update", "insert"]},
    {"name": "select", "kinds": []},
]
JOBS = "[global]\nsize=1m\n[reads]\nrw=randread\n[4k_mix]\nstonewall\nrw=randrw\n"
SECTIONS = '[[factor]]\nname = "workload.section"\nlevels = ["reads", "4k_mix"]\n'


def check(text: str, claim: str, here: Path = Path("/nowhere")) -> None:
    file = here / "s.toml"
    text = f"[study]\nname = 's'\n[load]\nthreads = [1, 2]\n{text}\n[[hypothesis]]\nclaim = '{claim}'\n"
    study = parse_study(text, file)
    check_kinds(study, make_plan(study, seed=1), CATALOGUE, StudyText(Path("s.toml")))


def on_server(use: str, claim: str) -> None:
    check(f'[server]\nuse = "mariadb"\n[workload]\nuse = "{use}"', claim)


def on_both(claim: str) -> None:
    workloads = '[[factor]]\nname = "workload.use"\nlevels = ["tpcc", "ycsb"]\n'
    threads = '[[factor]]\nname = "server.variables.innodb_purge_threads"\nlevels = [1, 4]\n'
    check(f'[server]\nuse = "mariadb"\n[workload]\n{threads}{workloads}', claim)


def test_kinds_that_are_there() -> None:
    on_server("tpcc", "new_order.p95_ms < 5 s")
    on_server("tpcc", "payment.p95/new_order.p95 < 1")
    on_server("select", "p95_ms < 5 s")


@pytest.mark.parametrize(
    ("use", "claim", "said"),
    [
        ("tpcc", "neworde.tps > 5", 'tpcc has no kind of transactions "neworde"; did you mean "new_order"?'),
        ("tpcc", "x.tps > 5", 'tpcc has no kind of transactions "x"; known: new_order, payment, delivery'),
        ("tpcc", "tps/paymen.tps < 1", 'tpcc has no kind of transactions "paymen"; did you mean "payment"?'),
        ("select", "read.tps > 5", 'select has no kinds of transactions, and so no "read"; the nearest is'),
    ],
)  # fmt: skip
def test_others_are_refused(use: str, claim: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        on_server(use, claim)
    assert caught.value.message.startswith(f"s.toml: hypothesis[0].claim: {said}")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith(f"{use} measures tps, qps, errors_per_s, mean_ms, min_ms, p50_ms")


def test_a_measure_that_is_another_workload_s_own_is_refused_with_the_nearest() -> None:
    on_server("tpcc", "tpmc > 5")
    with pytest.raises(InputError, match='select does not measure "tpmc"; the nearest is "tps"') as caught:
        on_server("select", "tpmc > 5")
    assert str(caught.value.hint).startswith("select measures tps, qps, errors_per_s, mean_ms")
    assert "tpmc" not in str(caught.value.hint)
    with pytest.raises(InputError, match='ycsb does not measure "tpmc"') as caught:
        on_both("tpmc > 5")
    assert caught.value.hint == "say which have it, as in tpmc[workload=tpcc]"
    on_both("tpmc[workload=tpcc] > 5")


def test_where_the_workload_is_varied_every_one_spoken_of_has_the_kind() -> None:
    on_both("read.tps[workload=ycsb, innodb_purge_threads=4] > 5")
    on_both("payment.tps[workload=tpcc]/tps[workload=tpcc] > 0.4")
    with pytest.raises(InputError, match='tpcc has no kind of transactions "read"') as caught:
        on_both("read.tps[innodb_purge_threads=4] > 5")
    assert caught.value.hint == "say which have it, as in read.tps[workload=ycsb]"
    with pytest.raises(InputError, match='ycsb has no kind of transactions "payment"'):
        on_both("payment.tps[workload=tpcc] > payment.tps[workload=ycsb]")


def test_jobs_are_those_of_the_job_file(tmp_path: Path) -> None:
    (tmp_path / "two.fio").write_text(JOBS)
    fio = f'[workload]\nuse = "fio:two.fio"\n{SECTIONS}'
    check(fio, "reads.iops[section=reads] > 5", tmp_path)
    check(fio, "4k_mix.p99[section=4k_mix] < 5 ms", tmp_path)
    with pytest.raises(InputError, match=r'fio:two\.fio has no job "reads"; known: 4k_mix') as caught:
        check(fio, "reads.iops > 5", tmp_path)
    assert caught.value.hint == "say which have it, as in reads.iops[section=reads]"
    with pytest.raises(InputError, match=r'fio:two\.fio has no job "read"; did you mean "reads"'):
        check(fio, "read.iops[section=reads] > 5", tmp_path)


def test_jobs_of_other_loads_on_files_have_names_too() -> None:
    check('[workload]\nuse = "innodb-pattern"', "redo.p99_ms < 5")
    check('[workload]\nuse = "fileio"\nfile_test_mode = "rndrd"', "rndrd.iops > 5")
    with pytest.raises(InputError, match='innodb-pattern has no job "page"; did you mean "pages"'):
        check('[workload]\nuse = "innodb-pattern"', "page.p99_ms < 5")
