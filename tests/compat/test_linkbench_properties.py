"""Java's properties syntax, and what LinkBench's keys come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.front.compat.linkbench import (
    Property,
    Settings,
    general_options,
    max_failed,
    parse_properties,
    read_settings,
)

OWN = ("startid1", "maxid1", "nlinks_func", "read_function", "data_file", "write_uncorr_blend")


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("maxid1 = 1001", "maxid1", "1001"),
        ("maxid1=1001", "maxid1", "1001"),
        ("maxid1:1001", "maxid1", "1001"),
        ("  maxid1 1001", "maxid1", "1001"),
        ("maxid1\t=\t 1001  ", "maxid1", "1001  "),
        ("a==b", "a", "=b"),
        ("alone", "alone", ""),
        ("a\\ b\\=c = d", "a b=c", "d"),
        ("path = C:\\\\data\\tx", "path", "C:\\data\tx"),
        ("a = \\u00e4\\u0041", "a", "äA"),
        ("a = \xe4", "a", "ä"),
        ("a = one, \\\n    two, \\\r\n\tthree", "a", "one, two, three"),
        ("a = ends \\\\\nb", "a", "ends \\"),
        ("\\\n# not an entry yet\na = 1", "a", "1"),
        ("a = 1 # no comment", "a", "1 # no comment"),
        ("a = b\\", "a", "b"),
    ],
)
def test_a_line_is_read_as_java_does(text: str, key: str, value: str) -> None:
    (first, *_) = parse_properties(text.encode("latin-1"), "x.properties")
    assert (first.key, first.value) == (key, value)


def test_comments_and_blank_lines_count_as_lines_only() -> None:
    text = "# a = 1\n  ! b = 2\n\n \t\n# goes on \\\nc = \\\n  3\nd = 4\n"
    found = parse_properties(text.encode(), "x.properties")
    assert found == [Property("c", "3", "x.properties:6"), Property("d", "4", "x.properties:8")]


def test_a_broken_escape_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"x.properties:2: \\u12x needs four hexadecimal digits"):
        parse_properties(b"a = 1\nb = \\u12x\n", "x.properties")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Two files as the original ships them, in its folder `config`."""
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "Distribution.dat").write_text("nlinks\n0 50\n1 100\n")
    (folder / "FBWorkload.properties").write_text(
        "data_file = config/Distribution.dat\nstartid1 = 1\nmaxid1 = 10001\n"
        "read_function = com.facebook.LinkBench.distributions.ZipfDistribution\n"
    )
    path = folder / "LinkConfigMysql.properties"
    path.write_text(
        "workload_file = config/FBWorkload.properties\n"
        "linkstore = com.facebook.LinkBench.LinkStoreMysql\n"
        "host = db1\nuser = me\npassword = secret\nport = 3307\ndbid = linkdb\n"
        "linktable = linktable\ndebuglevel = INFO\nprogressfreq = 300\ndisplayfreq = 1800\n"
        "requesters = 20\nrequests = 500\nrequestrate = 7\nmaxtime = 60\nwarmup_time = 5\n"
        "max_failed_requests = 100\nloaders = 10\nrequest_random_seed = -2\nmaxid1 = 2001\n"
    )
    return path


def values(found: dict[str, Property]) -> dict[str, str]:
    return {name: one.value for name, one in found.items()}


def test_the_second_file_gives_way_to_the_first_and_both_to_overrides(config: Path, tmp_path: Path) -> None:
    settings = read_settings(config, [Property("startid1", "11", "-D startid1")], OWN)
    assert values(settings.options) == {
        "data_file": str(tmp_path / "config" / "Distribution.dat"),
        "startid1": "11",
        "maxid1": "2001",
        "read_function": "com.facebook.LinkBench.distributions.ZipfDistribution",
    }
    assert settings.options["maxid1"].place == "LinkConfigMysql.properties:20"
    assert [path.name for path in settings.files] == ["LinkConfigMysql.properties", "FBWorkload.properties"]


def test_a_run_does_what_all_requesters_together_would(config: Path) -> None:
    found = values(general_options(read_settings(config, [], OWN), "run", None))
    assert found == {
        "host": "db1",
        "port": "3307",
        "user": "me",
        "db": "linkdb",
        "threads": "20",
        "events": "10000",
        "rate": "140",
        "time": "60",
        "warmup": "5",
        "on_error": "count",
        "report_interval": "300",
        "seed": str(2**64 - 2),
    }


def test_requests_are_of_the_requesters_that_the_command_line_asks_for(config: Path) -> None:
    found = values(general_options(read_settings(config, [], OWN), "run", 4))
    assert (found["events"], found["rate"]) == ("2000", "28")


def test_a_load_takes_its_own_threads_and_no_limits_of_a_run(config: Path) -> None:
    found = values(general_options(read_settings(config, [], OWN), "prepare", None))
    assert found == {"host": "db1", "port": "3307", "user": "me", "db": "linkdb", "threads": "10"}


@pytest.mark.parametrize(
    ("limit", "policy", "most"), [("-1", "count", None), ("0", "stop", 0), ("5", "count", 20)]
)
def test_failed_requests(limit: str, policy: str, most: int | None) -> None:
    settings = Settings(general={"max_failed_requests": Property("max_failed_requests", limit, "f:1")})
    assert values(general_options(settings, "run", 1))["on_error"] == policy
    assert max_failed(settings, 4) == most


def test_keys_of_a_file_without_use_are_said_with_their_place_and_the_nearest_known(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(
        "maxid = 9\ndebuglevel = INFO\nMySQL_bulk_insert_batch = 9\nwrite_options_sync = true\nhosts = db1\n"
    )
    assert read_settings(tmp_path / "f", [], OWN).remarks == (
        "f:1: no key is called 'maxid': it is left out; did you mean \"maxid1\"?",
        "f:2: debuglevel has no effect: there is one level of text",
        "f:3: MySQL_bulk_insert_batch has no effect: LinkBench itself never reads it,"
        " and the loader chooses its batches",
        "f:4: write_options_sync is for RocksDB alone; it is left out",
        "f:5: no key is called 'hosts': it is left out; did you mean \"host\"?",
    )


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("maxid", "9", "f:1: no key is called 'maxid'; did you mean \"maxid1\"\\?"),
        ("linkstore", "com.facebook.LinkBench.LinkStoreRocksDb", "only servers of the MySQL family"),
        ("counttable", "counts2", "f:1: counttable is 'counts2'"),
        ("workload_file", "nowhere.properties", "f:1: workload_file names nowhere.properties"),
        ("data_file", "/nowhere/Distribution.dat", "f:1: data_file names /nowhere/Distribution.dat"),
    ],
)
def test_what_cannot_be_done_is_refused(key: str, value: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_settings(None, [Property(key, value, "f:1")], OWN)


def test_a_number_that_is_none_is_refused_with_its_place() -> None:
    settings = Settings(general={"requests": Property("requests", "many", "f:7")})
    with pytest.raises(InputError, match="f:7: requests is 'many', which is not a whole number"):
        general_options(settings, "run", None)


def test_home_comes_first_for_relative_names(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "home" / "config"
    other.mkdir(parents=True)
    (other / "FBWorkload.properties").write_text("startid1 = 5\n")
    monkeypatch.setenv("LINKBENCH_HOME", str(tmp_path / "home"))
    assert values(read_settings(config, [], OWN).options) == {"startid1": "5", "maxid1": "2001"}
