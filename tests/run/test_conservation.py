"""The client's count against the server's."""

from __future__ import annotations

import pytest
from assay.folder import EngineUse, Interval
from assay.run.conservation import Conservation


def doubts(*, counted: int, queries: int = 100_000, errors: int = 0) -> str | None:
    rung = Conservation()
    for phase in ("warmup", "measure"):
        rung.heard(
            Interval(
                phase=phase,
                index=0,
                start_ns=0,
                end_ns=1_000_000_000,
                in_flight=0,
                queued=0,
                labels={},
                engine=EngineUse(),
                queries=queries // 2,
                errors={1213: errors // 2} if errors else {},
            )
        )
    doubt = rung.doubt({"Questions": "1000"}, {"Questions": str(1000 + counted)}, "rungs/01-threads-8")
    return None if doubt is None else doubt.message


@pytest.mark.parametrize("counted", [100_000, 100_020, 99_950])
def test_equal_counts_raise_no_doubt(counted: int) -> None:
    assert doubts(counted=counted) is None


def test_failed_statements_were_sent_and_rolled_back() -> None:
    assert doubts(counted=100_000 + 2 * 5000, errors=5000) is None


def test_lost_statements_do() -> None:
    assert "were lost" in (doubts(counted=99_000) or "")


def test_so_does_somebody_else() -> None:
    assert "somebody else" in (doubts(counted=101_000) or "")
