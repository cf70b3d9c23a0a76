"""InnoDB's page hands its script the same seconds for all panels, and says in words what it does not draw."""

from __future__ import annotations

import html
import json
import re

from asking import ask
from starlette.applications import Starlette


def test_all_panels_have_the_same_seconds(app: Starlette, rids: dict[str, str]) -> None:
    page = ask(app, f"/en/r/{rids['quick']}/innodb?load=8")
    assert page.status == 200
    data = json.loads(html.unescape(re.search(r'data-panels="([^"]*)"', page.text)[1]))  # type: ignore[index]
    assert len(data["treatments"]) == 2
    shown = [panel["key"] for panel in data["panels"]]
    assert {"redo", "history"} <= set(shown)
    for panel in data["panels"]:
        assert f'data-panel="{panel["key"]}"' in page.text
        for line in panel["lines"]:
            assert [len(values) for values in line["values"]] == [len(data["times"])] * 2
            assert any(value is not None for values in line["values"] for value in values)
    assert "Not counted by the server:" in page.text
    assert f'href="/en/r/{rids["quick"]}/innodb"' in ask(app, f"/en/r/{rids['quick']}").text


def test_its_twins_have_every_second_and_every_line(app: Starlette, rids: dict[str, str]) -> None:
    at = f"/en/r/{rids['quick']}/innodb"
    csv = ask(app, f"{at}.csv?load=8").text.splitlines()
    assert csv[0] == "panel,line,unit,treatment,t_s,value"
    assert len(csv) > 10
    assert "| Checkpoint age |" not in ask(app, f"{at}.md").text  # which these servers do not count
    assert "| History list |" in ask(app, f"{at}.md").text
    assert ask(app, f"{at}?load=77").status == 404
