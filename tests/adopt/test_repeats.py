"""Repeats have done the same, and somebody says so: what differs is named as a factor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import bring_in
from printed_texts import FORMS, OUTPUTS, TPCC_MYSQL, V05

FIO = (OUTPUTS / "fio-reads.txt").read_text()
FIO_JSON = (OUTPUTS / "fio-reads.json").read_text()
STATS = (FORMS / "linkbench-stats.csv").read_text()


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert re.search(old, text), old
        text = re.sub(old, new, text)
    return text


LONGER = (
    ("20.0250s", "300.0250s"),
    ("6090 ", "91350 "),
    ("85260", "1278900"),
    ("24360", "365400"),
    ("12180", "182700"),
)
UNLIKE: list[tuple[str, tuple[tuple[str, str], ...], str]] = [
    (V05, ((r"(write:\s+)24360", r"\g<1>0"),), "its number of writes a transaction is 0, not 3.99"),
    (V05, ((r"(other:\s+)12180", r"\g<1>20"),), "number of other a transaction"),
    (
        V05,
        ((r"Number of threads: 16", "Number of threads: 16\nWarmup time: 9s"),),
        "warmup_s is 9, not unset",
    ),
    (V05, LONGER, "its time is 300.025 s, not 20.025 s"),
    (V05, (("sysbench 0.5", "sysbench 1.0.20"),), "its version of sysbench is 1.0.20, not 0.5"),
    (FIO, ((r"rw=\w+", "rw=randrw"),), "its rw is randrw"),
    (FIO, ((r"bs=\(R\) \S+", "bs=(R) 64.0KiB-64.0KiB,"),), "its bs is"),
    (FIO_JSON, ((r'("size" : )"\w+"', r'\g<1>"64g"'),), "its size is 64g, not 4m"),
    (FIO_JSON, ((r'("size" : )"(\w+)"', r'\g<1>"\g<2>",\n"sync" : "1"'),), "its sync is 1, not unset"),
    (TPCC_MYSQL, ((r"\[warehouse\]: 10", "[warehouse]: 100"),), "its warehouses is 100, not 10"),
    (TPCC_MYSQL, (("sc:2395 ", "sc:23 "),), "its share of new_order is 0.7"),
    (STATS, (("10142", "142"),), "its share of add_link is 0.9"),
]


@pytest.mark.parametrize(("text", "changes", "says"), UNLIKE, ids=[says for *_, says in UNLIKE])
def test_results_of_other_work_are_no_repeats(
    tmp_path: Path, text: str, changes: tuple[tuple[str, str], ...], says: str
) -> None:
    other = replaced(text, *changes)
    (tmp_path / "one.txt").write_text(text)
    (tmp_path / "other.txt").write_text(other)
    files = [tmp_path / "one.txt", tmp_path / "other.txt"]
    load = ["threads=4"] if text is STATS else []
    with pytest.raises(InputError, match="would be a repeat of") as raised:
        bring_in(files, tmp_path / "results", [*load, "disk=fast"], are_repeats=True)
    assert says in raised.value.message
    assert "--factor" in str(raised.value.hint)


def test_a_repeat_of_a_run_in_the_folder_is_compared_with_it(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.txt", "other.txt")]
    for file, text in zip(files, (V05, replaced(V05, (r"(write:\s+)24360", r"\g<1>0"))), strict=True):
        file.write_text(text)
    bring_in(files[:1], tmp_path / "results")
    with pytest.raises(InputError, match="its number of writes a transaction is 0"):
        bring_in(files[1:], tmp_path / "results", are_repeats=True)


def test_noise_is_no_other_work(tmp_path: Path) -> None:
    noisy = replaced(V05, (r"(read:\s+)85260", r"\g<1>85900"), ("304.12", "251.40"), ("20.0250s", "20.9s"))
    (tmp_path / "one.txt").write_text(V05)
    (tmp_path / "other.txt").write_text(noisy)
    added = bring_in(sorted(tmp_path.glob("*.txt")), tmp_path / "results", are_repeats=True)
    assert [one.block for one in added.runs] == [1, 2]


def test_several_files_of_one_load_need_a_word(tmp_path: Path) -> None:
    names = ("mariadb-11.4.10-16thr.txt", "mysql-8.4.8-16thr.txt")
    files = [tmp_path / name for name in names]
    for number, file in enumerate(files):
        file.write_text(V05.replace("304.12", f"30{number}.12"))
    with pytest.raises(InputError, match="nothing says how they differ") as raised:
        bring_in(files, tmp_path / "results")
    hint = str(raised.value.hint)
    assert "--repeats" in hint
    assert "mariadb-11.4.10, mysql-8.4.8" in hint
    bring_in(files[:1], tmp_path / "results")
    with pytest.raises(InputError, match="nothing says how they differ"):
        bring_in(files[1:], tmp_path / "results")
    added = bring_in(files, tmp_path / "named", ["server"]).runs
    assert [one.treatment for one in added] == ["server=mariadb-11.4.10", "server=mysql-8.4.8"]
    assert [one.block for one in bring_in(files, tmp_path / "two", are_repeats=True).runs] == [1, 2]
    assert [one.block for one in bring_in(files, tmp_path / "three", ["disk=fast"]).runs] == [1, 2]


def test_results_of_one_file_are_repeats_unless_they_differ(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").write_text(f"{V05}\n{V05.replace('304.12', '298.50')}")
    assert [one.block for one in bring_in([tmp_path / "loop.txt"], tmp_path / "results").runs] == [1, 2]


def test_other_settings_of_the_server_are_no_repeats(tmp_path: Path) -> None:
    for name, rate, size in (("a", "304.12", "2G"), ("b", "301.12", "2G"), ("c", "300.12", "20G")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.txt").write_text(V05.replace("304.12", rate))
        cnf = f"[mysqld]\ninnodb_buffer_pool_size={size}\nserver_id={ord(name)}\n"
        (tmp_path / name / "my.cnf").write_text(cnf)
    for name in ("a", "b"):
        files = [tmp_path / name / one for one in ("run.txt", "my.cnf")]
        bring_in(files, tmp_path / "results", are_repeats=True)
    files = [tmp_path / "c" / one for one in ("run.txt", "my.cnf")]
    with pytest.raises(InputError, match="its server's innodb_buffer_pool_size is 20G, not 2G"):
        bring_in(files, tmp_path / "results", are_repeats=True)
