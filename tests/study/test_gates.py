"""`[[gate]]` tables of a study."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError
from assay.design.study import study_hash, study_toml

from studies import VALID, read, valid

PAIR = "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1]"
GATE = f'[[gate]]\nclaim = "{PAIR} >= 0.97"\n'


def test_a_gate_has_a_tolerance_and_no_margin_by_default() -> None:
    (rule,) = read(VALID + GATE).gates
    assert (rule.text, rule.severity, rule.undecided, rule.margin) == (f"{PAIR} >= 0.97", "fail", "warn", 0.0)
    assert rule.hypothesis.claims == (rule.claim,)
    assert rule.hypothesis.margin == 0.0


def test_every_key_is_read() -> None:
    keys = 'id = "loss"\nseverity = "warn"\nundecided = "fail"\nat = [8, 64]\n'
    (rule,) = read(VALID + GATE + keys).gates
    assert (rule.id, rule.severity, rule.undecided, rule.at) == ("loss", "warn", "fail", (8.0, 64.0))
    assert str(rule.claim.at) == "at threads = 8|64"


def test_gates_do_not_change_the_experiment() -> None:
    study = read(VALID + GATE)
    assert study_hash(study) == study_hash(valid())
    assert read(study_toml(study)).gates == study.gates


def test_a_scale_changes_a_gate_by_its_id() -> None:
    scale = '[scale.small]\n"load.threads" = [8]\n"gate.loss.at" = [8]\n'
    study = read(f'{VALID}{GATE}id = "loss"\nat = [64]\n{scale}')
    assert study.gates[0].at == (64.0,)
    small = VALID.replace("[study]", '[study]\nscale = "small"')
    assert read(f'{small}{GATE}id = "loss"\nat = [64]\n{scale}').gates[0].at == (8.0,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[gate]]\n", "claim: is missing"),
        ('[[gate]]\nclaim = "tps >"\n', "gate[0].claim"),
        ('[[gate]]\nclaim = "tps[build=new] > 1"\n', "gate[0].claim"),
        (f"{GATE}at = [9]\n", "gate[0].at[0]"),
        (f'{GATE}at = "threads > 64"\n', "no point of threads"),
        (
            f'[[gate]]\nclaim = "{PAIR} >= 1 at threads = 8"\nat = [64]\n',
            'the gate has "at" too: keep one of them',
        ),
        (f'{GATE}severity = "error"\n', 'allowed: "fail", "warn"'),
        (f'{GATE}undecided = "ignore"\n', 'allowed: "warn", "fail", "pass"'),
        (f"{GATE}margin = 0.02\n", "has no effect here"),
        (f"{GATE}margin = 1\n", "allowed: below 1"),
        (f"{GATE}tolerance = 1\n", "unknown key"),
        (f'[[gate]]\nclaim = "{PAIR} ~ 1"\n', "must be above 0 for ~"),
        (f'{GATE}id = "a"\n{GATE}id = "a"\n', '"a" is the id of 2 gates'),
        ('[gate]\nclaim = "tps > 1"\n', "write [[gate]], with two brackets"),
        ('[[gates]]\nclaim = "tps > 1"\n', "write [[gate]]"),
        (
            f'{GATE}id = "loss"\n[scale.a]\n"gate.los.at" = [8]\n',
            'no gate has the id "los"; did you mean "loss"?',
        ),
    ],
)
def test_gates_that_are_wrong(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(VALID + text)
    assert said in f"{caught.value}{caught.value.detail}"
