"""Which host carries out which block."""

from __future__ import annotations

from collections import Counter

import pytest
from assay.design.plan import share_blocks
from examples import given
from examples import st as some

_HOSTS = ["h1", "h2", "h3"]


@given(
    blocks=some.integers(0, 40),
    hosts=some.integers(1, 7),
    seed=some.integers(0, 2**53),
    cut=some.integers(0, 40),
    lost=some.booleans(),
)
def test_hosts_have_equal_numbers_of_blocks(blocks: int, hosts: int, seed: int, cut: int, lost: bool) -> None:
    names = [f"h{number}" for number in range(hosts)]
    first = share_blocks(range(1, blocks + 1), names, seed, done={}, begun={})
    assert sorted(block for its in first.values() for block in its) == list(range(1, blocks + 1))
    counts = [len(its) for its in first.values()]
    assert max(counts) - min(counts) <= 1
    assert first == share_blocks(range(1, blocks + 1), names, seed, done={}, begun={})
    # The rest is shared anew, whatever is done: as when a command goes on, or a host is lost.
    done = {block: host for host, its in first.items() for block in its if block <= cut}
    living = names[1:] if lost and hosts > 1 else names
    left = [block for block in range(1, blocks + 1) if block not in done]
    rest = share_blocks(left, living, seed, done=done, begun={})
    assert sorted(block for its in rest.values() for block in its) == left
    if not lost:
        whole = Counter(done.values()) + Counter({host: len(its) for host, its in rest.items()})
        assert max(whole[name] for name in names) - min(whole[name] for name in names) <= 1


def test_a_block_that_was_begun_stays_where_it_is() -> None:
    shared = share_blocks([1, 2, 3, 4], _HOSTS, 7, done={}, begun={2: "h3", 4: "h3", 1: "h9"})
    assert shared["h3"] == [2, 4]
    assert sorted(shared["h1"] + shared["h2"]) == [1, 3]


def test_no_host_has_always_the_same_orders() -> None:
    """A plan of two treatments reverses their order in every second block; hosts that took turns would have
    one order each.
    """
    shared = share_blocks(range(1, 41), ["h1", "h2"], 3, done={}, begun={})
    odd = [sum(block % 2 for block in its) for its in shared.values()]
    assert all(4 <= count <= 16 for count in odd), odd


def test_blocks_need_a_host() -> None:
    with pytest.raises(ValueError, match="need a host"):
        share_blocks([1], [], 7, done={}, begun={})
