"""Compares what the hosts of a fleet say about each ratio: whether treatments differ alike on all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import duckdb
import numpy as np

from assay.results.stats import heterogeneity, paired_ratio
from assay.results.verdict.agreement import HostAgreement, HostRatio
from assay.results.verdict.compared import Comparison, Place
from assay.results.verdict.observations import Observations


def host_agreements(
    store: duckdb.DuckDBPyConnection,
    seen: Observations,
    compared: Sequence[Comparison],
    confidence: float,
) -> Iterator[HostAgreement]:
    """Yields the ratio of each comparison by host, and the test that all hosts have one; nothing where fewer
    than two hosts carried blocks out.
    """
    host_of = hosts_of_blocks(store)
    if len(set(host_of.values())) < 2:
        return
    for one in compared:
        places = Place(one.baseline, one.load), Place(one.other, one.load)
        by_host = defaultdict(list)
        before, after = (seen.blocks(one.measure, place) for place in places)
        for block in sorted((before.keys() & after.keys()) - seen.unlike(*places)):
            if block in host_of:
                by_host[host_of[block]].append((before[block], after[block]))
        pairs = {host: np.array(by_host[host]) for host in sorted(by_host)}
        if len(pairs) < 2:
            continue
        found = heterogeneity([np.log(pair[:, 1] / pair[:, 0]) for pair in pairs.values()])
        yield HostAgreement(
            measure=one.measure,
            load=one.load,
            baseline=one.baseline,
            other=one.other,
            margin=one.margin,
            by_host=tuple(
                HostRatio(host, found_ratio.n, found_ratio.ratio, found_ratio.low, found_ratio.high)
                for host, found_ratio in (
                    (host, paired_ratio(pair[:, 0], pair[:, 1], confidence)) for host, pair in pairs.items()
                )
            ),
            p_value=None if found is None else found.p_value,
            between_sd=None if found is None else found.between_sd,
        )


def hosts_of_blocks(store: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """Returns the host of every block that hosts of a fleet carried out; the lab's own machine is one too
    where it carried out others, by an empty name.
    """
    found: dict[int, str] = dict(
        store.execute(
            "SELECT block, any_value(coalesce(fleet_host, '')) FROM runs WHERE status = 'complete'"
            " GROUP BY block"
        ).fetchall()
    )
    return found if any(found.values()) else {}
