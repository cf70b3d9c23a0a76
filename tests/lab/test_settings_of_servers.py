"""Settings that a study advises for each of its servers, and in its pages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from assay.design.folder import ResultsFolder
from assay.experiments.gate import write_pages
from assay.experiments.lab import judged, settings_advice
from assay.results.advice import ServerAdvice
from assay.testing.results_folder import Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")

THREADS, REDO = "server.variables.innodb_purge_threads", "server.variables.innodb_redo_log_capacity"
SHORT = Truth(measure_s=4, warmup_s=1)
MARIADB, MYSQL = "mariadb@10.11", "mysql@8.4"


def study(*factors: str) -> str:
    """A study file; what a factor varies is not fixed as well."""
    varied = "".join(factors)
    server = "" if "server.use" in varied else 'use = "mariadb"\n'
    workload = "" if "workload.use" in varied else 'use = "oltp_read_write"\n'
    return f"""\
[study]
name = "settings"
[server]
{server}[workload]
{workload}[load]
threads = [8]
warmup = "1s"
measure = "4s"
{varied}"""


def factor(name: str, levels: str) -> str:
    return f'[[factor]]\nname = "{name}"\nlevels = {levels}\n'


SERVERS = factor("server.use", f'["{MARIADB}", "{MYSQL}"]')


def results(
    place: Path,
    toml: str,
    levels: Mapping[str, tuple[Any, ...]],
    effects: Mapping[tuple[Any, ...], float],
    **given: Any,
) -> ResultsFolder:
    """Results with one treatment for each combination of levels, in their order, and an effect by levels."""
    names = {combination: ", ".join(map(str, combination)) for combination in product(*levels.values())}
    return make_results(
        place,
        study_toml=toml,
        treatments={name: dict(zip(levels, combination, strict=True)) for combination, name in names.items()},
        effect={names[combination]: ratio for combination, ratio in effects.items()},
        loads=(8,),
        truth=SHORT,
        blocks=8,
        flavours={name: "mysql" for of, name in names.items() if MYSQL in of},
        versions={name: "8.4.0" for of, name in names.items() if MYSQL in of},
        **given,
    )


def conclusions(advice: ServerAdvice) -> list[tuple[str, dict[str, str]]]:
    return [(one.conclusion, dict(one.settings)) for one in advice.conclusions()]


def test_every_server_has_its_own_comparisons(tmp_path: Path) -> None:
    """The second server is twice as fast, which is no effect of the variable."""
    folder = results(
        tmp_path / "results",
        study(SERVERS, factor(THREADS, "[1, 4]")),
        {"server.use": (MARIADB, MYSQL), THREADS: (1, 4)},
        {(MARIADB, 1): 1.0, (MARIADB, 4): 1.3, (MYSQL, 1): 2.0, (MYSQL, 4): 1.4},
    )
    mariadb, mysql = settings_advice([folder])
    assert (mariadb.flavour, mariadb.version, mariadb.section) == ("mariadb", "10.11.14", "mariadb")
    assert (mysql.flavour, mysql.version, mysql.section) == ("mysql", "8.4.0", "mysqld")
    assert conclusions(mariadb) == [("set", {"innodb_purge_threads": "4"})]
    assert conclusions(mysql) == [("set", {"innodb_purge_threads": "1"})]
    assert mysql.sources[0].study == f"settings, use={MYSQL}"
    (level,) = (one for one in mysql.findings[0].choice.levels if one.effects)
    assert 0.65 < level.first[0].ratio < 0.75


def test_each_server_is_given_its_own_names(tmp_path: Path) -> None:
    reported = {
        f"{server}, {size}M": {name: size << 20}
        for server, name in ((MARIADB, "innodb_log_file_size"), (MYSQL, "innodb_redo_log_capacity"))
        for size in (16, 64)
    }
    folder = results(
        tmp_path / "results",
        study(SERVERS, factor(REDO, '["16M", "64M"]')),
        {"server.use": (MARIADB, MYSQL), REDO: ("16M", "64M")},
        {(MARIADB, "64M"): 1.3, (MYSQL, "64M"): 1.3},
        reported=reported,
    )
    mariadb, mysql = settings_advice([folder])
    assert conclusions(mariadb) == [("set", {"innodb_log_file_size": "67108864"})]
    assert conclusions(mysql) == [("set", {"innodb_redo_log_capacity": "64M"})]


def test_every_workload_counts(tmp_path: Path) -> None:
    """A variable that is better with one workload and worse with the other depends on the load."""
    workloads = ("oltp_read_write", "oltp_read_only")
    folder = results(
        tmp_path / "results",
        study(factor("workload.use", f'["{workloads[0]}", "{workloads[1]}"]'), factor(THREADS, "[1, 4]")),
        {"workload.use": workloads, THREADS: (1, 4)},
        {(workloads[0], 4): 1.3, (workloads[1], 4): 0.7},
    )
    (found,) = settings_advice([folder])
    assert conclusions(found) == [("depends", {})]
    (level,) = (one for one in found.findings[0].choice.levels if one.effects)
    assert {one.workload for one in level.effects} == set(workloads)


def test_other_factors_are_at_their_first_levels(tmp_path: Path) -> None:
    """The effect of 4 is turned round where the query cache is on; only the baseline's value counts."""
    cache = "server.variables.query_cache_type"
    folder = results(
        tmp_path / "results",
        study(factor(THREADS, "[1, 4]"), factor(cache, "[0, 1]")),
        {THREADS: (1, 4), cache: (0, 1)},
        {(4, 0): 1.3, (1, 1): 1.0, (4, 1): 0.5},
    )
    (found,) = settings_advice([folder])
    assert conclusions(found)[0] == ("set", {"innodb_purge_threads": "4"})
    assert conclusions(found)[1][0] in ("no-difference", "undecided")


@pytest.mark.long
def test_the_pages_have_a_fragment_for_each_server(tmp_path: Path) -> None:
    folder = results(
        tmp_path / "results",
        study(SERVERS, factor(THREADS, "[1, 4]")),
        {"server.use": (MARIADB, MYSQL), THREADS: (1, 4)},
        {(MARIADB, 4): 1.3, (MYSQL, 1): 2.0, (MYSQL, 4): 1.4},
    )
    with judged(folder) as found:
        page = write_pages(found).read_text(encoding="utf-8")
    assert page.index("<h3>mariadb 10.11.14</h3>") < page.index("<h3>mysql 8.4.0</h3>")
    files = {path.name: path.read_text(encoding="utf-8") for path in (folder.path / "settings").iterdir()}
    assert set(files) == {
        "mariadb-10.11.14.cnf",
        "mariadb-10.11.14.zh.cnf",
        "mysql-8.4.0.cnf",
        "mysql-8.4.0.zh.cnf",
    }
    assert "\ninnodb_purge_threads = 4\n" in files["mariadb-10.11.14.cnf"]
    assert "\ninnodb_purge_threads = 1\n" in files["mysql-8.4.0.zh.cnf"]


def test_a_study_of_few_blocks_has_no_fragment(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", effect=1.3, blocks=3, loads=(8,), truth=SHORT)
    with judged(folder) as found:
        page = write_pages(found, languages=("en",)).read_text(encoding="utf-8")
    assert 'id="settings"' not in page
    assert not (folder.path / "settings").exists()
