"""What is in a file is used, or is counted and named: results, lines, and what was decoded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import Adopted, read_file
from printed_texts import FORMS, OUTPUTS, TPCC_MYSQL, V04, V05

FIO = (OUTPUTS / "fio-reads.txt").read_text()
FIO_JSON = (OUTPUTS / "fio-reads.json").read_text()
GROUPS = (OUTPUTS / "fio-groups.txt").read_text()
LINKBENCH = (FORMS / "linkbench.txt").read_text()
LINKBENCH_CSV = (FORMS / "linkbench-stats.csv").read_text()
STREAM = (FORMS / "linkbench-stream.csv").read_text()
VMSTAT, IOSTAT, TOP = (
    (OUTPUTS / name).read_text() for name in ("vmstat-t.txt", "iostat-xt.txt", "top-b.txt")
)
MY_CNF = "[mysqld]\ninnodb_io_capacity = 2000\nskip-name-resolve\n"
OLD_TPCC = TPCC_MYSQL.replace(
    re.search(r"(?m)^  10, trx.*\n  20, trx.*$", TPCC_MYSQL)[0],  # type: ignore[index]
    "  10, 120(0):0.401|0.512, 121(0):0.081|0.102, 12(0):0.051|0.060, 12(0):0.550|0.560, 12(0):0.201|0.210",
)


def written(folder: Path, text: str, name: str = "a.txt") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def figures(found: Adopted) -> dict[str, float]:
    return {one.name: one.value for one in found.printed.figures}


RESULTS = {
    "sysbench-0.5": V05,
    "sysbench-0.4": V04,
    "sysbench-1.0": (OUTPUTS / "sysbench-oltp-read-write.txt").read_text(),
    "sysbench-histogram": (OUTPUTS / "sysbench-update-index-histogram.txt").read_text(),
    "sysbench-fileio": (OUTPUTS / "sysbench-fileio-rndrw.txt").read_text(),
    "fio": FIO,
    "fio-groups": GROUPS,
    "fio-json": FIO_JSON,
    "tpcc-mysql": TPCC_MYSQL,
    "tpcc-mysql-old": OLD_TPCC,
    "linkbench": LINKBENCH,
    "linkbench-stats": LINKBENCH_CSV,
    "linkbench-stream": STREAM,
    "hammerdb": (FORMS / "hammerdb.txt").read_text(),
    "hammerdb-job": (FORMS / "hammerdb-job.json").read_text(),
    "benchbase-json": (FORMS / "benchbase-summary.json").read_text(),
    "benchbase-results": (FORMS / "benchbase-results.csv").read_text(),
    "ycsb": (FORMS / "ycsb.txt").read_text(),
    "mysqlslap": (OUTPUTS / "mysqlslap.txt").read_text(),
    "mysqlslap-csv": (OUTPUTS / "mysqlslap.csv").read_text(),
}
LOGS = {
    "vmstat": VMSTAT,
    "iostat": IOSTAT,
    "top": TOP,
    "my.cnf": MY_CNF,
    "variables": (OUTPUTS / "variables.tsv").read_text(),
}


@pytest.mark.parametrize("between", ["", "\n$ ./next.sh --size 4\n"])
@pytest.mark.parametrize("name", RESULTS)
def test_results_one_after_another_are_as_many_runs(tmp_path: Path, name: str, between: str) -> None:
    alone = read_file(written(tmp_path / "one", RESULTS[name])).results
    both = read_file(written(tmp_path / "two", f"{RESULTS[name].rstrip()}\n{between}{RESULTS[name]}"))
    assert [figures(one) for one in both.results] == [figures(one) for one in alone] * 2
    assert both.account.left_lines == bool(between)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_that_was_cut_short_is_named_beside_the_others(tmp_path: Path, name: str) -> None:
    whole = RESULTS[name]
    alone = read_file(written(tmp_path / "one", whole)).results
    lines = whole.splitlines()
    cut = "\n".join(lines[: len(lines) * 2 // 5])
    both = read_file(written(tmp_path / "two", f"{whole.rstrip()}\n{cut}\n"))
    wanted = [figures(one) for one in alone]
    kept = [figures(one) for one in both.results]
    assert kept[: len(alone)] == wanted
    if name in ("linkbench-stream", "benchbase-results", "mysqlslap-csv", "hammerdb-job"):
        return  # no line says that more should follow
    assert all(one in wanted for one in kept)
    assert both.account.left_runs or both.account.left_lines


@pytest.mark.parametrize("name", [*RESULTS, *LOGS])
def test_a_foreign_line_anywhere_is_named_or_refused(tmp_path: Path, name: str) -> None:
    text = {**RESULTS, **LOGS}[name]
    alone = read_file(written(tmp_path, text))
    before = (alone.results, alone.beside)
    lines = text.splitlines()
    foreign = "FATAL: thread 7 has lost 12.5 connections!"
    step = max(1, len(lines) // 7)
    said = 0
    for at in range(0, len(lines) + 1, step):
        path = written(tmp_path, "\n".join([*lines[:at], foreign, *lines[at:]]) + "\n")
        try:
            found = read_file(path)
        except InputError as error:
            if re.search(r"a\.txt:\d+|FATAL", str(error)) is None:
                raise
            continue
        said += 1
        assert [one.text for one in found.account.named] == [foreign], at
        assert found.account.left_bytes == len(foreign)
        assert [len(one) for one in (found.results, found.beside)] == [len(one) for one in before]
        assert [figures(one) for one in found.results] == [figures(one) for one in alone.results]
    assert said > (0 if "json" in name else len(lines) // step // 2)


@pytest.mark.parametrize("name", [*RESULTS, *LOGS])
def test_whole_outputs_leave_nothing_over(tmp_path: Path, name: str) -> None:
    account = read_file(written(tmp_path, {**RESULTS, **LOGS}[name])).account
    assert (account.left_runs, account.named, account.left_bytes) == ((), (), 0)


INTERVALS = """\
1,8,100.00,2000.00,1400.00,400.00,200.00,90.00,0.00,0.00
2,8,110.00,2200.00,1540.00,440.00,220.00,88.00,1.00,0.00
"""
OBJECT = """  {{
    "time":    {end},
    "threads": 8,
    "tps": {tps}.00,
    "qps": {{
      "total": {tps}0.00,
      "reads": 1400.00,
      "writes": 400.00,
      "other": 200.00
    }},
    "latency": {tail}.00,
    "errors": 1.00,
    "reconnects": 0.00
  }}"""
OBJECTS = f"[\n{OBJECT.format(end=1, tps=100, tail=90)},\n{OBJECT.format(end=2, tps=110, tail=88)}"


@pytest.mark.parametrize("intervals", [INTERVALS, OBJECTS], ids=["csv", "json"])
def test_intervals_of_the_hooks_of_sysbench(tmp_path: Path, intervals: str) -> None:
    text = re.sub(r"(?m)^\[ .*\n", "", RESULTS["sysbench-1.0"])
    text = text.replace("Threads started!\n\n", f"Threads started!\n\n{intervals}\n") + "\n]\n"
    found = read_file(written(tmp_path, text))
    assert [(one.t_s, one.seconds, one.tps, one.p95_ms) for one in found.results[0].printed.intervals] == [
        (0, 1, 100, 90),
        (1, 1, 110, 88),
    ]
    assert {one.name for one in found.results[0].printed.series} >= {"reads_per_s", "errors_per_s"}
    assert found.account.is_whole
    assert "seconds" not in found.results[0].unknown


ERRORS = "     errors    : total=3, first_error=5/<Input/output error>\n"
SLAT = """    slat percentiles (nsec):
     |  1.00th=[ 1900], 50.00th=[ 2600], 95.00th=[ 3100], 99.00th=[ 3500],
     | 99.90th=[ 5000], 99.99th=[ 9000]
"""


@pytest.mark.parametrize(
    ("name", "change", "wanted"),
    [
        ("fio", lambda t: t.replace("    clat p", f"{SLAT}    clat p", 1), {"read_submit_p95_ms": 0.0031}),
        ("fio", lambda t: t.replace("     latency ", f"{ERRORS}     latency ", 1), {"errors": 3}),
        ("fio", lambda t: re.sub(r"BW=\S+", "BW=8Mibit/s", t, count=1), {"read_mib_per_s": 1}),
        ("fio", lambda t: re.sub(r"BW=\S+", "BW=1049kB/s", t, count=1), {"read_mib_per_s": 1049000 / 2**20}),
        ("tpcc-mysql", lambda t: t.replace("avg_rt: 31.2", "avg_rt: -nan"), {"new_order.mean_ms": None}),
        ("tpcc-mysql", lambda t: t.replace("99.58%", "-nan%"), {"new_order.in_time_pct": None, "tpmc": 7200}),
        ("sysbench-1.0", lambda t: t.replace("tps: 913.94", "tps: nan"), {"tps": 236.7}),
        ("linkbench-stats", lambda t: t.replace(",31.25,0.52", ",31.25"), {"get_links_list.count": None}),
    ],
)  # fmt: skip
def test_what_tools_print_now_and_then_costs_no_more_than_its_line(
    tmp_path: Path, name: str, change: Callable[[str], str], wanted: dict[str, float | None]
) -> None:
    assert change(RESULTS[name]) != RESULTS[name]
    found = read_file(written(tmp_path, change(RESULTS[name])))
    known = figures(found.results[0])
    for figure, value in wanted.items():
        assert known.get(figure) == (None if value is None else pytest.approx(value)), figure


def test_old_intervals_of_tpcc_mysql(tmp_path: Path) -> None:
    (found,) = read_file(written(tmp_path, OLD_TPCC)).results
    series = {one.name: one.value for one in found.printed.series}
    assert (series["new_order.tps"], series["new_order.p90_ms"], series["payment.max_ms"]) == (
        [12.0],
        [401],
        [102],
    )


def test_intermediate_results_of_one_run_of_fio_are_one_run(tmp_path: Path) -> None:
    head, body = re.split(r"(?m)(?=^\w+: \(groupid)", FIO, maxsplit=1)
    early = re.sub(r"/(\d+)msec\)", "/1msec)", body)
    found = read_file(written(tmp_path, head + early + body))
    assert [figures(one) for one in found.results] == [
        figures(one) for one in read_file(written(tmp_path, FIO)).results
    ]
    assert "intermediate" in found.account.left_runs[0].why


@pytest.mark.parametrize(
    ("name", "spoil", "left"),
    [
        ("vmstat", lambda t: t.rstrip()[:-40], 1),
        ("vmstat", lambda t: t.replace("\n 4  0", "\n 4  x", 1), 1),
        ("iostat", lambda t: t.rstrip()[:-12], 1),
        ("iostat", lambda t: t.replace("vda  ", "vda  x ", 1), 1),
        ("top", lambda t: t.replace("load average: ", "load average: -", 1), 2),
        ("my.cnf", lambda t: t + "!includedir /etc/mysql/conf.d/\n", 1),
        ("my.cnf", lambda t: t + "innodb io = 3\n", 1),
        ("my.cnf", lambda t: t + "validate_password.policy = LOW\n[mysqld@r1]\nport = 1\n", 0),
        ("my.cnf", lambda t: t + "[mysqld@r1]\nport = 1\n[mysqld@r2]\nport = 2\n", 2),
    ],
)
def test_a_damaged_row_of_a_log_is_left_over(
    tmp_path: Path, name: str, spoil: Callable[[str], str], left: int
) -> None:
    found = read_file(written(tmp_path, spoil(LOGS[name])))
    assert found.account.left_lines == left
    assert len(found.beside) == 1


def test_logs_one_after_another_are_as_many_logs(tmp_path: Path) -> None:
    later = VMSTAT.replace("23:44:", "23:59:")
    for text, logs in ((VMSTAT + later, 2), (IOSTAT + IOSTAT, 2), (VMSTAT, 1)):
        found = read_file(written(tmp_path, text))
        assert (len(found.beside), found.account.is_whole) == (logs, True)
    rows = VMSTAT.splitlines()
    page = [rows[0], rows[1], *[re.sub(r" \d{4}-.*", "", rows[2])] * 21]
    assert len(read_file(written(tmp_path, "\n".join(page * 3)), 1.0).beside) == 1
