"""The form of pprof: a message of its profile.proto, packed with gzip.

Source: https://github.com/google/pprof/blob/main/proto/profile.proto and
https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable

from assay.results.ledger.export.collapsed import NS_OF_1000
from assay.results.ledger.export.mean_profile import MeanProfile

_SAMPLE_TYPE, _SAMPLE, _LOCATION, _FUNCTION, _STRING, _COMMENT = 1, 2, 4, 5, 6, 13
_VARINT, _BYTES = 0, 2


def written(profile: MeanProfile) -> bytes:
    """Returns the profile with nanoseconds of server CPU per 1,000 queries as values."""
    texts: dict[str, int] = {"": 0}

    def text(value: str) -> int:
        return texts.setdefault(value, len(texts))

    functions: dict[str, int] = {}
    kind = _number(1, text("cpu per 1,000 queries")) + _number(2, text("nanoseconds"))
    samples = []
    for calls, amount in profile.stacks:
        places = [functions.setdefault(one, len(functions) + 1) for one in reversed(calls)]  # the leaf first
        samples.append(_packed(1, places) + _packed(2, [round(amount * NS_OF_1000)]))
    message = [_field(_SAMPLE_TYPE, kind), *(_field(_SAMPLE, one) for one in samples)]
    for name, number in functions.items():
        message.append(_field(_LOCATION, _number(1, number) + _field(4, _number(1, number))))
        message.append(
            _field(_FUNCTION, _number(1, number) + _number(2, text(name)) + _number(3, text(name)))
        )
    message.append(_number(_COMMENT, text(f"{profile.name}, mean of {profile.runs} runs")))
    message += [_field(_STRING, one.encode()) for one in texts]
    return gzip.compress(b"".join(message), mtime=0)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(content)) + content


def _packed(field: int, values: Iterable[int]) -> bytes:
    return _field(field, b"".join(map(_varint, values)))
