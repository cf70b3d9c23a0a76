"""Shares the blocks of a plan among hosts: a host is a blocking factor, and has whole blocks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence


def share_blocks(
    blocks: Sequence[int],
    hosts: Sequence[str],
    seed: int,
    *,
    done: Mapping[int, str],
    begun: Mapping[int, str],
) -> dict[str, list[int]]:
    """Returns the blocks that each host carries out, in their order.

    `done` are the hosts of finished blocks, and `begun` those of blocks that are half finished, which stay
    where they are. Every other block goes to the host with the fewest; among equals, the seed draws. So hosts
    have equal numbers of blocks, within one, however often a study is continued and whichever of its hosts
    are lost. Treatments are balanced over positions by the number of the block: drawing hosts keeps that
    from coinciding with them, as it would if hosts took turns. Raises `ValueError` without hosts.
    """
    if not hosts:
        raise ValueError("blocks need a host")
    has = Counter(dict.fromkeys(hosts, 0))
    has.update(host for host in done.values() if host in has)
    has.update(host for block, host in begun.items() if block in blocks and host in has)
    shared: dict[str, list[int]] = {host: [] for host in hosts}
    for block in blocks:
        host = begun.get(block, "")
        if host not in has:
            fewest = min(has.values())
            host = random.Random(f"{seed}/{block}/host").choice([one for one in hosts if has[one] == fewest])
            has[host] += 1
        shared[host].append(block)
    return shared
