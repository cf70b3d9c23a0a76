"""Numbers are checked on the command line: a wrong one is a usage error that says what is expected."""

from __future__ import annotations

import click
import pytest
from assay.base.argument_types import Number, Seconds, WholeNumber, WholeSeconds
from shell import Shell

BENCH = ("bench", "oltp_point_select", "--socket", "nobody.sock")  # whatever runs fails with another code
CALIBRATE = ("calibrate", "oltp_point_select")
FILEIO = ("sysbench", "fileio", "run", "--file-test-mode=rndrd")
CPU = ("sysbench", "cpu", "run")
HUGE = "99999999999999999999"


@pytest.mark.parametrize(
    ("command", "option", "value", "said"),
    [
        *(
            (BENCH, "--time", value, "length of time; write a number of seconds, as in --time 60")
            for value in ("nan", "inf", "-inf", "1e300", "-1", "", "5x", "ten", "0x10")
        ),
        (BENCH, "--time", HUGE, "out of range; expected from 0 to"),
        (BENCH, "--warmup", "inf", "as in --warmup 60"),
        (BENCH, "--warmup", "9999h", "out of range"),
        *((BENCH, "--rate", value, "is not a number") for value in ("nan", "inf", "-inf", "many")),
        (BENCH, "--rate", "1e300", "out of range; expected from 0 to 1,000,000,000"),
        (BENCH, "--rate", "-1", "out of range"),
        (BENCH, "--threads", HUGE, "out of range; expected from 1 to 100,000"),
        (BENCH, "--threads", "0", "out of range"),
        (BENCH, "--threads", "1.5", "is not a whole number"),
        (BENCH, "--threads", "nan", "is not a whole number"),
        (BENCH, "--seed", "1e23", "is not a whole number"),
        (BENCH, "--seed", "100000000000000000000000", "out of range"),
        (BENCH, "--events", HUGE, "out of range"),
        (BENCH, "--terminals", HUGE, "out of range"),
        (BENCH, "--reconnect", HUGE, "out of range"),
        (BENCH, "--engine-threads", HUGE, "out of range"),
        (BENCH, "--report-interval", "0.5", "whole seconds"),
        (BENCH, "--report-interval", HUGE, "out of range"),
        (BENCH, "--percentile", "0", "expected above 0 to 100"),
        (BENCH, "--percentile", "nan", "is not a number"),
        (BENCH, "--table-size", HUGE, "out of range"),
        (BENCH, "--probe-time", "inf", "length of time"),
        (BENCH, "--precision", "nan", "is not a number"),
        (CALIBRATE, "--time", "nan", "length of time"),
        (CALIBRATE, "--time", "inf", "length of time"),
        (CALIBRATE, "--threads", HUGE, "expected numbers from 1 to 100,000"),
        (FILEIO, "--time", "nan", "length of time"),
        (FILEIO, "--rate", "inf", "is not a number"),
        (FILEIO, "--percentile", "101", "out of range"),
        (FILEIO, "--threads", HUGE, "out of range"),
        (CPU, "--time", "nan", "length of time"),
        (CPU, "--rate", "inf", "is not a number"),
        (CPU, "--percentile", "101", "out of range"),
        (CPU, "--events", HUGE, "out of range"),
        (CPU, "--cpu-max-prime", HUGE, "out of range; expected from 3 to 4,294,967,296"),
    ],
)
def test_strange_numbers(shell: Shell, command: tuple[str, ...], option: str, value: str, said: str) -> None:
    ended = shell(*command, f"{option}={value}")
    assert (ended.code, ended.out) == (2, "")
    assert f"Invalid value for '{option}'" in ended.err
    assert said in ended.err
    assert "job" not in ended.err


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5", 5), ("5s", 5), ("1.5", 1.5), ("500ms", 0.5), ("2min", 120), ("1h", 3600), ("0", 0)],
)
def test_lengths_of_time(text: str, seconds: float) -> None:
    assert Seconds().convert(text, None, None) == seconds


def test_defaults_pass_as_they_are() -> None:
    assert Seconds().convert(10.0, None, None) == 10.0
    assert WholeSeconds().convert(1, None, None) == 1
    assert WholeNumber(1).convert(4, None, None) == 4
    assert Number(0).convert(0.5, None, None) == 0.5
    with pytest.raises(click.BadParameter):
        Number(0).convert(float("nan"), None, None)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--db-driver=mysql", "leave it out: every server here speaks the MySQL protocol"),
        ("--mysql-password=x", "$ASSAY_PASSWORD"),
        ("--mysql-ignore-errors=1213", "--on-error count"),
        ("--report-checkpoints=10", "--report-interval"),
        ("--mysql_ssl=on", "--ssl-mode"),
        ("--validate", "check"),
    ],
)
def test_options_of_sysbench_that_are_not_taken_say_what_is(shell: Shell, option: str, said: str) -> None:
    ended = shell(*BENCH, option)
    assert ended.code == 2
    assert "is an option of sysbench that assay does not take" in ended.err
    assert said in ended.err


@pytest.mark.parametrize(
    "option",
    ["--rand-seed=3", "--percentile=99", "--histogram", "--time=5s", "--num-threads=2", "--max_time=3"],
)
def test_options_of_sysbench_that_are_taken(shell: Shell, option: str) -> None:
    assert shell(*BENCH, option).code == 3  # nobody listens there


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("tpcc", "is a load on a database: assay bench tpcc run"),
        ("fileoi", 'did you mean "fileio"?'),
        ("oltp_read_onyl", 'did you mean "oltp_read_only"?'),
    ],
)
def test_other_tests_of_sysbench(shell: Shell, test: str, said: str) -> None:
    ended = shell("sysbench", test, "run")
    assert ended.code == 1
    assert said in ended.err
