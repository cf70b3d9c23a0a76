"""The contestants that most loads have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks import engine, peer, pingpong
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Contestant

_SET_UP_S = 0.6  # of a process that logs in some connections


def duel(load: Load, endpoint: Callable[[], Endpoint], *, ours: Load | None = None) -> dict[str, Contestant]:
    """Returns the engine and sysbench with the same load, which may have another name for `ours`. The server
    is started when the first of them runs.
    """
    return {
        "ours": lambda: engine.run(ours or load, endpoint()),
        "sysbench": lambda: peer.run(load, endpoint()),
    }


def bare(load: Load, seconds: float, server: str = "loop") -> Contestant:
    """Returns the ping-pong of the load's messages."""
    return partial(pingpong.run, load.workload, load.connections, load.transport, seconds, server)


def duration_s(load: Load) -> float:
    """Returns roughly how long one contestant runs, in seconds."""
    return load.seconds + _SET_UP_S + load.connections * 0.0015
