"""LinkBench's text and its two CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import Adopted, bring_in, read_file
from printed_texts import FORMS

TEXT, STATS, STREAM = (
    FORMS / name for name in ("linkbench.txt", "linkbench-stats.csv", "linkbench-stream.csv")
)
LOADED = (
    "LOAD PHASE COMPLETED.  Loaded 1000 nodes (Expected 1000). Loaded 4170 links (4.17 links per node). "
    " Took 12.5 seconds.  Links/second = 334\n"
)


def values(found: Adopted) -> dict[str, float]:
    return {one.name: one.value for one in found.printed.figures}


def test_the_text_gives_totals_operations_and_progress() -> None:
    (found,) = read_file(TEXT).results
    known = values(found)
    assert (known["transactions"], known["elapsed_s"], known["tps"]) == (20000, 39, 512)
    assert (known["add_link.count"], known["add_link.mean_ms"], known["add_link.max_ms"]) == (
        1795,
        1.203,
        45.103,
    )
    assert (known["get_links_list.p99_low_ms"], known["get_links_list.p99_high_ms"]) == (5, 6)
    assert len([name for name in known if name.startswith("add_link.")]) == 13
    assert [(one.t_s, one.seconds, one.tps) for one in found.printed.intervals] == [
        (0.0, 10.0, 500.0),
        (10.0, 5.0, 1000.0),
    ]
    assert found.load is None


def test_the_load_phase_is_a_result(tmp_path: Path) -> None:
    (tmp_path / "load.txt").write_text(LOADED)
    (found,) = read_file(tmp_path / "load.txt").results
    assert values(found) == {
        "loaded_nodes": 1000,
        "loaded_links": 4170,
        "links_per_node": 4.17,
        "load_s": 12.5,
        "loaded_links_per_s": 334,
    }


def test_csvstats_gives_every_cell() -> None:
    (found,) = read_file(STATS).results
    cells = STATS.read_text().splitlines()[2].split(",")[1:]
    texts = [one.text for one in found.printed.figures if one.name.startswith("get_links_list.")]
    assert texts == cells
    assert values(found)["get_links_list.p99_high_ms"] == 6


def test_csvstream_adds_the_threads_up() -> None:
    (found,) = read_file(STREAM).results
    known = values(found)
    assert (known["add_link.count"], known["add_link.errors"], known["get_node.count"]) == (480, 2, 50)
    series = {one.name: (one.t_s, one.value) for one in found.printed.series}
    assert series["add_link.tps"] == ([0.0, 10.0], [24.0, 12.0 + 15.0])
    assert found.load is not None
    assert found.load.value == 2


def test_the_load_is_asked_for_where_nothing_says_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not print the load here") as raised:
        bring_in([TEXT], tmp_path / "results")
    assert "--factor threads=N" in str(raised.value.hint)
    (added,) = bring_in([TEXT], tmp_path / "results", ["threads=16"]).runs
    assert added.load.value == 16
    with pytest.raises(InputError, match=r"holds results of linkbench-csvstats, and .* of linkbench"):
        bring_in([STATS], tmp_path / "results", ["threads=16"])


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (TEXT, "REQUEST PHASE COMPLETED", "REQUEST PHASE", '"REQUEST PHASE COMPLETED"'),
        (TEXT, "39 seconds", "many seconds", ":7: expected the figures of the phase"),
        (TEXT, "15.0/100 secs", "5.0/100 secs", ":4: expected progress beyond"),
        (STATS, "10142,0.1", "10142,x", ":3: expected a number in the column p25_low"),
        (STREAM, "120,8000,120", "120,?,120", ":5: expected a number in the column sampleDuration_us"),
    ],
)
def test_a_spoilt_file_says_where(tmp_path: Path, file: Path, old: str, new: str, says: str) -> None:
    spoilt = tmp_path / f"spoilt{file.suffix}"
    assert old in file.read_text()
    spoilt.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(InputError) as raised:
        read_file(spoilt)
    assert says in raised.value.message
