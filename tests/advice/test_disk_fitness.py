"""What is concluded of one disk: its class, whether a synced write is kept, the word, and the sentences."""

from __future__ import annotations

import configparser
import re
from dataclasses import replace
from typing import get_args

import pytest
from assay.reporting.report import LANGUAGES, disk_sentences, load_words
from assay.reporting.report.disk_page import BADGES, disk_page
from assay.results.advice import (
    PAGE,
    Course,
    Device,
    DiskDoubt,
    DiskJudged,
    DiskLoad,
    DiskMeasured,
    Flushes,
    LoadMeasured,
    Place,
    TimesSeen,
    judge_disk,
    lines_for,
)
from assay.results.advice.fitness import durable, fit, kind

NVME = Device("nvme0n1", "disk", "A drive", "nvme", rotational=False, write_cache="write back", fua=True)
SPINNING = Device("sda", "disk", "A drive", "ahci", rotational=True, write_cache="write back")
SATA = replace(SPINNING, rotational=False)
VIRTUAL = Device("vda", "disk", None, "virtio_blk", rotational=True, write_cache="write back")
PLACE = Place("/data", "/data", "ext4", ("rw",), (NVME,), None, "db1", "6.1")


def load(what: str, size: int, depth: int, rate: float, us: float, blocks: int = 6) -> LoadMeasured:
    """A load with a little noise over its blocks."""
    rates = tuple(rate * (1 + 0.01 * (at % 3 - 1)) for at in range(blocks))
    times = TimesSeen(1000, us, us, 3 * us, 5 * us, 9 * us)
    return LoadMeasured(DiskLoad(what, size, depth), rates, (us,) * blocks, times)  # type: ignore[arg-type]


def measured(
    *, commits: float = 5000, read_us: float = 80, reads: float = 90_000, blocks: int = 6, **changes: object
) -> DiskMeasured:
    """An NVMe disk in good order, unless something is said."""
    made = DiskMeasured(
        place=PLACE,
        began="2026-11-28T10:00:00+00:00",
        took_s=300,
        planned=6,
        file_bytes=1 << 30,
        direct=True,
        loads=(
            load("log", 512, 1, commits, 1e6 / commits, blocks),
            load("log", PAGE, 1, commits * 0.9, 1e6 / commits, blocks),
            load("read", PAGE, 1, 1e6 / read_us, read_us, blocks),
            load("read", PAGE, 32, reads, 4 * read_us, blocks),
            load("write", PAGE, 1, 12_000, 80, blocks),
            load("write", PAGE, 32, 60_000, 500, blocks),
        ),
        course=Course(1.0, (60_000.0,) * 60, (3_000.0,) * 60, TimesSeen(900, 300, 280, 900, 2000, 5000)),
        flushes=Flushes(10_000, 10_000),
        doubts=(),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def on(device: Device, **changes: object) -> Place:
    return replace(PLACE, devices=(device,), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "read_us", "reads", "facts", "figures", "disputed"),
    [
        (PLACE, 80, 90_000, "nvme", "nvme", False),
        (on(SATA), 130, 30_000, "sata-ssd", "sata-ssd", False),
        (on(SPINNING), 6_000, 180, "hdd", "hdd", False),
        (on(SPINNING), 80, 90_000, "hdd", "nvme", True),  # a controller that says nothing of its disks
        (on(VIRTUAL, virtualisation="kvm"), 90, 80_000, "virtual", "nvme", False),
        (on(replace(NVME, model="Amazon Elastic Block Store")), 600, 3_000, "network", "network", False),
        (PLACE, 700, 3_000, "nvme", "network", True),
        (replace(PLACE, file_system="nfs4", devices=()), 900, 2_000, "network", "network", False),
        (on(Device("zram0", "disk")), 5, 400_000, "ram", "ram", False),
        (on(SATA), 5, 400_000, "sata-ssd", "ram", True),  # answered by memory on the way
        (replace(PLACE, file_system="overlay", devices=()), 80, 90_000, "unknown", "nvme", False),
        (replace(PLACE, devices=(NVME, SPINNING)), 80, 90_000, "unknown", "nvme", False),
    ],
)
def test_a_disk_has_its_class_by_facts_and_by_figures(
    place: Place, read_us: float, reads: float, facts: str, figures: str, *, disputed: bool
) -> None:
    found = judge_disk(measured(place=place, read_us=read_us, reads=reads)).classed
    assert (found.facts, found.figures, found.is_disputed) == (facts, figures, disputed)
    doubts = {one.kind for one in judge_disk(measured(place=place, read_us=read_us, reads=reads)).doubts}
    assert ("from-memory" in doubts) == (figures == "ram" != facts)


def test_without_direct_reads_no_class_is_read_from_figures() -> None:
    found = judge_disk(measured(direct=False))
    assert found.classed.figures is None
    assert [one.setting for one in lines_for(found) if one.value is not None] == [
        "innodb_flush_log_at_trx_commit"
    ]


@pytest.mark.parametrize(
    ("changes", "word", "reason"),
    [
        ({}, "asked", "flushed"),
        ({"place": on(replace(NVME, write_cache="write through"))}, "believed", "no-cache"),
        ({"flushes": Flushes(10_000, 4_000)}, "unknown", "flushes-missing"),
        ({"flushes": None}, "unknown", "not-counted"),
        ({"place": on(replace(NVME, write_cache=None))}, "unknown", "no-facts"),
        ({"place": on(VIRTUAL, virtualisation="kvm")}, "unknown", "virtual"),
        ({"place": on(NVME, virtualisation="amazon-ec2")}, "unknown", "virtual"),
        ({"place": replace(PLACE, file_system="nfs", devices=())}, "unknown", "another-machine"),
        ({"place": replace(PLACE, devices=(Device("loop0", "loop"), NVME))}, "unknown", "loop"),
        ({"place": replace(PLACE, options=("rw", "nobarrier"))}, "not-kept", "no-barrier"),
        ({"place": on(Device("zram0", "disk"))}, "not-kept", "in-memory"),
        (
            {"place": on(replace(SATA, write_cache="write through", drive_write_cache="write back"))},
            "not-kept",
            "cache-not-flushed",
        ),
        ({"place": on(SPINNING), "read_us": 6_000, "reads": 180, "commits": 4_000}, "unknown", "too-quick"),
    ],
)
def test_what_is_known_of_a_synced_write(changes: dict[str, object], word: str, reason: str) -> None:
    judged = judge_disk(measured(**changes))  # type: ignore[arg-type]
    assert judged.durability.word == word
    assert reason in judged.durability.reasons
    assert (judged.fitness.word == "unfit") == (word == "not-kept")


def test_a_disk_is_fit_at_its_commits_with_their_interval() -> None:
    found = judge_disk(measured())
    assert (found.fitness.word, found.fitness.against) == ("fit", ())
    commits, grouped = found.fitness.commits, found.fitness.grouped
    assert commits is not None
    assert grouped is not None
    assert commits.low is not None
    assert commits.high is not None
    assert commits.low < 5_000 < commits.high
    assert grouped.value == pytest.approx(4_500 * 32, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"blocks": 5}, "too-short"),
        ({"loads": ()}, "too-short"),
        ({"course": None}, "too-short"),
        ({"course": Course(1.0, (60_000.0,) * 9, (3_000.0,) * 9, TimesSeen())}, "too-short"),
        ({"commits": 30}, "unfit"),
        ({"place": on(VIRTUAL, virtualisation="kvm")}, "fit-if-kept"),
        (
            {"course": Course(1.0, (60_000.0,) * 50 + (9_000.0,) * 10, (1.0,) * 60, TimesSeen())},
            "fit-unsteady",
        ),
        ({"course": Course(0.5, (60_000.0,) * 18 + (9_000.0,) * 2, (1.0,) * 20, TimesSeen())}, "fit"),
    ],
)
def test_what_speaks_against_a_disk(changes: dict[str, object], word: str) -> None:
    assert judge_disk(measured(**changes)).fitness.word == word  # type: ignore[arg-type]


def test_no_line_of_my_cnf_rests_on_too_few_blocks_or_a_doubt_unsaid() -> None:
    doubt = DiskDoubt("other-io", "warning", {"percent": 40})
    found = judge_disk(measured(blocks=3, doubts=(doubt,)))
    for line in lines_for(found):
        assert line.decision is not None
        assert not line.is_firm
        assert {"other-io", "few-blocks"} <= line.decision.doubts.keys()
    for language in LANGUAGES:
        words = load_words(language)
        assert len(disk_sentences.doubts_of_lines(found, words)) == 2
        estimate = words("disk.estimate", blocks=3, fewest=6)
        assert all(estimate in line.why for line in disk_sentences.setting_lines(found, words))


def every_word() -> list[DiskJudged]:
    """Judged disks with every word, reason, class and doubt that there is."""
    judged = judge_disk(measured())
    facts = {"blocks": 3, "fewest": 6, "percent": 9, "mib": 16, "used": 99}
    texts = dict.fromkeys(
        ("file_system", "mount", "limit", "device", "doing", "error", "which", "programs"), "x"
    )
    known = sorted(load_words("en").keys())
    kinds = [key.removeprefix("disk.doubt.") for key in known if key.startswith("disk.doubt.")]
    doubts = tuple(DiskDoubt(one, "warning", {**facts, **texts, "of": "late-reading"}) for one in kinds)
    found = [replace(judged, doubts=doubts), judge_disk(measured(loads=(), course=None, flushes=None))]
    for word in get_args(fit.FitWord):
        for against in ((), ("not-kept",)):
            found.append(replace(judged, fitness=replace(judged.fitness, word=word, against=against)))
    for word in get_args(durable.Kept):
        reasons = get_args(durable.Reason)
        found.append(replace(judged, durability=durable.Durability(word, reasons)))
    for one in get_args(kind.DiskClass):
        classed = kind.Classed(one, "hdd", 80.0, 9_000.0)
        found.append(replace(judged, classed=classed))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_whole_and_needs_no_other_file(language: str) -> None:
    assert BADGES.keys() == set(get_args(fit.FitWord))
    for judged in every_word():
        page = disk_page(judged, language)
        assert not re.search(r'(?:src|href)="|url\(|<script|\bNone\b|\{\w+\}', page)
        settings = re.search(r"<code>(.*?)</code>", page, re.DOTALL)
        assert settings is not None
        configparser.ConfigParser(allow_no_value=False).read_string(settings[1])


def test_a_page_says_the_word_first_and_shows_the_fall() -> None:
    falling = Course(1.0, (60_000.0,) * 50 + (9_000.0,) * 10, (1.0,) * 60, TimesSeen())
    page = disk_page(judge_disk(measured(course=falling)), "en")
    text = re.sub(r"<[^>]+>", " ", page.partition("<body>")[2])
    assert text.index("Fit for a durable MySQL") < text.index("Is a synced write kept?")
    assert "17% of the time" in text
    assert page.count("<svg") == 1
