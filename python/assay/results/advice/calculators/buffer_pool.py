"""Calculates buffer pool size and instances from the memory of a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.results.advice.calculators.calculator import Answer, Calculator, Input, Value, in_words, number

_SOURCE = "MySQL reference manual, Configuring InnoDB Buffer Pool Size; innodb_buffer_pool_instances"
_CHUNK = 128 << 20
_OVERHEAD = 1.1
"""Memory that the buffer pool takes for each byte of pages: control structures are about a tenth."""
_GIB = 1 << 30
_MOST_INSTANCES = 64


def _answers(given: Mapping[str, Value]) -> Sequence[Answer]:
    memory, connections, each, other = (
        number(given, name) for name in ("memory", "connections", "per_connection", "other")
    )
    left = memory - other - connections * each
    pool = int(left / _OVERHEAD // _CHUNK * _CHUNK)
    if pool < _CHUNK:
        raise ValueError(
            f"nothing is left for a buffer pool: {in_words(memory, 'bytes')} less"
            f" {in_words(other, 'bytes')} and {connections:g} connections of {in_words(each, 'bytes')}"
        )
    instances = min(max(pool // _GIB, 1), _MOST_INSTANCES)
    if "cpus" in given:
        instances = min(instances, max(int(number(given, "cpus")), 1))
    # The server rounds the pool up to a multiple of chunk size x instances: round down before it does.
    pool = max(pool // (_CHUNK * instances), 1) * _CHUNK * instances
    return [
        Answer(
            "innodb_buffer_pool_size",
            pool,
            "bytes",
            f"({in_words(memory, 'bytes')} - {in_words(other, 'bytes')} - {connections:g} x"
            f" {in_words(each, 'bytes')}) / {_OVERHEAD:g}, down to a multiple of"
            f" {in_words(_CHUNK, 'bytes')} x {instances:g}",
            _SOURCE,
        ),
        Answer(
            "innodb_buffer_pool_instances",
            instances,
            "count",
            "at least 1 GiB an instance"
            + (", no more than processors" if "cpus" in given else "")
            + "; MariaDB 10.5 and later have one",
            _SOURCE,
        ),
    ]


CALCULATOR = Calculator(
    name="buffer-pool",
    summary="Buffer pool size and instances for a machine's memory.",
    inputs=(
        Input("memory", "bytes", "Memory that the server may use, such as 64G.", least=1),
        Input("connections", "count", "Connections at once.", default=100.0, least=1, most=1e6),
        Input(
            "per_connection",
            "bytes",
            "Memory of one: stack, network and sort buffers.",
            default=3.0 * (1 << 20),
        ),
        Input(
            "other", "bytes", "Memory for all else: system, page cache, key buffer.", default=float(1 << 30)
        ),
        Input("cpus", "count", "Processors of the server.", optional=True, least=1, most=10_000),
    ),
    answers=_answers,
    example="assay calc buffer-pool --memory 64G --connections 500 --cpus 16",
)
