"""Every published figure of five jobs of fio is among the results, from real small runs."""

from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked
import pytest
from published_figures import JOBS, NUMBER, latencies, published
from undrawn import UNDRAWN

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


def start_file(place: Path, form: str) -> forked.Command:
    sizes = {"DIRECTORY": str(place), "SIZE": "1m", "RUNTIME": "1"}
    words = ["fio", str(ROOT / "studies/fio/five-jobs.fio"), "--output", form]
    return forked.Command(words, os.environ | sizes)


@dataclass(frozen=True)
class Ran:
    """What was run, in a folder of its own, and what it printed."""

    place: Path
    out: str
    err: str


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """The jobs in each form, at the same time: how fast they are does not matter here."""
    begin = {
        "text": lambda place: start_file(place, "fio"),
        "json": lambda place: start_file(place, "fio-json"),
        "study": start_study,
    }
    places = {form: tmp_path_factory.mktemp(form) for form in begin}
    begun = {form: begin[form](place) for form, place in places.items()}
    ended = {form: Ran(places[form], *command.communicate(300)) for form, command in begun.items()}
    for form, command in begun.items():
        assert command.wait() == 0, ended[form].err
    return ended


@pytest.fixture(scope="module")
def text(ran: dict[str, Ran]) -> tuple[dict[str, str], str]:
    """By job what is printed of it, its group and the disks; what is said while they run."""
    done = ran["text"]
    assert len(list(done.place.glob("*_bw.*.log"))) == len(JOBS)
    parts, groups = done.out.split("\nRun status group 0")[0], done.out.split("Run status group ")[1:]
    by_name = {part.split(":")[0]: part for part in re.split(r"(?m)^(?=\w+: \(groupid)", parts) if part}
    disks = groups[-1][groups[-1].index("Disk stats") :]
    return {name: part + groups[at] + disks for at, (name, part) in enumerate(by_name.items())}, done.err


@pytest.fixture(scope="module")
def found(ran: dict[str, Ran]) -> dict[str, Any]:
    return json.loads(ran["json"].out)


def start_study(place: Path) -> forked.Command:
    """Starts the shipped study with less size and time."""
    study = (ROOT / "studies/storage/five-jobs.toml").read_text(encoding="utf-8")
    for said, instead in (
        ('warmup = "2s"', 'warmup = "none"'),
        ('measure = "10s"', 'measure = "1s"'),
        ("iodepth = [1, 32, 64]", "iodepth = [32]"),
    ):
        assert said in study
        study = study.replace(said, instead)
    study = study[: study.index("[[hypothesis]]")].replace("[load]", 'size = "1m"\n[load]')
    (place / "five-jobs.toml").write_text(study)
    (place / "five-jobs.fio").write_text(
        (ROOT / "studies/storage/five-jobs.fio").read_text(encoding="utf-8").replace("size=64m\n", "")
    )
    words = ["run", str(place / "five-jobs.toml"), "--results", str(place / "results"), "--blocks", "1"]
    return forked.Command(words, os.environ | {UNDRAWN: "1"})


@pytest.fixture(scope="module")
def table(ran: dict[str, Ran]) -> dict[str, dict[str, str]]:
    """By job and measure what the table `files` says."""
    rows = csv.DictReader((ran["study"].place / "results/tables/files.csv").open(encoding="utf-8"))
    by_job: dict[str, dict[str, str]] = {job: {} for job in JOBS}
    for row in rows:
        for job in JOBS:
            by_job[job][row["name"]] = row[f"section={job}"]
    return by_job


@pytest.mark.parametrize("job", JOBS)
def test_every_published_figure_is_in_the_text(job: str, text: tuple[dict[str, str], str]) -> None:
    printed = text[0][job]
    missing = [one.name for one in published(job) if not re.search(one.text, printed)]
    assert not missing, printed
    shares = [re.search(one.text, printed) for one in latencies()]
    below = re.findall(r"lat \(nsec\) +: (.*)", printed)
    assert any(shares) or below, printed


@pytest.mark.parametrize("job", JOBS)
def test_every_published_figure_is_in_the_json(job: str, found: dict[str, Any]) -> None:
    of_job = next(one for one in found["jobs"] if one["jobname"] == job)
    missing = []
    for one in (*published(job), *latencies()):
        value: Any = of_job | {"disk_util": found["disk_util"][0]}
        for key in one.path or ():
            value = value.get(key) if isinstance(value, dict) else None
        if one.path is not None and value is None:
            missing.append(one.name)
    assert not missing, of_job
    shares = [of_job[one.path[0]][one.path[1]] for one in latencies() if one.path is not None]
    assert sum(shares) + sum(of_job["latency_ns"].values()) + sum(
        of_job["latency_us"][below] for below in ("2", "4", "10", "20", "50", "100")
    ) == pytest.approx(100)


@pytest.mark.parametrize("job", JOBS)
def test_every_published_figure_is_in_the_table(job: str, table: dict[str, dict[str, str]]) -> None:
    values = table[job]
    assert not [one for one in published(job) if not values.get(one.measure)], values
    shares = [float(value or 0) for name, value in values.items() if name.startswith("latency_")]
    assert sum(shares) == pytest.approx(100)
    known = {one.measure for one in latencies()} | {
        f"latency_below_{edge:g}_ms_pct" for edge in (0.002, 0.004, 0.01, 0.02, 0.05, 0.1)
    }
    assert {name for name in values if name.startswith("latency_")} <= known


def test_a_worker_alone_moves_its_part(table: dict[str, dict[str, str]]) -> None:
    values = {name: float(value) for name, value in table["randread_4k"].items() if value}
    assert values["workers"] == 16
    assert values["read_worker_bandwidth_mean"] == pytest.approx(values["read_mib_per_s"] / 16)
    assert values["read_worker_bandwidth_share_pct"] == pytest.approx(100 / 16)
    assert values["read_worker_bandwidth_min"] <= values["read_worker_bandwidth_mean"]
    assert values["read_issued"] * 4096 / 2**20 == pytest.approx(values["read_mib"])
    assert values["write_issued"] == 0


def test_the_line_of_the_status_says_what_runs_and_how_far_it_is(text: tuple[dict[str, str], str]) -> None:
    """Jobs, share of the time, bytes and operations a second of both directions."""
    line = next(line for line in text[1].splitlines() if line.startswith("5/5 "))
    many = r"[\d,]+"
    assert re.fullmatch(
        rf"5/5 \[ 1s of 1s, 100% \]  64 workers  read {many} IOPS {NUMBER} MiB/s"
        rf"  write {many} IOPS {NUMBER} MiB/s  in flight {many}",
        line,
    ), line
