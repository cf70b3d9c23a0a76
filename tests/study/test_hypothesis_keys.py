"""Keys of a hypothesis beside its claim."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError

from studies import VALID, read

PAIR = "tps[index=on] > tps[index=off]"


def test_several_claims_are_one_hypothesis_and_hold_at_one_place() -> None:
    more = f'[[hypothesis]]\nid = "H"\nclaims = ["{PAIR}", "qps ~ 5"]\nat = "threads >= 8"\nassumes = "b"\n'
    found = read(VALID + more).hypotheses[-1]
    assert (found.id, found.assumes, found.text) == ("H", "b", f"{PAIR} and qps ~ 5")
    assert [str(claim.at) for claim in found.claims] == ["at threads >= 8"] * 2


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('id = "H"', "needs one of claim, claims and advice; it has none"),
        (f'claim = "{PAIR}"\nclaims = ["{PAIR}"]', "it has claim and claims"),
        (f'claim = "{PAIR}"\nbecause = ["H"]', "advice needs because"),
        ('advice = "x"\nbecause = ["H"]', '"H" is not the id of another hypothesis'),
        (f'claim = "{PAIR} at threads > 1"\nat = "threads > 8"', "keep one of them"),
        (f'claim = "{PAIR}"\nat = "threads > 64"', "no point of threads"),
    ],
)
def test_keys_that_do_not_fit(keys: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"{VALID}[[hypothesis]]\n{keys}\n")
    assert said in f"{caught.value}{caught.value.detail}"
