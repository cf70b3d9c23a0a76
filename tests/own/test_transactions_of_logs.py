"""Where transactions of a log end: what the server did with those that nobody has ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from first_files import of_text

WRITES = ["UPDATE t SET a = 1 WHERE b = 2", "SELECT a FROM t WHERE b = 2"]
READS = ["SELECT a FROM t WHERE b = 2", "SELECT c FROM t WHERE b = 2"]


def _log(*sent: str) -> str:
    commands = ("Quit", "Reset Connection", "Change user")
    lines = [f"{one}\t" if one in commands else f"Query\t{one}" for one in sent]
    return "".join(f"\t\t    1 {line}\n" for line in lines) + "\t\t    2 Query\tSELECT 1 FROM u\n"


@pytest.mark.parametrize(
    ("sent", "ends", "alone", "without_end"),
    [
        # Who leaves has rolled back.
        (["BEGIN", *WRITES, "Quit"], ["ROLLBACK;"], 0, 0),
        (["BEGIN", *READS, "Reset Connection"], ["ROLLBACK;"], 0, 0),
        (["SET autocommit=0", *WRITES, "Change user"], ["ROLLBACK;"], 0, 0),
        # The end of a log says nothing of what is open.
        (["BEGIN", *WRITES], [], 0, 2),
        (["BEGIN", *READS], [], 0, 2),
        (["SET autocommit=0", *WRITES], [], 0, 2),
        # Reads that lock nothing are a transaction only because autocommit is off.
        (["SET autocommit=0", *READS], [], 2, 0),
        (["SET autocommit=0", *READS, "Quit"], [], 2, 0),
        (["SET autocommit=0", *READS, "COMMIT"], ["COMMIT;"], 0, 0),
        (["SET autocommit=0", f"{READS[0]} FOR UPDATE", READS[1]], [], 0, 2),
        # Other variables of the same SET say nothing of it.
        (["SET autocommit=1, sql_auto_is_null=0", *WRITES], [], 2, 0),
        (
            ["SET @@session.foreign_key_checks=1, @@session.autocommit=0", *WRITES, "COMMIT"],
            ["COMMIT;"],
            0,
            0,
        ),
        (["SET autocommit = OFF, unique_checks = 1", *WRITES, "COMMIT"], ["COMMIT;"], 0, 0),
        # These statements commit.
        (["BEGIN", *WRITES, "DROP TABLE v", "SELECT a FROM t WHERE b = 2", "Quit"], ["COMMIT;"], 1, 0),
        (["BEGIN", *WRITES, "CREATE TABLE v (a INT)", "SELECT d FROM t WHERE b = 2"], ["COMMIT;"], 1, 0),
        (["BEGIN", *WRITES, "DROP TEMPORARY TABLE v", "COMMIT"], ["COMMIT;"], 0, 0),
    ],
)
def test_a_transaction_ends_as_the_server_ended_it(
    sent: list[str], ends: list[str], alone: int, without_end: int, tmp_path: Path
) -> None:
    found = of_text(tmp_path, _log(*sent))

    lines = found.pages.text.splitlines()
    assert [line for line in lines if line in ("COMMIT;", "ROLLBACK;")] == ends
    assert found.kinds == len(ends) + alone + 1  # what the other session sent
    assert found.left_out.get("in a transaction without an end", 0) == without_end


def test_no_command_of_a_log_is_taken_for_a_part_of_a_statement(tmp_path: Path) -> None:
    commands = (
        "Reset connection",
        "Time",
        "Daemon",
        "Binlog Dump GTID",
        "Register Replica",
        "Delayed insert",
    )
    log = "".join(f"\t\t    1 Query\tSELECT 1 FROM u\n\t\t    1 {one}\tx\n" for one in commands)
    found = of_text(tmp_path, log)

    assert (found.kinds, found.executions) == (1, 6)
    assert found.left_out == {"other commands": 5}
