"""The program under the name `sysbench`: its text and nothing else, its order, its errors, its help."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from assay.base.argument_types import Number, Seconds
from assay.front.compat.sysbench.command import OLD_NAMES
from assay.front.compat.sysbench.general import general_options
from assay.front.compat.sysbench.help import _section, general_help
from assay.front.compat.sysbench.options import Checkpoints, CommaList, Size, choice, option, switch
from assay.front.compat.sysbench.script_options import mysql_options, rand_type

PEER = shutil.which("sysbench")


@pytest.fixture(scope="session")
def own_name(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the program as `sysbench`, as a link from that name makes it."""
    program = tmp_path_factory.mktemp("bin") / "sysbench"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom assay.front.cli import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return program


def said(program: Path | str, *words: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str]:
    """Returns the exit code, and both streams together as a program reads them."""
    done = subprocess.run(
        [program, *words],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        cwd=cwd,
        check=False,
        env={**os.environ, "LUA_PATH": ";;"},
    )
    banner, empty, rest = done.stdout.partition("\n\n")
    return done.returncode, rest if banner.startswith("sysbench 1.0.20 (using ") and empty else done.stdout


SCRIPT = """
ffi.cdef("unsigned int sleep(unsigned int);")
sysbench.cmdline.options = { bool_opt = {"A flag", false}, size = {"A size", 10}, none = {"No default"} }
print("loaded")
function init() print("init") end
function thread_init() print("thread_init") end
function event() print("event") end
function thread_done() print("thread_done") end
function done() print("done") end
sysbench.cmdline.commands = {
  both = { function() print("both") end, sysbench.cmdline.PARALLEL_COMMAND },
  drive = { function() sysbench.sql.driver("none") end },
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.lua").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


ERRORS = {
    "nowhere run": "FATAL: Cannot find benchmark 'nowhere': no such built-in test, file or module\n",
    "s.lua run now": "Unrecognized command line argument: now\n",
    "cpu": "The 'cpu' test requires a command argument. See 'sysbench cpu help'\n",
    "cpu prepare": "'cpu' test does not implement the 'prepare' command.\n",
    "cpu --wrong=1 run": "invalid option: --wrong=1\n",
    "s.lua --wrong=1 run": "loaded\ninvalid option: --wrong=1\n",
    "s.lua --bool-opt=5 run": "loaded\ninvalid option: --bool-opt=5\n",
    "s.lua prepare": "loaded\n's.lua' test does not implement the 'prepare' command.\n",
    "s.lua other": "loaded\nUnknown command: other\n",
    "s.lua drive": "loaded\nFATAL: invalid database driver name: 'none'\n"
    "FATAL: `sysbench.cmdline.call_command' function failed: s.lua:12: failed to initialize the DB driver\n",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("command", ERRORS)
def test_errors_have_the_words_of_sysbench_and_no_others(own_name: Path, folder: Path, command: str) -> None:
    code, text = said(own_name, *command.split(), cwd=folder)
    assert (code, text) == (1, ERRORS[command])


def test_a_server_that_is_not_there_has_the_code_of_its_kind(own_name: Path, tmp_path: Path) -> None:
    for server, error in (
        ("--mysql-socket=/nowhere", "FATAL: error 2002: cannot connect to /nowhere: "),
        ("--mysql-host=127.0.0.1 --mysql-port=1", "FATAL: error 2003: cannot connect to 127.0.0.1:1: "),
    ):
        code, text = said(own_name, "oltp_read_only", *server.split(), "prepare", cwd=tmp_path)
        assert code == 1
        assert error in text


def test_a_script_speaks_between_the_lines_in_order(own_name: Path, folder: Path) -> None:
    code, text = said(own_name, "s.lua", "--events=1", "run", cwd=folder)
    head = (
        "loaded\ninit\nRunning the test with following options:\nNumber of threads: 1\n"
        "Initializing random number generator from current time\n\n\n"
        "Initializing worker threads...\n\nloaded\nthread_init\nThreads started!\n\nevent\nthread_done\n\n"
        "General statistics:\n"
    )
    assert (code, text[: len(head)]) == (0, head)
    assert text.endswith("\n\ndone\n"), "after the statistics"
    code, text = said(own_name, "s.lua", "--threads=2", "both", cwd=folder)
    before, _, after = text.partition("Initializing worker threads...\n\n")
    assert (code, before, sorted(after.split())) == (0, "loaded\n", ["both", "both", "loaded", "loaded"])
    assert said(own_name, "s.lua", "help", cwd=folder) == (
        0,
        "loaded\ns.lua options:\n  --bool_opt[=on|off] A flag [off]\n  --none=STRING       No default\n"
        "  --size=N            A size [10]\n\n",
    )


def test_a_script_from_standard_input_is_only_loaded(own_name: Path) -> None:
    assert said(own_name, "-", "prepare", stdin="function prepare() print(1) end print(2)") == (0, "2\n")
    assert said(own_name, "--verbosity=0", stdin="print(3)") == (0, "3\n")


@pytest.mark.skipif(PEER is None, reason="sysbench is not installed: scripts/machine sysbench")
@pytest.mark.parametrize("words", ["cpu help", "memory help", "threads help", "mutex help", "fileio help"])
def test_help_has_the_options_types_and_defaults_of_sysbench(own_name: Path, words: str) -> None:
    def listed(program: str | Path) -> tuple[int, list[str]]:
        code, text = said(program, *words.split())
        # All but the description, which is in our own words: where it begins, and what follows it.
        return code, [re.sub(r"^(  --\S+ +).*?( \[[^\]]*\])?$", r"\1…\2", line) for line in text.splitlines()]

    assert PEER is not None
    assert listed(own_name) == listed(PEER)


def test_every_option_of_the_commands_is_listed_once() -> None:
    listed = re.findall(r"^  (--[\w-]+)", general_help(), re.MULTILINE)
    assert len(listed) == len(set(listed))
    taken = {option.opts[0] for option in (*general_options(), *mysql_options(), rand_type())}
    assert taken | set(OLD_NAMES) <= set(listed)


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (switch("x", True, "Does it."), "  --x[=on|off] does it [on]\n"),
        (option("x", Seconds(), 10.0, "PEM file."), "  --x=N PEM file [10]\n"),
        (option("x", Number(), 1.5, "Share; 0: none."), "  --x=N share; 0: none [1.5]\n"),
        (option("x", Size(), "4K", "Size."), "  --x=SIZE size [4K]\n"),
        (option("x", CommaList(), "", "Words."), "  --x=[LIST,...] words []\n"),
        (option("x", Checkpoints(), "", "Instants."), "  --x=[LIST,...] instants []\n"),
        (choice("x", ["a", "b"], None, "Which."), "  --x=STRING which {a,b}\n"),
    ],
)
def test_an_option_is_listed_by_its_type_and_default(made: click.Option, line: str) -> None:
    assert _section([made]) == line + "\n"


@pytest.mark.skipif(PEER is None, reason="sysbench is not installed: scripts/machine sysbench")
def test_the_version_is_that_of_sysbench(own_name: Path) -> None:
    assert PEER is not None
    assert said(own_name, "--version") == said(PEER, "--version")


@pytest.mark.long
def test_fileio_says_what_sysbench_says(own_name: Path, tmp_path: Path) -> None:
    words = ("fileio", "--file-num=2", "--file-total-size=64K")

    def fileio(*more: str) -> tuple[int, str]:
        return said(own_name, *words, *more, cwd=tmp_path)

    code, text = fileio("--file-extra-flags=dsync,sync", "prepare")
    assert code == 0
    assert text.startswith(
        "2 files, 32Kb each, 0Mb total\nCreating files for the test...\nExtra file open flags: sync dsync \n"
        "Creating file test_file.0\nCreating file test_file.1\n65536 bytes written in "
    )
    assert text.count("\n") == 6, "a program reads nothing else"
    _, again = fileio("prepare")
    assert again.endswith(
        "Reusing existing file test_file.0\nReusing existing file test_file.1\nNo bytes written.\n"
    )
    assert fileio("run") == (1, "FATAL: Missing required argument: --file-test-mode\n")
    assert fileio("--file-test-mode=foo", "run") == (1, "FATAL: Invalid IO operations mode: foo.\n")
    code, text = fileio("--file-total-size=1M", "--file-test-mode=rndrd", "--verbosity=2", "run")
    assert (code, text.splitlines()[0]) == (
        1,
        "FATAL: Size of file 'test_file.0' is 32KiB, but at least 512KiB is expected.",
    )
    code, text = fileio("--file-test-mode=rndrd", "--events=9", "run")
    assert (code, "Doing random read test\n" in text, "! " in text) == (0, True, False)
    code, text = fileio("--file-test-mode=rndwr", "--events=103", "--time=0", "--validate", "run")
    assert code == 0
    assert "Validation checks: on.\n\nInitializing" in text
    assert "Using checksums validation.\nDoing random write test\n" in text
    # 100 writes, an fsync of each file, one more write; fsyncs at the end are none of the events.
    assert "total number of events:              103\n" in text
    writes, syncs = (float(text.split(f"{name}/s:")[1].split()[0]) for name in ("writes", "fsyncs"))
    assert round(101 * syncs / writes) == 4
    code, text = fileio("--file-test-mode=rndrd", "--validate", "run")
    assert "--validate needs a single thread that only writes" in text
    assert fileio("cleanup") == (0, "Removing test files...\n")
    code, text = fileio("--file-test-mode=rndrw", "--verbosity=2", "run")
    assert (code, text.splitlines()[1:]) == (1, ["WARNING: Did you forget to run the prepare step?"])
