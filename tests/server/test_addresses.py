"""Address randomization of a process is read, and its absence is a doubt."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from assay.system.server import Hosting, fixed_addresses
from assay.system.server.resources import addresses


@contextmanager
def sleeping(*before: str) -> Iterator[int]:
    with subprocess.Popen([*before, "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()  # it has become what it is
        yield process.pid
        process.stdin.close()


def words_of(before: Sequence[str]) -> str | None:
    with sleeping(*before) as pid:
        return fixed_addresses(pid)


@pytest.mark.skipif(shutil.which("setarch") is None, reason="needs setarch")
def test_a_process_with_fixed_addresses_is_told_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = addresses._read(addresses._RANDOMIZE)
    if kernel != "0":
        assert words_of([]) is None
    try:
        fixed = words_of(["setarch", "-R"])
    except OSError:
        pytest.skip("this account may not start programs without randomization")
    assert fixed is not None


@pytest.mark.parametrize(
    ("kernel", "personality", "is_fixed"),
    [
        ("2", "00000000", False),
        ("1", "00000000", False),
        ("0", "00000000", True),
        ("2", "00040000", True),
        ("2", "08000000", False),
        ("2", "", False),
        ("", "", False),
    ],
)
def test_kernel_and_personality_are_both_looked_at(
    monkeypatch: pytest.MonkeyPatch, kernel: str, personality: str, is_fixed: bool
) -> None:
    monkeypatch.setattr(
        addresses, "_read", lambda path: kernel if path == addresses._RANDOMIZE else personality
    )
    assert (fixed_addresses(1) is not None) == is_fixed


@pytest.mark.parametrize("size", [0, 16, 4096])
def test_padding_makes_the_environment_longer_by_its_size(size: int) -> None:
    environment = Hosting(padding_bytes=size).environment
    assert sum(map(len, environment.values())) == size
