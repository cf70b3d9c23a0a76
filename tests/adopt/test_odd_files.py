"""Files in other encodings, with other signs in numbers, of any name: read as what they say, or refused."""

from __future__ import annotations

import json
import math
import os
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import audit_files, bring_in, read_file
from printed_texts import OUTPUTS

FIO = json.loads((OUTPUTS / "fio-reads.json").read_text())
V10 = (OUTPUTS / "sysbench-oltp-read-write.txt").read_text()


def cells(tmp_path: Path, content: bytes) -> list[float]:
    """The figures of a CSV file as the import stores them."""
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    return [one.value for found in read_file(file).results for one in found.printed.figures]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso8859-15"])
@pytest.mark.parametrize("words", ["Débit", "25 °C", "Größe", "naïve Lösung", "créée à 5 µs"])
def test_western_text_of_one_byte_a_character_is_read_and_said(
    tmp_path: Path, words: str, encoding: str
) -> None:
    file = tmp_path / "printed.txt"
    file.write_bytes(f"{V10}\n{words}\n".encode(encoding))
    plain = tmp_path / "plain.txt"
    plain.write_text(V10)
    found = read_file(file)
    assert any("read as Windows-1252" in one for one in found.account.decoded)
    figures = [[one.value for one in read.results[0].printed.figures] for read in (found, read_file(plain))]
    assert figures[0] == figures[1]


_ODD = ("-5", "nan", "inf", "-nan", "1e999", "9" * 400, "9" * 25, "1_000", "²", "", "N/A", "1,234.5", "0x10")
_OF_TOOLS = sorted([*OUTPUTS.iterdir(), *(OUTPUTS.parent / "forms").iterdir()])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("printed", _OF_TOOLS, ids=lambda path: str(path.name))
def test_an_odd_number_anywhere_is_left_over_or_refused(tmp_path: Path, printed: Path) -> None:
    text = printed.read_text()
    numbers = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?", text))
    draw = random.Random(printed.name)
    file = tmp_path / f"odd{printed.suffix}"
    for found in draw.sample(numbers, min(len(numbers), 6)):
        for odd in _ODD:
            file.write_text(text[: found.start()] + odd + text[found.end() :])
            with suppress(InputError):  # and no other error
                results = read_file(file, 1.0).results
                assert all(math.isfinite(one.value) for read in results for one in read.printed.figures)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("线程数,TPS\n8,100\n", "gbk"),
        ("次,TPS\n8,100\n", "gb18030"),
        ("スレッド,TPS\n8,100\n", "shift_jis"),
        ("平均,TPS\n8,100\n", "euc-jp"),
        ("執行緒,TPS\n8,100\n", "big5"),
        ("스레드,TPS\n8,100\n", "euc-kr"),
        ("потоки,TPS\n8,100\n", "cp1251"),
        ("потоки,TPS\n8,100\n", "koi8-r"),
        ("νήματα,TPS\n8,100\n", "iso8859-7"),
        ("┌──┬──┐\n│ 8│ 9│\n", "cp437"),
    ],
)
def test_text_in_any_other_encoding_is_refused_with_what_to_do(
    tmp_path: Path, text: str, encoding: str
) -> None:
    (tmp_path / "table.csv").write_bytes(text.encode(encoding))
    with pytest.raises(InputError) as refused:
        read_file(tmp_path / "table.csv")
    assert "table.csv:" in refused.value.message
    assert "expected UTF-8 text" in refused.value.message
    assert "iconv -f ENCODING -t UTF-8" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ("8;1.000,5;0,83\n16;2.000,5;1,25", [1000.5, 0.83, 2000.5, 1.25]),
        ("8;1.000;0,83\n16;2.500;1,25", [1000, 0.83, 2500, 1.25]),
        ("8;1.000.000;0,83\n16;2.500;1,25", [1000000, 0.83, 2500, 1.25]),
        ("8;1.250;0.500\n16;2.500;1.250", [1.25, 0.5, 2.5, 1.25]),
        ("8;1250.125;1.500\n16;2500.250;1.250", [1250.125, 1.5, 2500.25, 1.25]),
        ("8;1'000.5;1.5\n16;2'500;2.25", [1000.5, 1.5, 2500, 2.25]),
        ("8;1’000;1.5\n16;2’500;2.25", [1000, 1.5, 2500, 2.25]),
        ("8;1\u00a0000,5;1,5\n16;2\u202f500;2,25", [1000.5, 1.5, 2500, 2.25]),
        ("8;1 000;1,5\n16;2\u2009500;2,25", [1000, 1.5, 2500, 2.25]),
    ],
)
def test_numbers_mean_what_the_whole_table_shows(tmp_path: Path, rows: str, values: list[float]) -> None:
    assert cells(tmp_path, f"threads;tps;p95_ms\n{rows}\n".encode()) == pytest.approx(values)


def test_points_that_can_mean_both_are_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2: 1\.000 can mean 1000, or a number with three decimals"):
        cells(tmp_path, b"threads;tps\n8;1.000\n16;1.900\n")
    assert cells(tmp_path, b"threads,tps\n8,1.250\n16,1.900\n") == [1.25, 1.9]


def test_lines_may_end_with_a_carriage_return_alone(tmp_path: Path) -> None:
    assert cells(tmp_path, b"threads,tps\r8,100.5\r16,200.5\r") == [100.5, 200.5]


def test_the_head_of_a_table_is_not_left_over(tmp_path: Path) -> None:
    for name, text in {
        "wide.csv": "threads,tps\n8,100\n16,200\n",
        "pasted.md": "| threads | tps |\n|---|---|\n| 8 | 100 |\n| 16 | 200 |\n",
    }.items():
        (tmp_path / name).write_text(text)
        assert read_file(tmp_path / name).account.left_lines == 0, name


@pytest.mark.parametrize("page", ["<!DOCTYPE html><pre>{}</pre>", "<html>\n{}", "\n<table>{}</table>"])
def test_a_page_in_html_is_said_to_be_one(tmp_path: Path, page: str) -> None:
    (tmp_path / "page.txt").write_text(page.format(V10))
    for read in (read_file, lambda path: audit_files([path])):
        with pytest.raises(InputError, match=r"page\.txt: is a page in HTML"):
            read(tmp_path / "page.txt")


def fio(tmp_path: Path, change: Any) -> Path:
    found = json.loads(json.dumps(FIO))
    change(found)
    file = tmp_path / "fio.json"
    file.write_text(json.dumps(found))
    return file


@pytest.mark.parametrize("value", ["9" * 400, "-5", "1e999", "NaN", '"5"', "null", "[]", "true"])
def test_a_value_that_is_no_figure_is_named_by_import_and_audit(tmp_path: Path, value: str) -> None:
    file = fio(tmp_path, lambda found: found["jobs"][0]["read"].update(iops="HERE"))
    file.write_text(file.read_text().replace('"HERE"', value))
    for read in (read_file, lambda path: audit_files([path])):
        with pytest.raises(InputError, match=r"fio\.json: jobs\[0\]\.read\.iops: expected"):
            read(file)


@pytest.mark.parametrize(
    "double",
    ['"jobs": [], "jobs":', '"jobs": [{"read": {}}], "jobs":', '"jobs": 5, "jobs":', '"jobs": {}, "jobs":'],
)
def test_two_values_under_one_key_are_not_chosen_from(tmp_path: Path, double: str) -> None:
    text = json.dumps(FIO).replace('"jobs":', double, 1)
    (tmp_path / "fio.json").write_text(text)
    with pytest.raises(InputError, match=r"fio\.json:1: .* two different values of jobs"):
        read_file(tmp_path / "fio.json")


def test_options_that_fio_repeats_are_no_fault(tmp_path: Path) -> None:
    text = json.dumps(FIO).replace('"rw":', '"rw": "read", "rw":', 1)
    (tmp_path / "fio.json").write_text(text)
    assert len(read_file(tmp_path / "fio.json").results) == 1


def of_servers(found: dict[str, Any]) -> None:
    """The form of `fio --client`: the jobs of two servers, then their sum."""
    (job,) = found.pop("jobs")
    found["global options"] = [
        {"hostname": host, "port": 8765, "bs": "16k", "size": size} for host, size in (("a", 1), ("b", 2))
    ]
    found["client_stats"] = [{**job, "hostname": host, "port": 8765} for host in ("a", "b")]
    found["client_stats"].append({**job, "jobname": "All clients", "hostname": "b", "port": 8765})


def test_jobs_of_several_servers_count_once(tmp_path: Path) -> None:
    (found,) = read_file(fio(tmp_path, of_servers)).results
    figures = {one.name: one.value for one in found.printed.figures}
    iops = FIO["jobs"][0]["read"]["iops"]
    assert figures["iops"] == pytest.approx(2 * iops)
    assert figures["a.reads.iops"] == figures["b.reads.iops"] == iops
    assert found.settings["bs"] == "16k"
    assert "hostname" not in found.settings


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [b"t\xff.csv", b"t\x1b[31m\n.csv", b"n" * 251 + b".csv", "\u202etsv.csv".encode(), b"-x.csv"]
)
def test_a_file_of_any_name_is_brought_in(tmp_path: Path, name: bytes) -> None:
    file = tmp_path / os.fsdecode(name)
    file.write_text("threads,tps\n8,100\n16,200\n")
    found = bring_in([file], tmp_path / "results", [f"from={os.fsdecode(name)}"])
    assert [run.load.value for run in found.runs] == [8, 16]
    written = (tmp_path / "results/study.toml").read_text()
    assert not set("\x1b\u202e") & set(written)


def test_text_that_no_file_can_hold_is_said(tmp_path: Path) -> None:
    file = fio(tmp_path, lambda found: found["jobs"][0].update(jobname="\ud800"))
    with pytest.raises(InputError, match=r"fio\.json cannot be read: it is not UTF-8 text"):
        bring_in([file], tmp_path / "results")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("name", ["variables.tsv", "variables-table.txt", "variables-rows.txt"])
def test_answers_of_two_servers_are_not_merged(tmp_path: Path, name: str) -> None:
    text = (OUTPUTS / name).read_text()
    file = tmp_path / name
    file.write_text(text * 2)
    (once,) = read_file(file).beside  # the same answer twice says nothing else
    variable, value = next((key, value) for key, value in once.variables.items() if value.isdecimal())
    file.write_text(text + text.replace(value, f"{value}7"))
    with pytest.raises(InputError, match=rf"(?i){variable} = {value} again"):
        read_file(file)
