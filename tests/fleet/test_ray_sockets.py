"""Where processes listen is read from the kernel, whatever their options said."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack

import pytest
from assay.measurement.fleet.ray.sockets import ListeningSocket, listening_sockets, unpromised

_PLACES = [
    (socket.AF_INET, "127.0.0.1", True),
    (socket.AF_INET, "127.0.0.9", True),
    (socket.AF_INET6, "::1", True),
    (socket.AF_INET, "0.0.0.0", False),
    (socket.AF_INET6, "::", False),
]


def test_sockets_of_a_process_are_found_and_judged() -> None:
    with ExitStack() as opened:
        bound = {}
        for family, address, promised in _PLACES:
            one = opened.enter_context(socket.socket(family))
            try:
                one.bind((address, 0))
            except OSError:  # a machine without IPv6
                continue
            one.listen()
            bound[ListeningSocket(address, one.getsockname()[1])] = promised
        found = listening_sockets([os.getpid(), 2**22])
        assert set(bound) <= set(found)
        assert {one for one in unpromised(found, "127.0.0.1") if one in bound} == {
            one for one, promised in bound.items() if not promised
        }
        assert listening_sockets([2**22]) == []


@pytest.mark.parametrize(
    ("address", "promised", "counts"),
    [
        ("0.0.0.0", "127.0.0.1", True),
        ("::ffff:127.0.0.1", "127.0.0.1", False),
        ("192.0.2.2", "127.0.0.1", True),
        ("192.0.2.2", "192.0.2.2", False),
        ("0.0.0.0", "192.0.2.2", True),
        ("127.0.0.1", "192.0.2.2", False),
    ],
)
def test_a_socket_elsewhere_than_promised_is_told(address: str, promised: str, counts: bool) -> None:
    one = ListeningSocket(address, 6379)
    assert unpromised([one], promised) == ([one] if counts else [])
