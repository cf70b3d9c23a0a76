"""Bad input of every kind: each is answered by what is wrong, where, and what to do.

The rows are data, in `bad_rows`. A row is clear when its exit code is the documented one and its words stand
in the answer: the file, the key, the nearest valid name, the remedy.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from assay.system.server import Instance
from bad_rows import ROWS
from bad_rows.row import Place, Row
from patience import at_most
from shell import Shell

NEVER = (
    "Traceback (most recent call last)",
    "pydantic",
    "validation error",
    "[type=",
    "msgspec",
    "pymysql",
    "duckdb",
    "Errno",
)
"""What belongs to the layers below, and tells a person nothing."""
_POSITION = re.compile(r"at line \d+ column \d+|JSON position|byte \d+ of the job")
MOST_UNCLEAR = 5
PATIENCE_S = 180


def marks_of(row: Row) -> list[pytest.MarkDecorator]:
    """Rows that damage results take a second each, for a folder is copied and judged; others are cheap."""
    return [pytest.mark.sampled(12)] if row.id.startswith("damaged-") else []


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("row", [pytest.param(row, id=row.id, marks=marks_of(row)) for row in ROWS])
def test_a_bad_input_is_answered_clearly(
    row: Row,
    shell: Shell,
    spoilt: Instance,
    shared_results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place(tmp_path, spoilt.socket, shared_results)
    monkeypatch.chdir(tmp_path)
    for name, content in row.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, value in row.env.items():
        monkeypatch.setenv(name, value.format(here=tmp_path))
    if row.before is not None:
        row.before(place)
    line = row.does.replace("{socket}", str(place.socket)).replace("{results}", str(place.results))
    with at_most(PATIENCE_S):
        ended = shell(*shlex.split(line.replace("{here}", str(tmp_path))))
    told = ended.out + ended.err
    faults = [f"code {ended.code}, not {row.code}"] if ended.code != row.code else []
    faults += [f"lacks {word!r}" for word in row.words if word not in told]
    faults += [f"has {word!r}" for word in NEVER if word in told]
    faults += [f"has {found[0]!r}" for found in [_POSITION.search(told)] if found]
    if ended.code not in (0, 1) and not re.search(r"^error: |--help", ended.err, re.MULTILINE):
        faults.append("says no error")
    if row.unclear is not None and faults:
        pytest.xfail(row.unclear)
    assert not faults, f"{faults}\n{ended.err}{ended.out[-2000:]}"


def test_rows_are_many_and_almost_all_clear() -> None:
    assert len(ROWS) >= 350
    assert sum(row.unclear is not None for row in ROWS) <= MOST_UNCLEAR
    assert [name for name, count in Counter(row.id for row in ROWS).items() if count > 1] == []


def test_nothing_is_left_running(spoilt: Instance) -> None:
    """Runs after the rows: the servers that they started are gone."""
    home = Path(os.environ["ASSAY_HOME"])
    mine = {spoilt.pid}
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if (
            command[0].endswith((b"mariadbd", b"mysqld"))
            and str(home / "run").encode() in b" ".join(command)
            and int(process.name) not in mine
        ):
            left.append(command)
    assert left == []
