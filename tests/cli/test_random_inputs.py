"""Random inputs: never a traceback, always a documented exit code.

`ASSAY_FUZZ` says how many; each is made of its own number, which the name of its test holds.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import forked
import pytest
from assay.system.server import Instance
from bad_rows.study_values import CLAIMED, FACTOR, STUDY
from mounts import in_memory, mounted
from patience import at_most
from shell import BETWEEN, PATIENCE_S, ROOT, Shell, in_one_process
from undrawn import UNDRAWN

HOW_MANY = int(os.environ.get("ASSAY_FUZZ", "84"))
UNEXPECTED = 70
DOCUMENTED = {
    int(code)
    for code in re.findall(r"^\| (\d+) \|", (ROOT / "docs/reference/exit-codes.md").read_text(), re.MULTILINE)
} - {UNEXPECTED}

NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e300",
    "1e-300",
    "99999999999999999999",
    "-0.0",
    "0x10",
    "1_0",
    "٣",
]
WORDS = [
    "",
    " ",
    "--",
    "-",
    "x" * 5000,
    "\N{SNOWMAN}",
    "\udcff",
    "a\nb",
    "\x1b[31m",
    "../..",
    "/dev/null",
    "%s{0}",
    "'",
]
OPTIONS = [
    "--threads",
    "--time",
    "--rate",
    "--seed",
    "--events",
    "--table-size",
    "--warmup",
    "--port",
    "--p99",
]


def _number(chance: random.Random) -> str:
    return chance.choice([*NUMBERS, *WORDS, str(chance.randint(-(10**30), 10**30))])


def _bench(chance: random.Random) -> list[str]:
    options = [word for name in chance.sample(OPTIONS, 2) for word in (name, _number(chance))]
    return [
        "bench",
        "oltp_point_select",
        chance.choice(["run", "prepare", "check"]),
        *options,
        "--socket",
        "no.sock",
    ]


def _sysbench(chance: random.Random) -> list[str]:
    option = chance.choice(
        ["--file-total-size", "--time", "--threads", "--file-rw-ratio", "--rate", "--percentile"]
    )
    return [
        "sysbench",
        "fileio",
        "--file-test-mode=rndrd",
        "--directory=/nope",
        f"{option}={_number(chance)}",
        "run",
    ]


def _verb(chance: random.Random) -> list[str]:
    verbs = [
        "plan",
        "report",
        "advise",
        "dataset",
        "host",
        "schema",
        "fio",
        "doctor",
        "show",
        "list",
        "init",
        "x",
    ]
    options = [
        "--json",
        "--help",
        "--results",
        "--seed",
        "--page-size",
        "rm",
        "list",
        "check",
        "stop",
        *WORDS,
    ]
    return [chance.choice(verbs), *chance.choices([*options, *NUMBERS], k=chance.randint(0, 3))]


def _study(chance: random.Random) -> list[str]:
    text = chance.choice([STUDY, CLAIMED.replace("{}", "tps[range_size=10] > 5"), STUDY + FACTOR])
    content = bytearray(text, "utf-8")
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(content))
        match chance.randrange(4):
            case 0:
                del content[place : place + chance.randint(1, 20)]
            case 1:
                content[place:place] = _number(chance).encode("utf-8", "surrogateescape")
            case 2:
                content[place] = chance.randrange(256)
            case _:
                found = list(re.finditer(rb"= *([^\n]+)", bytes(content)))
                if found:
                    start, end = chance.choice(found).span(1)
                    content[start:end] = _number(chance).encode("utf-8", "surrogateescape")
        if not content:
            break
    Path("random.toml").write_bytes(content)
    return ["plan", "random.toml", "--no-start", *(["--json"] if chance.random() < 0.3 else [])]


def _fio(chance: random.Random) -> list[str]:
    job = "[global]\nsize=1M\nruntime=1\nbs=4k\niodepth=1\n[a]\nrw=read\n"
    key = chance.choice(["size", "runtime", "bs", "iodepth", "rw"])
    value = _number(chance).encode("utf-8", "surrogateescape")
    Path("random.fio").write_bytes(
        re.sub(rf"{key}=\w+".encode(), lambda _: key.encode() + b"=" + value, job.encode())
    )
    return ["fio", "--check", "random.fio"]


def _damaged(chance: random.Random) -> list[str]:
    files = sorted(
        path for path in Path("r").rglob("*") if path.is_file() and path.suffix not in (".svg", ".md")
    )
    for path in chance.sample(files, 2):
        content = path.read_bytes()
        match chance.randrange(4):
            case 0:
                path.unlink()
            case 1:
                path.write_bytes(content[: chance.randrange(len(content) + 1)])
            case 2:
                path.write_bytes(
                    re.sub(rb"\d+", _number(chance).encode("utf-8", "surrogateescape"), content, count=3)
                )
            case _:
                path.write_bytes(chance.randbytes(200))
    return chance.choice(
        [
            ["report", "r", "--language", chance.choice(["en", "zh"])],
            ["show", "r", "--json"],
            ["plan", "shared.toml", "--results", "r"],
        ]
    )


MAKERS: list[Callable[[random.Random], list[str]]] = [
    _bench,
    _sysbench,
    _verb,
    _study,
    _study,
    _fio,
    _damaged,
]


@pytest.mark.sampled(6)
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("number", range(HOW_MANY))
def test_whatever_is_said(
    number: int, shell: Shell, shared_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(number)
    maker = MAKERS[number % len(MAKERS)]
    if maker is _damaged:
        shutil.copytree(shared_results, "r")
        shutil.copy(shared_results.parent / "shared.toml", "shared.toml")
    words = maker(chance)
    with at_most(round(PATIENCE_S)):
        ended = shell(*words)
    assert ended.code in DOCUMENTED, (words, ended.err[-3000:])
    assert "Traceback" not in ended.out + ended.err, (words, ended.err[-3000:])


QUIET = [
    ["plan", "shared.toml", "--no-start"],
    ["report", "r"],
    ["dataset", "list"],
    ["host", "facts"],
    ["doctor"],
    ["schema", "study"],
]


@pytest.fixture
def copied(shared_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(UNDRAWN, "1")
    shutil.copytree(shared_results, tmp_path / "r")
    shutil.copy(shared_results.parent / "shared.toml", tmp_path / "shared.toml")
    return tmp_path


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", QUIET, ids=" ".join)
def test_a_pipe_that_is_closed(words: list[str], copied: Path) -> None:
    process = forked.Command(words, cwd=copied)
    process.stdout.close()
    _, err = process.communicate(timeout=PATIENCE_S * 3)
    assert "Traceback" not in err
    assert process.returncode in DOCUMENTED | {141}, err  # 128 + SIGPIPE


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
def test_other_encodings(encoding: str, copied: Path) -> None:
    commands = QUIET[0], QUIET[1], QUIET[4]
    done = in_one_process(*commands, cwd=copied, PYTHONIOENCODING=encoding, PYTHONUTF8="0", LC_ALL="C")
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert len([out for out in done.stdout.split(BETWEEN) if out.strip()]) == len(commands)


@pytest.mark.long
def test_results_on_a_read_only_file_system(copied: Path) -> None:
    with mounted(copied / "fixed", *in_memory(copied, 64 << 20)) as fixed:
        shutil.copytree(copied / "r", fixed / "r")
        subprocess.run(["mount", "-o", "remount,ro", fixed], check=True)
        for words in (["report", "fixed/r"], ["run", "shared.toml", "--results", "fixed/r"]):
            _refused(forked.run(*words, cwd=copied, timeout=PATIENCE_S * 3), "read-only file system")


def test_results_on_a_full_file_system(copied: Path) -> None:
    with mounted(copied / "small", *in_memory(copied, 64 << 20)) as small:
        shutil.copytree(copied / "r", small / "r")
        shutil.rmtree(small / "r/store")
        with (small / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(b"x" * 65536)
        ended = forked.run("report", "small/r", cwd=copied, timeout=PATIENCE_S * 3)
        _refused(ended, "no space left")


def _refused(done: subprocess.CompletedProcess[str], said: str) -> None:
    assert done.returncode in DOCUMENTED - {0, 1}, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stderr.lower(), done.stderr


def test_a_server_that_is_shared_is_still_there(spoilt: Instance) -> None:
    assert Path(f"/proc/{spoilt.pid}").exists()
