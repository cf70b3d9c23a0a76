"""What must be done to its end is not cut short by a signal, whichever thread the kernel gives it to."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from assay.system.host.knob.undisturbed import undisturbed

came: list[int] = []


@pytest.fixture
def noted() -> Iterator[list[int]]:
    """Signals that a handler of the caller's got."""
    came.clear()
    before = {n: signal.signal(n, lambda got, _: came.append(got)) for n in (signal.SIGINT, signal.SIGTERM)}
    yield came
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def other_thread() -> Iterator[None]:
    """One that blocks no signal, as a live display's."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.usefixtures("other_thread")
def test_signals_wait_until_the_block_is_left(noted: list[int]) -> None:
    with undisturbed():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGINT):
            os.kill(os.getpid(), number)
            time.sleep(0.05)  # bytecodes in which a handler would run
        assert noted == []
    assert noted == [signal.SIGTERM, signal.SIGINT]
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    assert noted == [signal.SIGTERM, signal.SIGINT, signal.SIGINT]  # the handlers are back


def test_in_another_thread_it_does_nothing(noted: list[int]) -> None:
    entered: list[bool] = []

    def enter() -> None:
        with undisturbed():
            entered.append(True)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert entered == [True]
    assert noted == []
