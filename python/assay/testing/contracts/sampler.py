"""The contract tests of every sampler: names follow the rule, values are numbers, counters never fall."""

from __future__ import annotations

import math
import re

from assay.system.host import Source

_NAME = re.compile(r"[\w./:@+-]+")
_COUNTER = "_total"


class SamplerContract:
    """Tests of a sampler. Fixture: `source`, on a machine or a server that has what it reads."""

    def test_its_name_is_a_files(self, source: Source) -> None:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", source.name)

    def test_a_reading_is_numbers_by_name(self, source: Source) -> None:
        values = source.read()
        assert values, "nothing was read: is this a machine that has it?"
        for name, value in values.items():
            assert _NAME.fullmatch(name), name
            assert math.isfinite(value), name

    def test_counters_never_fall(self, source: Source) -> None:
        first, second = source.read(), source.read()
        falling = [
            name
            for name, value in first.items()
            if name.endswith(_COUNTER) and second.get(name, value) < value
        ]
        assert falling == []
