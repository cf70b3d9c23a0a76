"""What pages say beyond the report: studies that run, unequal settings, a load point's heat map, filters."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from asking import Seen, ask
from assay.base.numbers import number
from assay.design.folder import ResultsFolder
from assay.design.folder.live import LabBegan, LabEnded, PlannedLine, encode_line
from assay.front.web import Site, make_app
from assay.reporting.live import this_viewer
from recorded_results import unpack
from starlette.applications import Starlette


@pytest.fixture
def begun() -> LabBegan:
    """The lab is this process."""
    me = this_viewer()
    assert me.pid == os.getpid()
    return LabBegan(
        at_wall_ns=1, pid=me.pid, start_ticks=me.start_ticks, assay="0", study="purge-threads", seed=3,
        load_kind="threads", loads=[1, 8], treatments=["a"], rung_s=1, may_widen=False, done=[], loading_s=0,
        run_s=60,
        plan=[PlannedLine(run=f"b0{at}-01-a", treatment="a", block=at, loads=[1, 8]) for at in (1, 2)],
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_a_study_that_runs_is_on_top_with_its_time_left(root: Path, tmp_path: Path, begun: LabBegan) -> None:
    for name in ("unfinished", "quick"):
        shutil.copytree(root / name, tmp_path / name)
    site = Site(tmp_path)
    app, live = make_app(site), ResultsFolder(tmp_path / "unfinished").live
    (row,) = [row for row in site.catalogue.rows(wait_s=None)[0] if row.place == "unfinished"]
    assert "Running now" not in ask(app, "/en/").text
    live.write_bytes(encode_line(begun))
    page = ask(app, "/en/").text
    top = page.partition("Running now")[2].partition("</section>")[0]
    assert f'href="/en/live/{row.rid}"' in top
    assert "about 2 min" in top
    assert "<progress" in top
    assert page.index("Running now") < page.index('id="results"')
    live.write_bytes(encode_line(begun) + encode_line(LabEnded(at_wall_ns=2, why="interrupted")))
    assert "Running now" not in ask(app, "/en/").text


@pytest.mark.usefixtures("undrawn")
def test_a_comparison_names_settings_that_differ_and_shows_both_latencies(tmp_path: Path) -> None:
    folder = unpack("closed", tmp_path)
    site = Site(folder.path)
    ((row,), _), name = site.catalogue.rows(wait_s=None), "innodb_flush_log_at_trx_commit"
    sides = [f"{row.rid}:{name}%3D{level}" for level in (1, 0)]
    recorded, address = make_app(site), f"base={sides[0]}&new={sides[1]}"
    page = Seen(ask(recorded, f"/en/compare?{address}").text)
    assert [[cell.text for cell in row] for row in page.tables["settings"][1:]] == [[name, "1", "0"]]
    assert {"chart-distribution", "chart-timelines"} <= set(page.ids)
    tables = ask(recorded, f"/en/compare.json?{address}").json()["tables"]
    assert [one["rows"] for one in tables if one["name"] == "settings"] == [[[name, "1", "0"]]]
    same = ask(recorded, f"/en/compare?base={sides[0]}&new={sides[0]}").text
    assert "The server settings of both sides are equal." in same


def test_a_load_point_has_its_own_heat_map_and_the_way_by_hand(
    app: Starlette, rids: dict[str, str], run: str
) -> None:
    address = f"/en/r/{rids['quick']}/run/{run}"
    rung = ask(app, f"{address}/1")
    seen = Seen(rung.text)
    assert {"chart-seconds", "chart-heat"} <= set(seen.ids)
    assert {row[1].text for row in seen.tables["chart-heat"][1:] if len(row) > 1} <= {run}
    for page in (rung, ask(app, address)):
        assert "assay.load(" in page.text
        assert "SELECT" in page.text
    events = ask(app, f"{address}/1/events")
    line = events.text.partition("tail -c +")[2]
    assert line.startswith("1 ")


@pytest.mark.parametrize("name", ["seconds", "measures"])
def test_long_tables_have_a_filter(app: Starlette, rids: dict[str, str], run: str, name: str) -> None:
    text = ask(app, f"/en/r/{rids['quick']}/run/{run}/1").text
    seen = Seen(text)
    assert (f'data-filters="table-{name}"' in text) == (len(seen.tables[name]) - 1 > 20)


@pytest.mark.long
def test_both_sides_have_one_axis_and_a_load_point_that_the_address_names(
    app: Starlette, rids: dict[str, str]
) -> None:
    names = [f"innodb_purge_threads={level}" for level in (1, 4)]
    sides = "&".join(
        f"{side}={rids['quick']}:{quote(name)}" for side, name in zip(("base", "new"), names, strict=True)
    )

    def shown(state: str) -> tuple[list[dict[str, str]], str]:
        rows = csv.DictReader(io.StringIO(ask(app, f"/en/compare.csv?chart=timelines&{sides}{state}").text))
        return list(rows), ask(app, f"/en/compare.svg?chart=timelines&{sides}{state}").text

    high, whole = shown("")
    low, _ = shown("&load=1")
    assert {row["load"] for row in high} == {"8.0"}
    assert {row["load"] for row in low} == {"1.0"}
    rates = [row for row in high if row["panel"] == "tps"]
    assert [row["treatment"] for row in rates[:2]] == names  # second by second, both together
    said = Seen(ask(app, f"/en/compare?{sides}").text).words
    for name in names:
        values = [
            float(row["value"]) for row in rates if row["treatment"] == name and row["warmup"] == "False"
        ]
        assert f"{name} between {number(min(values))} and {number(max(values))}" in said
    assert whole.count(">0</text>") > shown("&y=zoom")[1].count(">0</text>")
    page = ask(app, f"/en/compare?{sides}&load=1&y=zoom").text
    shown_now = re.findall(r'<a href="[^"]*#chart-timelines" aria-current="true">([^<]*)</a>', page)
    assert shown_now == ["1 thread", "zoom"]
    assert ask(app, f"/en/compare?{sides}&load=3").status == 404
    assert ask(app, f"/en/compare.svg?chart=nothing&{sides}").status == 404
    alone = f"base={rids['quick']}:{quote(names[0])}&new={rids['deep/again']}:{quote(names[1])}"
    assert "chart-timelines" in ask(app, f"/zh/compare?{alone}").text  # two results have it, too


@pytest.mark.long
def test_each_run_of_a_load_point_has_a_line_of_its_own(
    app: Starlette, site: Site, rids: dict[str, str], run: str
) -> None:
    rid, name = rids["quick"], "innodb_purge_threads=4"
    number_page, rung = f"/en/r/{rid}/n/{name}/8/p95_ms", f"/en/r/{rid}/run/{run}/2"
    text = ask(app, f"{number_page}.csv?chart=quantiles").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len({row["run_id"] for row in rows}) == 6
    measured = dict(
        site.opened(rid)
        .judged.store.cursor()
        .execute("SELECT run_id, value FROM measures WHERE load = 8 AND measure = 'p95_ms'")
        .fetchall()
    )
    for row in rows:  # the line passes through the measure: above it to its right, not above to its left
        assert (float(row["quantile"]) >= 0.95) <= (float(row["ms"]) >= measured[row["run_id"]])
        assert (float(row["quantile"]) <= 0.95) <= (float(row["ms"]) <= measured[row["run_id"]])
    assert int(rows[0]["operations"]) / max(float(row["one_in"]) for row in rows) >= 9
    assert "chart-quantiles" in ask(app, rung).text
    assert ask(app, f"{rung}.svg?chart=quantiles").kind == "image/svg+xml"
    assert "chart-quantiles" not in ask(app, f"/en/r/{rid}/n/{name}/8/tps").text
