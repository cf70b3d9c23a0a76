"""Processors and allocator: asked for, given, read back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError, ServerError
from assay.base.number_lists import number_list
from assay.system.server import (
    Build,
    Hosting,
    Instance,
    PrivateDir,
    find_allocator,
    parse_cpus,
    snapshot_copy,
)
from assay.system.server.resources.numa import parse_numa


@pytest.mark.parametrize(("text", "cpus"), [("0", {0}), ("0-3,8", {0, 1, 2, 3, 8}), ("2,1", {1, 2})])
def test_lists_of_processors(text: str, cpus: set[int]) -> None:
    assert parse_cpus(text) == cpus
    assert parse_cpus(number_list(cpus)) == cpus


@pytest.mark.parametrize("text", ["", "a", "3-1", "1-", "-1", "1;2"])
def test_what_is_no_list(text: str) -> None:
    with pytest.raises(InputError, match="is not a list of processors"):
        parse_cpus(text)


def test_processors_that_are_not_there() -> None:
    with pytest.raises(HostError, match="processors 4095 do not exist here"):
        Hosting(cpus=frozenset({4095})).check()


def test_allocators(mariadb_build: Build, tmp_path: Path) -> None:
    assert find_allocator("libc", mariadb_build) is None
    with pytest.raises(InputError, match="no allocator is called 'jmalloc'"):
        find_allocator("jmalloc", mariadb_build)
    own = Build("mysql", (9,), "", tmp_path / "mysqld", tmp_path, None, (tmp_path,), tmp_path / "ld.so")
    with pytest.raises(HostError, match="is not on this machine for this server"):
        find_allocator("jemalloc", own)
    (tmp_path / "libjemalloc.so.2").touch()
    assert find_allocator("jemalloc", own) == tmp_path / "libjemalloc.so.2"


@pytest.mark.live
def test_a_server_on_one_processor(mariadb_build: Build, fresh_data: Path, tmp_path: Path) -> None:
    one = frozenset({max(os.sched_getaffinity(0))})
    with PrivateDir() as private:
        data = private.path / "data"
        snapshot_copy(fresh_data, data)
        hosting = Hosting(cpus=one, padding_bytes=48)
        with Instance(mariadb_build, data, {}, tmp_path / "log", tmp_path / "cnf", hosting=hosting) as server:
            assert os.sched_getaffinity(server.pid) == one
            assert b"ASSAY_PADDING=" + b"x" * 48 in Path(f"/proc/{server.pid}/environ").read_bytes().split(
                b"\0"
            )
            assert server.given()["padding_bytes"] == 48
            server.verify()
            if len(os.sched_getaffinity(0)) > 1:
                os.sched_setaffinity(server.pid, os.sched_getaffinity(0))
                with pytest.raises(ServerError, match=r"server\.cpus: asked for"):
                    server.verify()
            with pytest.raises(ServerError, match="did not load"):
                Hosting(preload=Path("/nowhere/libjemalloc.so.2")).verify(server.pid)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("bind=0-1", "bind:0,1"),
        ("preferred=3", "preferred:3"),
        ("local", "local:"),
        ("interleave=1", "interleave:1"),
    ],
)
def test_policies_for_memory(text: str, word: str) -> None:
    assert parse_numa(text).word == word
    assert str(parse_numa(text)) == text


@pytest.mark.parametrize("text", ["bind", "bind=", "bind=1-0", "preferred=0-1", "near", "local=0"])
def test_what_is_no_policy(text: str) -> None:
    with pytest.raises(InputError, match=r"^server\.numa: "):
        parse_numa(text)


@pytest.mark.skipif(not Path("/sys/devices/system/node/has_memory").exists(), reason="no NUMA in this kernel")
def test_nodes_that_are_not_there() -> None:
    with pytest.raises(HostError, match="this machine has no NUMA node 900"):
        Hosting(numa=parse_numa("bind=900")).check()


@pytest.mark.live
@pytest.mark.skipif(not Path("/proc/self/numa_maps").exists(), reason="no NUMA in this kernel")
@pytest.mark.parametrize("policy", ["interleave", "bind=0", "preferred=0"])
def test_a_server_with_a_policy_for_memory(
    mariadb_build: Build, fresh_data: Path, tmp_path: Path, policy: str
) -> None:
    numa = parse_numa(policy)
    with PrivateDir() as private:
        data = private.path / "data"
        snapshot_copy(fresh_data, data)
        hosting = Hosting(numa=numa)
        with Instance(mariadb_build, data, {}, tmp_path / "log", tmp_path / "cnf", hosting=hosting) as server:
            server.verify()
            assert server.given()["numa"] == str(numa)
            with pytest.raises(ServerError, match=r"server\.numa: asked for local"):
                parse_numa("local").verify(server.pid)
