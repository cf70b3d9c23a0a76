"""Logs of the machine, options files: what they add to a result, and to which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, read_manifest
from assay.experiments.adopt import bring_in, read_file
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.gate import write_pages
from assay.experiments.lab import judged
from assay.results.store import build_store, open_store
from printed_texts import OUTPUTS, V05

pytestmark = pytest.mark.usefixtures("undrawn")

VMSTAT, IOSTAT, TOP = (OUTPUTS / name for name in ("vmstat-t.txt", "iostat-xt.txt", "top-b.txt"))
MY_CNF = """\
# the server's own
[client]
port = 3306
[mysqld]
innodb_buffer_pool_size = 20G
innodb-io-capacity=2700   # of the RAID
skip-name-resolve
init_connect = 'SET NAMES utf8 # not a comment'
innodb_io_capacity = 2000
[mysqld-5.6]
innodb_flush_method = "O_DIRECT"
[mysqldump]
quick
"""


def beside(path: Path, every_s: float | None = None) -> CompanionFile:
    (found,) = read_file(path, every_s).beside
    return found


def test_vmstat_gives_every_column_and_means_without_the_first_reading() -> None:
    found = beside(VMSTAT)
    rows = [line.split() for line in VMSTAT.read_text().splitlines() if re.match(r"\s*\d+\s", line)]
    assert len(rows) == 4
    series = {(one.source, one.name): one for one in found.series}
    assert series["cpu", "procs_running"].value == [float(row[0]) for row in rows[1:]]
    assert series["cpu", "context_switches"].value == [float(row[11]) for row in rows[1:]]
    assert series["vmstat", "free"].value == [float(row[3]) for row in rows[1:]]
    assert series["vmstat", "free"].t_s == [1.0, 2.0, 3.0]
    known = {one.name: one for one in found.figures}
    assert known["iowait_pct"].value == sum(float(row[15]) for row in rows[1:]) / 3
    assert known["cpu_busy_pct"].value == sum(100 - float(row[14]) - float(row[15]) for row in rows[1:]) / 3
    assert known["run_queue"].how == "mean of r over 3 readings"


def test_iostat_gives_the_rates_of_busy_devices_and_the_processors() -> None:
    found = beside(IOSTAT)
    text = IOSTAT.read_text()
    rows = [line.split() for line in text.splitlines() if line.startswith("vda ")]
    series = {(one.source, one.name): one.value for one in found.series}
    assert series["disks", "vda.reads"] == [float(row[1]) for row in rows[1:]]
    assert series["disks", "vda.write_bytes"] == [float(row[8]) * 1024 for row in rows[1:]]
    assert series["disks", "vda.busy_us"] == pytest.approx([float(row[-1]) * 1e4 for row in rows[1:]])
    assert not any(name.startswith("loop0.") for _, name in series)
    shares = [line.split() for line in text.splitlines() if re.fullmatch(r"\s+[\d.]+( +[\d.]+){5}", line)]
    cores = 2
    assert series["cpu", "user_us"] == pytest.approx(
        [float(one[0]) / 100 * cores * 1e6 for one in shares[1:]]
    )
    known = {one.name: one.value for one in found.figures}
    assert known["disk_util_pct"] == pytest.approx(sum(float(row[-1]) for row in rows[1:]) / 2)
    assert known["cpu_busy_pct"] == pytest.approx(
        sum(100 - float(one[5]) - float(one[3]) for one in shares[1:]) / 2
    )


def test_top_gives_the_load_average() -> None:
    found = beside(TOP)
    loads = [float(one) for one in re.findall(r"load average: ([\d.]+)", TOP.read_text())]
    series = {(one.source, one.name): one for one in found.series}
    assert series["cpu", "load_1m"].value == loads
    known = {one.name: one.value for one in found.figures}
    assert known["load_average"] == sum(loads) / len(loads)
    waits = [float(one) for one in re.findall(r"([\d.]+) wa", TOP.read_text())]
    assert known["iowait_pct"] == sum(waits[1:]) / 2


def test_a_log_without_times_needs_the_time_between_readings(tmp_path: Path) -> None:
    log = tmp_path / "vmstat.log"
    log.write_text(re.sub(r" \d{4}-.*| -+timestamp-+| +UTC", "", VMSTAT.read_text()))
    with pytest.raises(InputError, match="its readings have no time") as raised:
        read_file(log)
    assert "--every" in str(raised.value.hint)
    assert beside(log, 10.0).series[0].t_s == [10.0, 20.0, 30.0]


def test_a_day_ends_between_two_readings(tmp_path: Path) -> None:
    log = tmp_path / "vmstat.log"
    times = iter(("23:59:58", "23:59:59", "00:00:00", "00:00:01"))
    log.write_text(re.sub(r"\d\d:\d\d:\d\d", lambda _: next(times), VMSTAT.read_text()))
    assert beside(log).series[0].t_s == [1.0, 2.0, 3.0]


def test_an_options_file_gives_the_variables_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text(MY_CNF)
    assert beside(file).variables == {
        "innodb_buffer_pool_size": "20G",
        "innodb_io_capacity": "2000",
        "skip_name_resolve": "ON",
        "init_connect": "SET NAMES utf8 # not a comment",
        "innodb_flush_method": "O_DIRECT",
    }


def test_logs_and_options_become_part_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(V05)
    (tmp_path / "my.cnf").write_text(MY_CNF)
    results = tmp_path / "results"
    files = [tmp_path / "run.txt", VMSTAT, IOSTAT, TOP, tmp_path / "my.cnf"]
    bring_in(files, results)
    folder = ResultsFolder(results)
    (run,) = folder.finished_runs()
    imported = read_manifest(run).imported
    assert imported is not None
    assert [(run.path / one.copy).read_bytes() for one in imported.sources] == [f.read_bytes() for f in files]
    assert {"other-programs", "defaults"} <= set(imported.unknown)
    assert not {"variables", "other-load"} & set(imported.unknown)
    build_store(folder)
    with open_store(folder) as store:
        found = dict(store.execute("SELECT measure, value FROM measures").fetchall())
        assert {"run_queue", "iowait_pct", "disk_util_pct", "load_average", "tps"} <= found.keys()
        key = "variables.innodb_io_capacity"
        assert store.execute("SELECT value FROM facts WHERE key = ?", [key]).fetchall() == [("2000",)]
        assert store.execute("SELECT count(*) FROM rates WHERE name = 'vda.reads'").fetchall() == [(2,)]
    with judged(folder) as judging:
        write_pages(judging, languages=("en",))
    assert (
        "vda" in (results / "charts" / "timeline-machine.csv").read_text()
        or "disk" in (results / "charts" / "timeline.csv").read_text()
    )


def test_a_log_belongs_to_one_result(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(V05)
    (tmp_path / "b.txt").write_text(V05.replace("304.12", "305.12"))
    with pytest.raises(InputError, match="belongs to one result, and 2 are given"):
        bring_in([tmp_path / "a.txt", tmp_path / "b.txt", VMSTAT], tmp_path / "results")
    with pytest.raises(InputError, match="whose result is missing"):
        bring_in([VMSTAT], tmp_path / "results")
    (tmp_path / "my.cnf").write_text(MY_CNF)
    files = [tmp_path / name for name in ("a.txt", "b.txt", "my.cnf")]
    added = bring_in(files, tmp_path / "results", are_repeats=True).runs
    assert [one.block for one in added] == [1, 2]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("\n".join(VMSTAT.read_text().splitlines()[:3]), "the second reading"),
        ("\n".join(IOSTAT.read_text().splitlines()[:12]), "the second report"),
        (TOP.read_text().replace(" id,", " idle,"), "unknown form: line 1 'top - 23:44:43"),
        ("[mysqld]\n!includedir /etc/mysql\n", "expected options of a server below [mysqld]"),
        ("[mysqld]\n[client]\nport = 1\n", "expected options of a server below [mysqld]"),
    ],
)
def test_a_spoilt_file_says_where(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "spoilt.log"
    file.write_text(content)
    with pytest.raises(InputError) as raised:
        read_file(file)
    assert says in raised.value.message
    assert "spoilt.log" in raised.value.message
