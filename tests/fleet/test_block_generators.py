"""Which hosts for generators load the blocks of which host."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.measurement.fleet import block_hosts, make_token, read_fleet_file

_HEAD = '[fleet]\ntoken_file = "token"\n'


def _host(name: str, role: str, zone: str | None = None) -> str:
    at = "" if zone is None else f'zone = "{zone}"\n'
    return f'[[host]]\nname = "{name}"\nrole = "{role}"\naddress = "192.0.2.{len(name)}"\n{at}'


def _shared(tmp_path: Path, hosts: str, on: str = "role=server") -> dict[str, list[str]] | None:
    (tmp_path / "fleet.toml").write_text(_HEAD + hosts)
    make_token(tmp_path / "token")
    load = block_hosts(read_fleet_file(tmp_path / "fleet.toml"), on, generators=True).generators
    return None if load is None else {host: [one.name for one in there] for host, there in load.of.items()}


def test_one_server_has_all_generators(tmp_path: Path) -> None:
    hosts = _host("s1", "server") + _host("g1", "generator") + _host("g2", "generator")
    assert _shared(tmp_path, hosts) == {"s1": ["g1", "g2"]}


def test_each_server_has_as_many_generators_of_its_own(tmp_path: Path) -> None:
    servers = _host("s1", "server") + _host("s2", "server")
    five = "".join(_host(f"g{number}", "generator") for number in range(1, 6))
    assert _shared(tmp_path, servers + five) == {"s1": ["g1", "g2"], "s2": ["g3", "g4"]}
    assert _shared(tmp_path, servers + five, "s2") == {"s2": ["g1", "g2", "g3", "g4", "g5"]}


def test_generators_are_in_the_zone_of_their_server_where_every_zone_has_some(tmp_path: Path) -> None:
    servers = _host("s1", "server", "a") + _host("s2", "server", "b")
    both = _host("g1", "generator", "b") + _host("g2", "generator", "a")
    assert _shared(tmp_path, servers + both) == {"s1": ["g2"], "s2": ["g1"]}
    other = _host("g1", "generator", "b") + _host("g2", "generator", "c")
    assert _shared(tmp_path, servers + other) == {"s1": ["g1"], "s2": ["g2"]}


def test_a_fleet_without_hosts_for_generators_has_them_beside_the_server(tmp_path: Path) -> None:
    assert _shared(tmp_path, _host("s1", "server")) is None


def test_too_few_hosts_for_generators_are_refused(tmp_path: Path) -> None:
    hosts = _host("s1", "server") + _host("s2", "server") + _host("g1", "generator")
    with pytest.raises(HostError, match=r"s1, s2 carry blocks out .* fewer hosts for their generators: g1"):
        _shared(tmp_path, hosts)
