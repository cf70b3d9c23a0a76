"""Every error is printed on standard error, with what to do, and has an exit code of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from assay.base import errors
from assay.front.cli.group import assay
from shell import QUICKSTART, Shell

Raise = Callable[[BaseException], None]

CODES = {
    errors.AssayError: 1,
    errors.InputError: 2,
    errors.ConnectError: 3,
    errors.ServerError: 4,
    errors.ServerLost: 5,
    errors.HostError: 6,
    errors.ConflictError: 7,
    errors.DataError: 8,
    errors.Interrupted: 130,
}


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Raise:
    """Makes any verb end with an error."""

    def install(error: BaseException) -> None:
        def main(*arguments: object, **options: object) -> None:
            raise error

        monkeypatch.setattr(assay, "main", main)

    return install


@pytest.mark.parametrize(("kind", "code"), CODES.items())
def test_each_kind_has_its_code(
    raising: Raise, shell: Shell, kind: type[errors.AssayError], code: int
) -> None:
    raising(kind("load.threads[2]: no", hint="write [bold] 1", detail="a\n  b [/]"))
    ended = shell("plan")
    assert (ended.code, ended.out) == (code, "")
    assert ended.err == "error: load.threads[2]: no\n  a\n    b [/]\nhint: write [bold] 1\n"


def test_a_long_message_is_not_broken(raising: Raise, shell: Shell) -> None:
    raising(errors.InputError("word " * 100))
    assert shell("plan").err.count("\n") == 1


def test_ctrl_c(raising: Raise, shell: Shell) -> None:
    raising(KeyboardInterrupt())
    assert shell("plan").code == 130


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--find-rate", "--p99", "10ms", "--terminals", "40"], "leave --terminals out"),
        (["--find-rate", "--p99", "10ms", "--delivery-log", "x.csv"], "leave --delivery-log out"),
        (
            ["--find-rate", "--p99", "10ms", "--pacing", "spec"],
            "--pacing spec cannot be combined with --rate",
        ),
        (["--rate", "10", "--pacing", "spec"], "--pacing spec cannot be combined with --rate"),
        (["--rate", "10", "--terminals", "40"], "--terminals cannot be combined with --rate"),
    ],
)
def test_what_a_rate_does_not_go_with_is_said_before_anything_runs(
    shell: Shell, options: list[str], message: str
) -> None:
    # Nobody listens there: whatever runs fails otherwise.
    ended = shell("bench", "tpcc", *options, "--socket", "nobody.sock")
    assert ended.code == 2
    assert message in ended.err


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["pln"], 'assay has no verb "pln"; did you mean "plan"?', "see: assay --help"),
        (["plan"], "Missing argument 'STUDY'.", "see: assay plan --help"),
        (["plan", QUICKSTART, "--sed", "1"], "No such option '--sed'", "see: assay plan --help"),
        (["plan", QUICKSTART, "--seed", "x"], "Invalid value for '--seed'", "see: assay plan --help"),
        (["server", "strt"], "No such command 'strt'", "see: assay server --help"),
    ],
)
def test_mistakes_on_the_command_line(shell: Shell, arguments: list[object], message: str, hint: str) -> None:
    ended = shell(*arguments)
    assert ended.code == 2
    assert message in ended.err
    assert f"hint: {hint}" in ended.err
