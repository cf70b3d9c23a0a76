"""sysbench's text: every number that it printed, to the digit; errors name file, line, what was expected."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import Adopted, read_file
from printed_texts import MADE_HERE, V04, V05

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def read_text(folder: Path, text: str, name: str = "run.txt") -> tuple[Adopted, ...]:
    file = folder / name
    file.write_text(text)
    return read_file(file).results


def values(found: Adopted) -> dict[str, float]:
    return {one.name: one.value for one in found.printed.figures}


def statistics_of(text: str) -> dict[int, list[str]]:
    """The numbers of each line after the statistics began, by the line's number."""
    lines = text.splitlines()
    begin = next(
        number
        for number, line in enumerate(lines)
        if line.endswith("statistics:") or line == "File operations:"
    )
    return {number + 1: NUMBER.findall(line) for number, line in enumerate(lines) if number > begin}


@pytest.mark.parametrize("path", MADE_HERE, ids=lambda path: path.stem)
def test_every_number_of_the_statistics_is_kept_as_it_is_printed(path: Path) -> None:
    (found,) = read_file(path).results
    kept: dict[str, Counter[str]] = {}
    for one in found.printed.figures:
        if one.text:
            kept.setdefault(one.place, Counter())[one.text] += 1
            assert one.value == float(one.text)
            assert not one.how
    for number, printed in statistics_of(path.read_text()).items():
        line = path.read_text().splitlines()[number - 1]
        wanted = Counter(printed)
        if "percentile:" in line:
            wanted[printed[0]] -= 1  # the rank, which is in the name
        if line.strip().startswith("queries:"):
            wanted[printed[0]] -= 1  # the total, which stands above
        assert kept.get(f"line {number}", Counter()) == +wanted, line


@pytest.mark.parametrize("path", MADE_HERE, ids=lambda path: path.stem)
def test_every_interval_is_kept(path: Path) -> None:
    text = path.read_text()
    (found,) = read_file(path).results
    ends = [float(at) for at in re.findall(r"^\[ (\d+)s \] (?:thds|reads)", text, re.MULTILINE)]
    assert [one.t_s + one.seconds for one in found.printed.intervals] == ends
    tps = [float(one) for one in re.findall(r"^\[ \d+s \] thds: \d+ tps: ([\d.]+)", text, re.MULTILINE)]
    qps = [float(one) for one in re.findall(r"^\[ .* qps: ([\d.]+)", text, re.MULTILINE)]
    moved = [float(one) for one in re.findall(r"^\[ \d+s \] reads: ([\d.]+) MiB/s", text, re.MULTILINE)]
    assert [one.tps for one in found.printed.intervals if one.tps is not None] == tps
    assert [one.qps for one in found.printed.intervals if one.qps is not None] == qps
    assert [one.read_mib_per_s for one in found.printed.intervals if one.read_mib_per_s is not None] == moved


def test_the_outputs_have_every_kind() -> None:
    found = [one for path in MADE_HERE for one in read_file(path).results]
    assert {one.workload for one in found} == {"sysbench", "sysbench-fileio"}
    assert {one.version for one in found} == {"1.0.20"}
    assert {one.load.kind for one in found if one.load} == {"threads", "rate"}
    assert any(one.printed.bins for one in found)
    assert any(one.printed.intervals for one in found)


def test_the_bins_of_a_histogram_add_up_to_the_events() -> None:
    for path in MADE_HERE:
        (found,) = read_file(path).results
        if found.printed.bins:
            assert sum(one.count for one in found.printed.bins) == values(found)["events"]


def test_version_0_5(tmp_path: Path) -> None:
    (found,) = read_text(tmp_path, V05)
    known = values(found)
    assert (found.version, found.load and found.load.value) == ("0.5", 16.0)
    assert known["tps"] == 304.12
    assert (known["mean_ms"], known["p99_ms"], known["max_ms"]) == (52.55, 98.36, 210.82)
    assert (known["elapsed_s"], known["errors"], known["errors_per_s"]) == (20.025, 1.0, 0.05)
    assert known["qps"] == pytest.approx(121800 / 20.025)
    (qps,) = (one for one in found.printed.figures if one.name == "qps")
    assert (qps.text, qps.how) == ("", "121800 / 20.0250 s")
    assert [(one.t_s, one.seconds, one.tps, one.p95_ms) for one in found.printed.intervals] == [
        (0.0, 10.0, 310.25, 71.21),
        (10.0, 10.0, 298.75, 75.02),
    ]
    series = {one.name: one.value for one in found.printed.series}
    assert series["errors_per_s"] == [0.10, 0.00]


def test_version_0_4(tmp_path: Path) -> None:
    (found,) = read_text(tmp_path, V04)
    known = values(found)
    assert (found.version, found.settings["oltp_test_mode"]) == ("0.4.12", "mixed")
    assert (known["tps"], known["errors_per_s"], known["p95_ms"]) == (50.03, 0.10, 254.04)
    assert "seconds" in found.unknown


def test_several_runs_of_one_file_are_as_many_results(tmp_path: Path) -> None:
    found = read_text(tmp_path, f"$ ./ladder.sh\n{V04}\n{V05}")
    assert [one.version for one in found] == ["0.4.12", "0.5"]
    assert found[1].printed.figures[0].place == f"line {V04.count(chr(10)) + 2 + 15}"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda t: t.replace("sysbench 0.5:", "sysbench 2.3:"), ":1: expected sysbench 0.4, 0.5, 1.0 or 1.1"),
        (lambda t: t[: t.index("General")], 'before "General statistics:"'),
        (lambda t: t[: t.index("    response time")], 'before "Latency (ms):"'),
        (lambda t: t[: t.index("Threads fairness")], 'before "Threads fairness:"'),
        (lambda t: t[: t.index("OLTP test")], "was cut short"),
        (
            lambda t: t.replace("304.12 per sec", "3x4.12 per sec"),
            "the line with tps; these lines have an unknown form: line 19 ",
        ),
        (lambda t: t.replace("[  20s]", "[  10s]"), "an interval that ends after 10 s"),
        (lambda t: t.replace("Number of threads: 16", ""), 'expected a line "Number of threads: N"'),
        (lambda t: t.partition("\n")[2], "expected sysbench's first line"),
        (lambda t: t.replace("avg:", "mean:"), "unknown form: line 31 'mean:"),
        (lambda t: t + t[t.index("OLTP test") :], "one result after each first line of sysbench"),
    ],
)
def test_a_spoilt_text_says_where_and_what_was_expected(tmp_path: Path, spoil, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as raised:
        read_text(tmp_path, spoil(V05))
    assert says in raised.value.message
    assert "run.txt" in raised.value.message


def test_another_test_of_sysbench_is_refused(tmp_path: Path) -> None:
    text = V04.replace("Doing OLTP test.", "Doing CPU performance benchmark")
    begin, end = text.index("OLTP test statistics"), text.index("Test execution")
    with pytest.raises(InputError, match=r"run\.txt:7: expected sysbench's test of a server"):
        read_text(tmp_path, text[:begin] + text[end:])


@pytest.mark.parametrize("text", [V05, V04])
def test_a_text_cut_anywhere_is_an_error(tmp_path: Path, text: str) -> None:
    assert len(read_text(tmp_path, text)) == 1
    last = len(text.rstrip())
    for length in (*range(0, last, 7), *range(last - 40, last)):
        with pytest.raises(InputError):
            read_text(tmp_path, text[:length])
