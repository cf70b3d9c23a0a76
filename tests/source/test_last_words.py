"""What is said of a server's log beside an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.errors import AssayError, ConnectError, InputError, ServerError, ServerLost
from assay.measurement.source.last_words import with_last_words

QUIET = "0 [Note] starting\n0 [Note] ready for connections"
LOUD = "7 [ERROR] InnoDB: page 4 of t is corrupted"


class Server:
    """A server with this log."""

    def __init__(self, log: str, end: str | None = None) -> None:
        self.log, self.end = log, end

    def how_it_ended(self) -> str | None:
        return self.end

    def log_tail(self, lines: int) -> str:
        return "\n".join(self.log.splitlines()[-lines:])


@pytest.mark.parametrize("kind", [ServerError, InputError])
@pytest.mark.parametrize(
    ("log", "detail"), [(QUIET, None), (f"{QUIET}\n{LOUD}\n8 [Warning] Aborted connection 9", LOUD)]
)
def test_beside_an_answer_stand_only_lines_that_complain(
    kind: type[AssayError], log: str, detail: str | None
) -> None:
    refused = kind("shop.sql:3:1: no such table", hint="correct the name", code=1146)
    told = with_last_words(refused, Server(log))
    assert (told.message, told.hint, told.detail, told.code) == (
        "shop.sql:3:1: no such table",
        "correct the name",
        detail,
        1146,
    )


@pytest.mark.parametrize("kind", [ServerLost, ConnectError])
def test_beside_the_loss_of_a_server_stands_the_end_of_its_log(kind: type[AssayError]) -> None:
    told = with_last_words(kind("it went away"), Server(QUIET, "the server was ended by signal 9"))
    assert told.message == "it went away; the server was ended by signal 9"
    assert told.detail == QUIET


def test_what_the_engine_takes_for_a_full_disk_is_one_in_a_log_too() -> None:
    source = Path(__file__).parents[2] / "crates/engine/src/process/failure.rs"
    (words,) = re.findall(r"const NO_SPACE: .*? = \[(.*?)\]", source.read_text(), re.DOTALL)
    phrases = re.findall(r'"([^"]+)"', words)
    assert len(phrases) >= 3
    for phrase in phrases:
        told = with_last_words(ServerLost("it went away"), Server(f"7 [ERROR] InnoDB: {phrase}"))
        assert told.hint == "make room on the disk of the server's data", phrase
