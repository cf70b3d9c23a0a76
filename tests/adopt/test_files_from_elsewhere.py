"""Outputs as people send them: packed, in UTF-16, with colours, quoted, from the log of a container."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import audit_files, read_file
from packings import by_zstd, zipped
from printed_texts import OUTPUTS, V05

TABLE = "| Threads | TPS | QPS |\n|---|---|---|\n| 8 | 100.5 | 2000.5 |\n| 16 | 180.5 | 3600.5 |\n"
TEXTS = {
    "sysbench": (OUTPUTS / "sysbench-oltp-read-write.txt").read_text(),
    "fio-json": (OUTPUTS / "fio-reads.json").read_text(),
    "vmstat": (OUTPUTS / "vmstat-t.txt").read_text(),
    "table": TABLE,
}


def each_line(form: str) -> Callable[[str], bytes]:
    """Puts a text before each line; `{n}` counts seconds."""

    def change(text: str) -> bytes:
        lines = text.splitlines()
        return "".join(f"{form.format(n=number % 60)}{line}\n" for number, line in enumerate(lines)).encode()

    return change


def coloured(text: str) -> bytes:
    return re.sub(r"(\d+\.\d+)", "\x1b[1;32m\\1\x1b[0m", text).encode()


HOW: dict[str, tuple[Callable[[str], bytes], str]] = {
    "utf-16": (lambda t: t.encode("utf-16"), "read as UTF-16"),
    "utf-16-no-mark": (lambda t: t.encode("utf-16-le"), "read as UTF-16"),
    "bom": (lambda t: t.encode("utf-8-sig"), ""),
    "windows": (lambda t: t.replace("\n", "\r\n").encode(), ""),
    "gzip": (lambda t: gzip.compress(t.encode()), "unpacked with gzip"),
    "bzip2": (lambda t: bz2.compress(t.encode()), "unpacked with bzip2"),
    "xz": (lambda t: lzma.compress(t.encode()), "unpacked with xz"),
    "zstd": (lambda t: by_zstd(t.encode()), "unpacked with zstd"),
    "zip": (lambda t: zipped(t.encode()), "unpacked with zip"),
    "gzip-of-utf-16": (lambda t: gzip.compress(t.encode("utf-16")), "read as UTF-16"),
    "colours": (coloured, "colours"),
    "quoted": (each_line("> "), "quoted lines"),
    "quoted-twice": (each_line("> > "), "quoted lines"),
    "docker": (each_line("2026-03-01T10:00:{n:02}.123456789Z "), "time stamps"),
    "compose": (each_line("bench-1  | "), "names of containers"),
    "cri": (each_line("2026-03-01T10:00:{n:02}.123456789+00:00 stdout F "), "time stamps"),
    "journal": (each_line("Mar 01 10:00:{n:02} host7 bench.sh[1234]: "), "time stamps"),
    "ts": (each_line("[2026-03-01 10:00:{n:02}] "), "time stamps"),
    "clock": (each_line("10:00:{n:02} "), "time stamps"),
    "actions": (each_line("bench\tRun sysbench\t2026-03-01T10:00:{n:02}.1234567Z "), "time stamps"),
    "commented": (each_line("# "), "comment signs"),
}  # fmt: skip


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", TEXTS)
def test_a_changed_file_has_the_figures_of_the_plain_one(tmp_path: Path, name: str, how: str) -> None:
    change, said = HOW[how]
    if how == "colours" and name in ("fio-json", "vmstat"):
        return
    (tmp_path / "plain.txt").write_text(TEXTS[name])
    (tmp_path / "changed.txt").write_bytes(change(TEXTS[name]))
    if name == "table":
        cells = [audit_files([tmp_path / one]) for one in ("plain.txt", "changed.txt")]
        assert cells[0].figures == cells[1].figures == 4
        assert any(said in one for one in (*cells[1].decoded, ""))
        return
    plain, changed = (read_file(tmp_path / one, 1.0) for one in ("plain.txt", "changed.txt"))
    for one, other in zip(plain.results, changed.results, strict=True):
        assert [(a.name, a.value, a.place) for a in one.printed.figures] == [
            (a.name, a.value, a.place) for a in other.printed.figures
        ]
        assert len(one.printed.intervals) == len(other.printed.intervals)
    logs = [[(a.name, a.value) for one in file.beside for a in one.figures] for file in (plain, changed)]
    assert logs[0] == logs[1]
    assert [one.variables for one in plain.beside] == [one.variables for one in changed.beside]
    assert changed.account.left_lines == plain.account.left_lines == 0
    assert any(said in one for one in (*changed.account.decoded, ""))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gzip.compress(V05.encode())[:-30], "it is damaged or cut"),
        (b"PK\x03\x04" + bytes(30), "it is damaged or cut (File is not a zip file)"),
        (V05.encode() + b"\xff\xfe", "expected UTF-8 text, found the byte 0xff"),
        (V05.encode("utf-16")[:-1], "cannot be read as text in UTF-16"),
    ],
    ids=["gzip", "zip", "utf-8", "utf-16"],  # what gzip makes has the time in it
)
def test_what_cannot_be_decoded_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    for read in (read_file, lambda path: audit_files([path])):
        with pytest.raises(InputError) as raised:
            read(tmp_path / "a.txt")
        assert says in raised.value.message


def test_a_dump_of_statements_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "dump.sql"
    rows = ",".join(f"({number},'{number * 7}')" for number in range(2000))
    path.write_text("-- MySQL dump 10.13\n" + f"INSERT INTO `t` VALUES {rows};\n" * 200)
    for read in (read_file, lambda path: audit_files([path])):
        with pytest.raises(InputError, match="MiB of SQL statements, as a dump has them"):
            read(path)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for read in (read_file, lambda path: audit_files([path])):
        with pytest.raises(InputError, match="must be a regular file"):
            read(tmp_path / "pipe")
