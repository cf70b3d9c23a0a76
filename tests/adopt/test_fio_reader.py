"""fio's JSON and text: every number as fio printed it, and both forms of one run agree."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import PrintedFigure
from assay.experiments.adopt import Adopted, read_file
from printed_texts import OUTPUTS

JSON = sorted(OUTPUTS.glob("fio-*.json"))
BOTH = [(path, path.with_suffix(".txt")) for path in JSON if path.with_suffix(".txt").is_file()]
"""Two forms of the output of one run."""


def values(found: Adopted) -> dict[str, float]:
    return {one.name: one.value for one in found.printed.figures}


def at(document: object, place: str) -> str:
    """The text of the number at a place such as jobs[0].read.clat_ns.percentile.95.000000."""
    here, rest = document, place
    while rest:
        if rest.startswith("["):
            number, _, rest = rest[1:].partition("]")
            here = here[int(number)]  # type: ignore[index]
        else:
            assert isinstance(here, dict)
            key = max((one for one in here if rest.startswith(one)), key=len)
            here, rest = here[key], rest[len(key) :]
        rest = rest.removeprefix(".")
    assert isinstance(here, str)
    return here


@pytest.mark.parametrize("path", JSON, ids=lambda path: path.stem)
def test_every_figure_is_the_number_at_its_place(path: Path) -> None:
    document = json.loads(path.read_text(), parse_float=str, parse_int=str)
    scales = {"ns / 10^6": 10**6, "bw_bytes / 2^20": 2**20, "io_bytes / 2^20": 2**20, "": 1}
    figures = [one for found in read_file(path).results for one in found.printed.figures]
    assert len(figures) > (10 if "two" in path.stem else 40)
    for one in figures:
        if not one.text:
            continue
        assert at(document, one.place) == one.text
        if one.how in scales:
            assert one.value == float(Decimal(one.text) / scales[one.how]), one


@pytest.mark.parametrize("path", JSON, ids=lambda path: path.stem)
def test_the_rates_are_those_that_fio_printed(path: Path) -> None:
    document = json.loads(path.read_text())
    groups: dict[int, list[dict[str, dict[str, float]]]] = {}
    for job in document["jobs"]:
        groups.setdefault(job["groupid"], []).append(job)
    for found, jobs in zip(read_file(path).results, groups.values(), strict=True):
        known = values(found)
        sides = [job[side] for job in jobs for side in ("read", "write") if job[side]["total_ios"]]
        assert known["iops"] == pytest.approx(sum(side["iops"] for side in sides), rel=1e-12)
        assert known["mib_per_s"] == pytest.approx(sum(side["bw_bytes"] for side in sides) / 2**20, rel=1e-12)
        if len(jobs) == 1:
            for side in ("read", "write"):
                if jobs[0][side]["total_ios"]:
                    assert known[f"{side}_iops"] == jobs[0][side]["iops"]
                    assert known[f"{side}_issued"] == jobs[0][side]["total_ios"]
                    assert known[f"{side}_mean_ms"] == pytest.approx(jobs[0][side]["lat_ns"]["mean"] / 1e6)


def step(one: PrintedFigure) -> float:
    """How much the figure may be off by its last printed digit, in its own unit."""
    bare = one.text.rstrip("kMGT")
    digit = Decimal(1).scaleb(-len(bare.partition(".")[2]))
    share = digit / Decimal(bare) if Decimal(bare) else Decimal(1)
    return float(share) * abs(one.value) if one.value else float(digit)


@pytest.mark.parametrize(("document", "text"), BOTH, ids=lambda path: path.name)
def test_both_forms_of_a_run_agree_to_the_last_printed_digit(document: Path, text: Path) -> None:
    for exact, rounded in zip(read_file(document).results, read_file(text).results, strict=True):
        assert exact.load == rounded.load
        known = values(exact)
        shared = [one for one in rounded.printed.figures if one.name in known and one.text]
        assert len(shared) > 10
        for one in shared:
            assert abs(one.value - known[one.name]) <= step(one) * 1.001, one
        missing = {one.name for one in rounded.printed.figures} - known.keys()
        assert missing == set()


def test_both_forms_were_made_here() -> None:
    assert len(BOTH) >= 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"fio-3.', '"fio-2.', "expected the JSON of fio 3, found fio-2."),
        ('"jobs" : [', '"tasks" : [', "jobs: expected a list of objects, found nothing"),
        ('"iops" :', '"iopses" :', "jobs[0].read.iops: expected a number, found nothing"),
        ('"latency_depth" : ', '"latency_depth" : "x", "y" : ', "jobs[0].latency_depth: expected a number"),
    ],
)
def test_a_spoilt_document_says_where(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = tmp_path / "spoilt.json"
    text = JSON[0].read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1) if "iops" not in old else text.replace(old, new))
    with pytest.raises(InputError) as raised:
        read_file(file)
    assert says in raised.value.message
    assert str(file) in raised.value.message


def test_a_document_that_is_cut_short_says_the_line(tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    lines = JSON[0].read_text().splitlines()
    file.write_text("\n".join(lines[: len(lines) // 2]))
    with pytest.raises(InputError, match=r"short\.json:\d+: expected the rest of the JSON object"):
        read_file(file)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("fio-3.", "fio-2.", "expected fio-3.N"),
        ("err= 0", "err= 5", "expected a job without an error"),
        ("depth=", "deep=", "these lines have an unknown form: line"),
    ],
)
def test_a_spoilt_text_of_fio_says_where(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = tmp_path / "spoilt.txt"
    text = BOTH[0][1].read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(InputError) as raised:
        read_file(file)
    assert says in raised.value.message
    assert str(file) in raised.value.message


@pytest.mark.parametrize("text", [text for _, text in BOTH], ids=lambda path: path.stem)
def test_a_text_of_fio_that_is_cut_short_is_an_error(tmp_path: Path, text: Path) -> None:
    file = tmp_path / "short.txt"
    content = text.read_text()
    for length in range(content.index("(groupid="), content.index("Run status group"), 97):
        file.write_text(content[:length])
        with pytest.raises(InputError, match=r"short\.txt"):
            read_file(file)
