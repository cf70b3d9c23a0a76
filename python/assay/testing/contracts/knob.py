"""The contract tests of every knob: it is turned, read back and restored."""

from __future__ import annotations

from pathlib import Path

from assay.system.host import Machine
from assay.system.host.knob.knob import Knob


class KnobContract:
    """Tests of a knob. Fixtures: `knob`; a `machine` that has it; `data`, a server's data there; a `value`
    not in force.
    """

    def test_it_can_be_had_there(self, knob: Knob, machine: Machine, data: Path, value: str) -> None:
        assert knob.available(machine, data, value) is None
        targets = knob.targets(machine, data)
        assert targets
        assert len(set(targets)) == len(targets)
        assert all(knob.exists(machine, target) for target in targets)

    def test_it_is_turned_and_read_back(self, knob: Knob, machine: Machine, data: Path, value: str) -> None:
        for target in knob.targets(machine, data):
            assert not knob.same(knob.show(machine, target), value), "the value is in force already"
            knob.write(machine, target, value)
            assert knob.same(knob.verify(machine, target, value), value)

    def test_what_it_shows_puts_it_back(self, knob: Knob, machine: Machine, data: Path, value: str) -> None:
        for target in knob.targets(machine, data):
            was = knob.show(machine, target)
            knob.write(machine, target, value)
            knob.restore(machine, target, was)
            assert knob.show(machine, target) == was
            knob.restore(machine, target, was)
            assert knob.show(machine, target) == was, "what is back already is left alone"

    def test_a_person_can_do_it(self, knob: Knob, machine: Machine, data: Path, value: str) -> None:
        for target in knob.targets(machine, data):
            assert value in knob.by_hand(target, value)
