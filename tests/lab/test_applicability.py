"""A study that says which servers it applies to is refused on any other, with its reason, before anything
starts.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.experiments.lab import OpenedStudy, foresee, open_study
from assay.measurement.source import catalogued
from assay.measurement.source.running import ExistingServer
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Instance, parse_dsn

STUDY = """\
[study]
name = "applying"
[server]
use = "mariadb"
applies = {applies}
reason = "others do not have it"
[workload]
use = "oltp_read_only"
table_size = 100
[load]
threads = [1]
warmup = "none"
measure = "1s"
"""
AGAIN = "server.use = {use!r}: the study does not apply to {server}, only to {spans}: others do not have it"


def opened(folder: Path, applies: str, use: str = "mariadb", factor: str = "") -> OpenedStudy:
    text = STUDY.replace("{applies}", applies) + factor
    (folder / "a.toml").write_text(text.replace('use = "mariadb"\n', "") if factor else text)
    return open_study(folder / "a.toml", {} if factor else {("server", "use"): use})


def refusal(folder: Path, applies: str, use: str = "mariadb", factor: str = "") -> InputError:
    with pytest.raises(InputError) as caught:
        foresee(opened(folder, applies, use, factor), ResultsFolder(folder / "results"))
    return caught.value


@pytest.mark.parametrize(
    ("use", "server"),
    [("mysql@5.5", "MySQL 5.5"), ("mysql@5.1.73", "MySQL 5.1.73"), ("mariadb@11", "MariaDB 11")],
)
def test_by_its_name_although_it_is_not_here(tmp_path: Path, use: str, server: str) -> None:
    error = refusal(tmp_path, '["mysql >= 5.6", "mariadb < 10.6"]', use)
    spans = "mysql >= 5.6 and mariadb < 10.6"
    assert error.message == f"{tmp_path}/a.toml:4: {AGAIN.format(use=use, server=server, spans=spans)}"
    assert error.hint is not None
    assert "mysql@5.6.24" in error.hint
    assert "mariadb@10.2.11" in error.hint
    assert "mysql@5.5.9" not in error.hint
    assert "mariadb@10.11" not in error.hint


def test_by_the_version_of_the_binary(tmp_path: Path, mariadb_build: object) -> None:
    message = refusal(tmp_path, '["mariadb < 10.0", "mysql"]').message
    assert "a.toml:4: server.use = 'mariadb': the study does not apply to MariaDB 1" in message
    assert message.endswith("only to mariadb < 10.0 and mysql: others do not have it")


def test_a_level_of_a_factor_too(tmp_path: Path) -> None:
    factor = '[[factor]]\nname = "server.use"\nlevels = ["mariadb", "mysql@5.5"]\n'
    assert (
        "server.use = 'mysql@5.5': the study does not apply to MySQL 5.5, only to mariadb"
        in refusal(tmp_path, '["mariadb"]', factor=factor).message
    )


def test_a_server_that_runs_is_asked_for_its_version(tmp_path: Path, mariadb: Instance) -> None:
    dsn = f"dsn:mysql://root@localhost/assay?socket={mariadb.socket}"
    with closing(mariadb.connect()) as connection:
        text = str(connection.rows("SELECT VERSION()")[0][0])
    flavour, version = ExistingServer(parse_dsn(dsn), Interrupts()).version()
    assert flavour == "mariadb"
    assert text.startswith(".".join(map(str, version)))
    number = ".".join(map(str, version))
    assert (
        f"the study does not apply to MariaDB {number}, only to mysql"
        in refusal(tmp_path, '["mysql"]', dsn).message
    )


def test_a_server_within_a_span_is_planned(tmp_path: Path) -> None:
    forecast = foresee(opened(tmp_path, '["mysql", "mariadb >= 10.0"]'), ResultsFolder(tmp_path / "results"))
    assert forecast.refusal is None


def test_an_unknown_flavour_is_told_the_nearest(tmp_path: Path) -> None:
    message = refusal(tmp_path, '["mysql", "maria >= 10"]').message
    assert message.startswith(
        f'{tmp_path}/a.toml:5: server.applies[1]: "maria" cannot be a flavour of server'
    )
    assert message.endswith('did you mean "mariadb"?')


def test_without_spans_a_study_applies_to_the_whole_catalogue(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(STUDY.replace("applies = {applies}\n", "").replace("reason", "# reason"))
    study = open_study(tmp_path / "a.toml").study
    assert {"mysql@5.5.9", "mariadb@11.4.5"} <= set(catalogued(study))
