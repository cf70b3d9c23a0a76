"""`assay bench linkbench` with the files of the original: a small graph on a real server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.system.server import Instance
from linkbench_forms import (
    LOAD,
    OPERATION,
    PROGRESS,
    REQUESTS,
    STATS_HEADER,
    STATS_ROW,
    STREAM_HEADER,
    STREAM_ROW,
)
from live_command import Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]

KINDS = {"ADD_NODE", "UPDATE_NODE", "DELETE_NODE", "GET_NODE", "ADD_LINK", "DELETE_LINK", "UPDATE_LINK"}
KINDS |= {"COUNT_LINK", "MULTIGET_LINK", "GET_LINKS_LIST"}


@pytest.fixture
def config(tmp_path: Path, mariadb: Instance) -> Path:
    """Both files as the original has them, with a graph of 300 ids with three links each."""
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "FBWorkload.properties").write_text(
        "startid1 = 1\nmaxid1 = 301\nnlinks_func = const\nnlinks_default = 3\n"
        "read_function = com.facebook.LinkBench.distributions.ZipfDistribution\n"
        "link_add_datagen = com.facebook.LinkBench.generators.MotifDataGenerator\n"
    )
    path = folder / "LinkConfigMysql.properties"
    path.write_text(
        "workload_file = config/FBWorkload.properties\n"
        f"host = 127.0.0.1\nport = {mariadb.port}\nuser = root\npassword = {mariadb.password}\ndbid = assay\n"
        "requesters = 4\nrequests = 1000000\nmaxtime = 60\nloaders = 2\nmax_failed_requests = 0\n"
        "progressfreq = 300\nreq_progress_interval = 1\ndisplayfreq = 1\ndebuglevel = INFO\n"
    )
    return path


@pytest.fixture
def graph(assay: Assay, config: Path) -> Iterator[Finished]:
    """What the load said; its tables go with the test."""
    loaded = assay("bench", "linkbench", "prepare", "--config", str(config), "--output=linkbench")
    assert loaded.code == 0, loaded.err
    yield loaded
    assert assay("bench", "linkbench", "cleanup", "--config", str(config)).code == 0


def test_a_load_by_its_file_reads_like_the_original(graph: Finished) -> None:
    last = graph.out.splitlines()[-1]
    assert LOAD.fullmatch(last)
    assert "Loaded 300 nodes (Expected 300). Loaded 900 links (3.00 links per node)" in last
    assert "! LinkConfigMysql.properties:15: debuglevel has no effect" in graph.err


def test_a_run_by_its_file_writes_what_the_original_writes(
    assay: Assay, config: Path, graph: Finished, tmp_path: Path
) -> None:
    stats, stream = tmp_path / "stats.csv", tmp_path / "stream.csv"
    where = ["--config", str(config), "--csvstats", str(stats), "--csvstream", str(stream)]
    ran = assay("bench", "linkbench", *where, "-D", "maxtime=2", "--output=linkbench")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    # Every second, though progressfreq is longer than the run.
    assert sum(bool(PROGRESS.fullmatch(line)) for line in lines) >= 2
    assert all("/4000000 requests finished" in line for line in lines if "requests finished" in line)
    operations = [line for line in lines if " p25 = " in line]
    assert all(OPERATION.fullmatch(line) for line in operations)
    assert REQUESTS.fullmatch(lines[-1])
    assert "requests done in 2 seconds" in lines[-1]

    header, *rows = stats.read_text().splitlines()
    assert header == STATS_HEADER
    assert all(STATS_ROW.fullmatch(row) for row in rows)
    counts = {row.split(",")[0]: int(row.split(",")[1]) for row in rows}
    assert set(counts) <= KINDS
    assert sum(counts.values()) == int(lines[-1].split("COMPLETED. ")[1].split()[0])

    header, *rows = stream.read_text().splitlines()
    assert header == STREAM_HEADER
    assert all(STREAM_ROW.fullmatch(row) for row in rows)
    assert {row.split(",")[2] for row in rows} == KINDS
    assert len(rows) >= 2 * len(KINDS)
    sampled = {kind: sum(int(row.split(",")[5]) for row in rows if f",{kind}," in row) for kind in counts}
    assert sampled == counts


def test_the_command_line_wins_over_both(assay: Assay, config: Path, graph: Finished) -> None:
    where = ["--config", str(config), "-D", "maxtime=50", "--time=1", "--threads=2", "--events=30"]
    ran = assay("bench", "linkbench", *where)
    assert ran.code == 0, ran.err
    assert "2 connections, closed loop" in ran.out


def test_a_run_ends_when_more_requests_fail_than_may(
    assay: Assay, config: Path, graph: Finished, mariadb: Instance, tmp_path: Path
) -> None:
    stats = tmp_path / "stats.csv"
    refuse = (
        "CREATE TRIGGER assay.full BEFORE INSERT ON assay.nodetable FOR EACH ROW"
        " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'full'"
    )
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(refuse)
    where = ["--config", str(config), "-D", "max_failed_requests=5", "--csvstats", str(stats)]
    ended = assay("bench", "linkbench", *where)  # for 60 s
    assert ended.code == 4
    assert "transactions failed, more than the 20 allowed" in ended.err
    assert "GET_NODE" in stats.read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-D", "maxid1=many"], "-D maxid1: maxid1: 'many' is not a whole number"),
        (["-D", "maxid1"], "-D maxid1: expected KEY=VALUE"),
        (["-D", "maxid=9"], "-D maxid: no key is called 'maxid'; did you mean \"maxid1\"?"),
        (["prepare", "--csvstats=x.csv"], "--csvstats needs the action run"),
        (["--json", "--output=linkbench"], "--json cannot be combined with --output linkbench"),
        (["-D", "port=0"], "-D port: port: 0 is not in the range"),
        (
            ["--find-rate", "--p99=10ms", "--output=linkbench"],
            "--find-rate cannot be combined with",
        ),
    ],
)
def test_what_cannot_be_is_said(assay: Assay, arguments: list[str], complaint: str) -> None:
    refused = assay("bench", "linkbench", *arguments)
    assert refused.code == 2
    assert complaint in refused.err


def test_a_refused_login_names_the_file_that_the_password_is_from(assay: Assay, config: Path) -> None:
    config.write_text(re.sub(r"password = .*", "password = wrong", config.read_text()))
    refused = assay("bench", "linkbench", "--config", str(config), "--time=1")
    assert refused.code == 3, refused.err
    said = " ".join(refused.err.split())
    assert "the password is that of LinkConfigMysql.properties:5" in said
    assert "-D user=… and password=…" in said
    assert "environment" not in said
