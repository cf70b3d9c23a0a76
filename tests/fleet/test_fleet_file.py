"""Fleet files: what they say, and how a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.measurement.fleet import AgentAddress, LocalBackend, backend_of, make_token, read_fleet_file

_GOOD = """
[fleet]
token_file = "token"

[[host]]
name = "h1"
address = "192.0.2.11"
zone = "a"
loops = 6

[[host]]
name = "h2"
address = "[2001:db8::2]:7000"

[[host]]
name = "db"
role = "server"
address = "192.0.2.20:7718"
"""


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "fleet.toml"
    path.write_text(text)
    return path


def test_a_file_names_hosts_and_where_their_agents_are(tmp_path: Path) -> None:
    file = read_fleet_file(_written(tmp_path, _GOOD))
    assert (file.backend, file.token_file) == ("agents", tmp_path / "token")
    assert [host.address for host in file.hosts] == [
        AgentAddress("h1", "192.0.2.11", 7717),
        AgentAddress("h2", "2001:db8::2", 7000),
        AgentAddress("db", "192.0.2.20", 7718),
    ]
    assert [(host.name, host.zone, host.loops) for host in file.generators()] == [
        ("h1", "a", 6),
        ("h2", None, None),
    ]


def test_a_file_chooses_its_backend(tmp_path: Path) -> None:
    path = _written(tmp_path, _GOOD)
    with pytest.raises(InputError, match="cannot read the token"):
        backend_of(read_fleet_file(path))
    make_token(tmp_path / "token")
    assert backend_of(read_fleet_file(path)).name == "agents"
    local = read_fleet_file(_written(tmp_path, '[fleet]\nbackend = "local"\n'))
    assert isinstance(backend_of(local), LocalBackend)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[fleet", "is not TOML"),
        ("[flet]\n", 'flet is not a key of a fleet file; did you mean "fleet"?'),
        ('[fleet]\nbackend = "agent"\n', 'fleet.backend cannot be "agent"; did you mean "agents"?'),
        ('[fleet]\ntoken = "x"\n', "fleet.token is not a key"),
        ("[fleet]\nbackend = 3\n", "fleet.backend must be text in quotes, not 3"),
        ('[fleet]\nbackend = "ray"\n', "fleet.address is missing"),
        ('[fleet]\naddress = "x:1"\n', 'fleet.address needs backend = "ray"'),
        ("fleet = 1\n", "fleet must be a table"),
        ("host = 1\n", "host must be a list of tables"),
        ("[fleet]\n", "the fleet has no [[host]]"),
        ('[[host]]\naddress = "x"\n', "host[1] needs a name"),
        ('[[host]]\nname = "h"\n', "host[1].address is missing"),
        ('[[host]]\nname = "h"\naddress = "x:0"\n', "host[1].address must be an address"),
        ('[[host]]\nname = "h"\nadress = "x"\n', "host[1].adress is not a key of a fleet file; did you mean"),
        ('[[host]]\nname = "h"\naddress = "x"\nloops = 0\n', "host[1].loops must be between 1 and 4096"),
        ('[[host]]\nname = "h"\naddress = "x"\nloops = true\n', "must be a whole number, not True"),
        (
            '[[host]]\nname = "h"\naddress = "x"\nrole = "generators"\n',
            'host[1].role cannot be "generators"; did you mean "generator"?',
        ),
        (
            '[[host]]\nname = "h"\naddress = "x"\n[[host]]\nname = "h"\naddress = "y"\n',
            'host[2].name "h" is that of another host',
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_key(text: str, words: str, tmp_path: Path) -> None:
    path = _written(tmp_path, text)
    with pytest.raises(InputError) as refused:
        read_fleet_file(path)
    assert str(path) in refused.value.message
    assert words in refused.value.message
