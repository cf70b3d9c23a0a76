"""Signals: who gets them, with an engine that is waited for, one that another thread drives, and none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from assay.base.errors import Interrupted
from assay.system.engine.interrupts import Interrupts

ENGINE = """\
import signal, sys, time
signal.signal(signal.SIGINT, lambda *_: print("closing", flush=True))
print("at work", flush=True)
time.sleep(1000)
time.sleep(1000)
"""


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[bytes]]:
    """A program that takes SIGINT for a wish, as the engine does while it drains."""
    process = subprocess.Popen([sys.executable, "-c", ENGINE], stdout=subprocess.PIPE, process_group=0)
    assert process.stdout is not None
    assert process.stdout.readline() == b"at work\n"
    yield process
    process.kill()
    process.communicate()


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)


def said(engine: subprocess.Popen[bytes]) -> bytes:
    assert engine.stdout is not None
    return engine.stdout.readline()


def test_without_an_engine_the_first_ends_the_program_and_the_next_do_not_hinder_that() -> None:
    with Interrupts() as interrupts:
        with pytest.raises(Interrupted):
            press()
        press()  # while the stack unwinds
        assert interrupts.count == 2


def test_an_engine_that_is_waited_for_ends_in_good_order_then_at_once(
    engine: subprocess.Popen[bytes],
) -> None:
    with Interrupts() as interrupts, interrupts.forwarded_to(engine):
        press()
        assert said(engine) == b"closing\n"
        press()
        assert engine.wait(120) == -signal.SIGKILL
        with pytest.raises(Interrupted):
            interrupts.raise_if_requested()
        press()


def test_after_its_end_a_second_one_ends_whatever_the_program_does(
    engine: subprocess.Popen[bytes],
) -> None:
    """As in a long statement, or waiting for a replica, that asks nobody whether it is still wanted."""
    with Interrupts() as interrupts:
        with interrupts.forwarded_to(engine):
            press()
        with pytest.raises(Interrupted):
            press()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_that_python_dropped_ends_the_program_at_its_next_engine(engine: subprocess.Popen[bytes]) -> None:
    """Python writes what a finalizer raises to stderr, and goes on; so it does with callbacks of imports."""

    class Finalized:
        def __del__(self) -> None:
            press()

    with Interrupts() as interrupts:
        Finalized()
        assert interrupts.requested
        with pytest.raises(Interrupted), interrupts.forwarded_to(engine):
            pytest.fail("an engine was waited for")


def test_beside_an_engine_of_another_thread_the_first_ends_what_the_program_waits_for(
    engine: subprocess.Popen[bytes],
) -> None:
    begun, over = threading.Event(), threading.Event()

    with Interrupts() as interrupts:

        def drive() -> None:
            with interrupts.forwarded_to(engine):
                begun.set()
                over.wait()

        thread = threading.Thread(target=drive)
        thread.start()
        begun.wait()
        try:
            with pytest.raises(Interrupted):
                press()
            assert said(engine) == b"closing\n"  # and so does its load
            press()
            assert engine.wait(120) == -signal.SIGKILL
        finally:
            over.set()
            thread.join()
