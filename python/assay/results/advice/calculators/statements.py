"""Calculates limits that a ladder of connections needs: prepared statements, open tables, connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, number

_SOURCE = "MySQL reference manual, max_prepared_stmt_count, table_open_cache and max_connections"
_MOST_STATEMENTS = 4_194_304
_RESERVED = 10


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    connections, kinds, tables = (number(given, name) for name in ("threads", "statements", "tables"))
    prepared = connections * kinds * tables
    beyond = (
        f": more than the {_MOST_STATEMENTS:,} that a server allows" if prepared > _MOST_STATEMENTS else ""
    )
    return [
        Answer(
            "max_prepared_stmt_count",
            prepared,
            "count",
            f"{connections:g} connections x {kinds:g} statements x {tables:g} tables{beyond}",
            _SOURCE,
        ),
        Answer(
            "table_open_cache",
            connections * tables,
            "count",
            f"{connections:g} connections x {tables:g} tables that each may hold open",
            _SOURCE,
        ),
        Answer(
            "max_connections",
            connections + _RESERVED,
            "count",
            f"{connections:g} + {_RESERVED} for samplers and people",
            _SOURCE,
        ),
    ]


CALCULATOR = Calculator(
    name="statements",
    summary="Prepared statements, open tables and connections of a load.",
    inputs=(
        Input("threads", "count", "Connections of the highest rung.", least=1, most=1e6),
        Input("tables", "count", "Tables that a connection uses.", default=1.0, least=1, most=1e6),
        Input(
            "statements",
            "count",
            "Statements prepared for each table: 9 by a read-write mix of sysbench.",
            default=9.0,
            least=1,
            most=1e4,
        ),
    ),
    answers=_answers,
    example="assay calc statements --threads 2048 --tables 10",
)
