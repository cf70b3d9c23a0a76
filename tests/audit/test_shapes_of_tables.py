"""One set of figures in the shapes that people print: all of it is read, or what is not is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.results.audit import audit, read_material

FIGURES = (
    ("A", 8, 1000.5, 20010, 10.25, 9.25),
    ("A", 16, 1500.5, 30010, 12.25, 11.25),
    ("A", 32, 1600.5, 32010, 22.25, 31.25),
    ("B", 8, 1100.5, 22010, 10.5, 15.5),
    ("B", 16, 1400.5, 28010, 12.5, 1.5),
    ("B", 32, 1700.5, 34010, 25.5, 35.5),
)
"""Engine, threads, tps, qps, p95 and p99 in ms: three times p99 is below p95."""
HEAD = ("Engine", "Threads", "TPS", "QPS", "p95 (ms)", "p99 (ms)")
VALUES = sorted(value for row in FIGURES for value in row[2:])


def rows(*heads: str) -> list[tuple[str, ...]]:
    return [heads or HEAD, *(tuple(str(one) for one in row) for row in FIGURES)]


def markdown(table: list[tuple[str, ...]], title: str = "") -> str:
    lines = [f"| {' | '.join(row)} |" for row in table]
    lines.insert(1, "|---" * len(table[0]) + "|")
    return f"# Results\n\n{title}\n\n" + "\n".join(lines) + "\n"


def joined(table: list[tuple[str, ...]], separator: str) -> str:
    return "\n".join(separator.join(row) for row in table) + "\n"


def cells(row: tuple[str, ...], forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(form.format(one) for one, form in zip(row, forms, strict=True))


def of(engine: str) -> list[tuple[object, ...]]:
    return [row[1:] for row in FIGURES if row[0] == engine]


def formed(*forms: str) -> str:
    return markdown([HEAD, *(cells(row, forms) for row in rows()[1:])])


def pairs(head: str, form: str) -> str:
    return markdown([(*HEAD[:4], head), *((*row[:4], form.format(*row)) for row in rows()[1:])])


def side_by_side(*heads: list[str]) -> list[tuple[str, ...]]:
    body = [[*map(str, a), *map(str, b[1:])] for a, b in zip(of("A"), of("B"), strict=True)]
    return [tuple(one) for one in (*heads, *body)]


def across(number: int, heads: list[str], title: str) -> str:
    body = [(name, *(str(row[number]) for row in of(name))) for name in ("A", "B")]
    return markdown([("Server", *heads), *body], title)


def corner(form: str) -> str:
    """A table for each metric, the servers across the top and the load below a corner with both names."""
    head = ("Threads \\ Server" if form == "{}" else "Load", "A", "B")
    pairs = list(zip(of("A"), of("B"), strict=True))
    titles = ("TPS", "QPS", "p95 latency (ms)", "p99 latency (ms)")
    return "".join(
        markdown([head, *((form.format(a[0]), str(a[at]), str(b[at])) for a, b in pairs)], title)
        for at, title in enumerate(titles, start=1)
    )


def metrics_in_rows(engine: str) -> list[tuple[str, ...]]:
    body = [
        (engine, name, *(str(row[at]) for row in of(engine))) for at, name in enumerate(HEAD[2:], start=1)
    ]
    return [("Engine", "Metric", "8 threads", "16 threads", "32 threads"), *body]


def load_over_metrics() -> list[tuple[str, ...]]:
    groups = ["", *(part for load in (8, 16, 32) for part in (f"{load} threads", "", "", ""))]
    body = [[name, *(str(one) for row in of(name) for one in row[1:])] for name in ("A", "B")]
    return [tuple(row) for row in (groups, ["Server", *HEAD[2:], *HEAD[2:], *HEAD[2:]], *body)]


def four_across(heads: list[str]) -> str:
    titles = (
        "TPS by threads",
        "QPS, threads",
        "p95 latency (ms) by number of threads",
        "p99 latency (ms), threads",
    )
    return "".join(across(number, heads, title) for number, title in enumerate(titles, start=1))


GROUPS = ["", "A", "", "", "", "B", "", "", ""]
NAMES = ["Threads", *HEAD[2:], *HEAD[2:]]
SHAPES = {
    "grouped.csv": joined(rows(), ","),
    "load-last.csv": joined([(*row[2:], row[0], row[1]) for row in rows()], ","),
    "semicolons.csv": joined(rows(), ";"),
    "tabs.tsv": joined(rows(), "\t"),
    "titled.csv": "Results of the first test\n" + joined(rows(), ","),
    "grouped.md": markdown(rows()),
    "tabs.txt": joined(rows(), "\t"),
    "blanks.txt": joined(rows("Engine", "Threads", "TPS", "QPS", "p95_ms", "p99_ms"), "   "),
    "client.txt": "+---+---+\n" + markdown(rows()).replace("|---|---|---|---|---|---|", "+---+---+"),
    "gaps.md": markdown([(row[0] if n in (0, 1, 4) else "", *row[1:]) for n, row in enumerate(rows())]),
    "number-of.md": markdown(rows("Engine", "Number of threads", *HEAD[2:])),
    "hash.md": markdown(rows("Engine", "#Threads", *HEAD[2:])),
    "thds.md": markdown(rows("Engine", "Thds", *HEAD[2:])),
    "thread.md": markdown(rows("Engine", "Thread", *HEAD[2:])),
    "chinese.md": markdown(rows("引擎", "线程数", "TPS", "QPS", "95%响应时间(ms)", "99%响应时间(ms)")),
    "concurrency.md": markdown(rows("引擎", "并发", "TPS", "QPS", "P95延迟(毫秒)", "P99延迟(毫秒)")),
    "japanese.md": markdown(rows("Engine", "スレッド数", "TPS", "QPS", "p95 遅延 (ms)", "p99 遅延 (ms)")),
    "korean.md": markdown(rows("엔진", "스레드 수", "TPS", "QPS", "p95 지연시간 (ms)", "p99 지연시간 (ms)")),
    "russian.md": markdown(rows("Движок", "Число потоков", "TPS", "QPS", "p95 (ms)", "p99 (ms)")),
    "german.md": markdown(rows("Engine", "Anzahl Verbindungen", *HEAD[2:4], "p95 Latenz", "p99 Latenz")),
    "users.md": markdown(rows("Engine", "Concurrent users", *HEAD[2:])),
    "units.md": formed("{}", "{} threads", "{} tps", "{} qps", "{} ms", "{} ms"),
    "marks.md": formed("{}", "{}", "{}*", "**{}**", "{}[1]", "{}†"),
    "no-load.md": markdown([(*row[:1], *row[2:]) for row in rows()]),
    "pairs.md": pairs("p95 / p99 latency (ms)", "{4} / {5}"),
    "pairs-with-units.md": pairs("Latency (p95 / p99)", "{4} ms / {5} ms"),
    "brackets.md": pairs("p95 latency (p99 latency)", "{4} ({5})"),
    "three.md": markdown(
        [
            ("Engine", "Threads", "QPS", "TPS", "Latency p95/p99 (ms)"),
            *((*row[:2], row[3], row[2], f"{row[4]}/{row[5]}") for row in rows()[1:]),
        ]
    ),
    "corner.md": corner("{}"),
    "corner-units.md": corner("{} threads"),
    "metrics-in-rows.csv": joined(metrics_in_rows("A") + metrics_in_rows("B")[1:], ","),
    "load-over-metrics.csv": joined(load_over_metrics(), ","),
    "two-heads.md": markdown(side_by_side(GROUPS, NAMES)),
    "two-heads-repeated.md": markdown(side_by_side(["", *"AAAABBBB"], NAMES)),
    "two-heads.csv": joined(side_by_side(GROUPS, NAMES), ","),
    "across.md": four_across(["8", "16", "32"]),
    "across-threads.md": four_across(["8 threads", "16 threads", "32 threads"]),
    "across-short.md": four_across(["t=8", "t=16", "t=32"]),
    "across-chinese.md": four_across(["8线程", "16线程", "32线程"]),
}  # fmt: skip


@pytest.mark.sampled(13)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_every_figure(tmp_path: Path, shape: str) -> None:
    path = tmp_path / shape
    path.write_text(SHAPES[shape], encoding="utf-8")
    material = read_material([path])
    assert sorted(cell.value for cell in material.cells) == VALUES
    assert material.left == ()
    if shape != "no-load.md":
        assert {cell.rung for cell in material.cells} == {8, 16, 32}
        assert {cell.axis for cell in material.cells} <= {"threads", "concurrency", "connections", "users"}
    if "across" in shape or "corner" in shape:
        return  # a table for each metric: rows of different tables are not compared
    found = [one for one in audit([path]).findings if one.rule == "order"]
    assert sorted(one.printed.split()[0] for one in found) == ["1.5", "11.25", "9.25"]


@pytest.mark.parametrize(
    ("old", "new", "part", "text"),
    [
        ("| 1600.5 ", "| see below ", "cell", "see below"),
        ("| 1600.5 ", "| 1600.5 (+12 %) ", "cell", "1600.5 (+12 %)"),
        ("| 1600.5 ", "| 1600.5 ± 20 ", "cell", "1600.5 ± 20"),
        ("| A | 16 ", "| A | many ", "cell", "1500.5"),
        ("| A | 16 | 1500.5 ", "| A | 16 | 1500.5 | 9 ", "line", "| A | 16 | 1500.5 | 9 "),
    ],
)
def test_what_is_not_read_is_named(tmp_path: Path, old: str, new: str, part: str, text: str) -> None:
    path = tmp_path / "table.md"
    assert old in SHAPES["grouped.md"]
    path.write_text(SHAPES["grouped.md"].replace(old, new), encoding="utf-8")
    left = [(one.part, one.text.startswith(text)) for one in audit([path]).left]
    assert (part, True) in left


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3,4\n5,6\n",
        markdown([("Engine", "Score"), ("A", "12"), ("B", "14"), ("C", "19")]),
        "Name   Points\nA      12\nB      14\nC      15\n",
    ],
)
def test_nothing_read_is_not_nothing_found(tmp_path: Path, text: str) -> None:
    for name in ("table.csv", "table.txt"):
        (tmp_path / name).write_text(text)
        if name == "table.csv" and "|" in text:
            continue
        with pytest.raises(InputError, match=r"no figure was read|holds no table") as raised:
            audit([tmp_path / name])
        assert name in raised.value.message


def test_a_table_that_is_left_out_is_named_beside_others(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    score = markdown([("Engine", "Score"), ("A", "12"), ("B", "14"), ("C", "19")])
    path.write_text(SHAPES["grouped.md"] + score, encoding="utf-8")
    found = audit([path])
    assert [(one.part, one.text) for one in found.left] == [("table", "Engine, Score")]
    assert found.figures == len(VALUES)
