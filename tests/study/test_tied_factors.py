"""Factors of several keys that vary together."""

# ruff: noqa: E501 (one row a message)

from __future__ import annotations

import tomllib
from typing import Any

import jsonschema
import pytest
from assay.base.errors import InputError
from assay.design.plan.treatments import make_treatments
from assay.design.study import (
    derive,
    difference_text,
    parse_study,
    schema,
    study_hash,
    study_toml,
)

from studies import FILE, VALID, read

KEYS = ("server.variables.innodb_flush_method", "server.variables.innodb_io_capacity")
DISK = f"""\
[[factor]]
name = "disk"
keys = {list(KEYS)}
levels = ["ssd", "hdd"]
values = [["O_DIRECT", 10000], ["fsync", 200]]
"""
START = VALID[: VALID.index("[[factor]]")]
TIED = START + DISK + '[[hypothesis]]\nclaim = "tps[disk=ssd] > tps[disk=hdd]"\n'
BOTH = TIED + '[[factor]]\nname = "schema.index"\nlevels = [true, false]\n'


def complaint(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return caught.value.message


def tied(old: str, new: str) -> str:
    assert old in TIED
    return TIED.replace(old, new, 1)


def test_it_sets_all_its_keys_at_each_level() -> None:
    study = read(BOTH)
    disk, index = study.factors
    assert (disk.short_name, disk.varied, index.varied) == ("disk", KEYS, ("schema.index",))
    assert disk.settings("hdd") == dict(zip(KEYS, ("fsync", 200), strict=True))
    assert index.settings(False) == {"schema.index": False}
    assert study.varied == {
        KEYS[0]: ("O_DIRECT", "fsync"),
        KEYS[1]: (10000, 200),
        "schema.index": (True, False),
    }
    assert study.hypotheses[0].terms[0].selector.levels == (("disk", "ssd"),)


def test_numbers_and_switches_may_name_levels() -> None:
    study = read(
        tied('["ssd", "hdd"]', "[true, false]").replace("disk=ssd", "disk=on").replace("disk=hdd", "disk=off")
    )
    assert study.factors[0].settings(True)[KEYS[1]] == 10000
    study = read(tied('["ssd", "hdd"]', "[1, 2]").replace("disk=ssd", "disk=1").replace("disk=hdd", "disk=2"))
    assert study.factors[0].settings(2)[KEYS[1]] == 200


def test_servers_and_workloads_may_be_among_the_keys() -> None:
    text = TIED.replace('use = "mariadb"\n', "", 1).replace('use = "oltp_read_write"\n', "", 1)
    text = text.replace(str(list(KEYS)), '["server.use", "workload.use"]')
    study = read(
        text.replace('["O_DIRECT", 10000], ["fsync", 200]', '["mariadb", "select"], ["mysql", "select"]')
    )
    assert (study.servers, study.workloads) == (("mariadb", "mysql"), ("select",))
    assert (study.server.use, study.workload.use) == ("mariadb", "select")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"disk"', '"server.variables.disk"', 'factor[0].name: "server.variables.disk" is not a name for several keys'),
        ('"disk"', '"threads"', 'factor[0].name: "threads" has a meaning of its own'),
        (f'keys = {list(KEYS)}', "keys = []", "factor[0].keys: "),
        (KEYS[1], "server.variable.innodb_io_capacity", 'factor[0].keys[1]: "server.variable.innodb_io_capacity" cannot be a factor; did you mean'),
        (KEYS[1], "load.threads", "factor[0].keys[1]: \"load.threads\": the ladder cannot be a factor"),
        (KEYS[1], "copy", 'factor[0].keys[1]: "copy" cannot vary with other keys'),
        (KEYS[1], KEYS[0], f'factor[0].keys[1]: "{KEYS[0]}" is set by the factor "disk" already'),
        (KEYS[1], "server.variables.innodb_buffer_pool_size", "is set in both, here and at [server] variables"),
        (KEYS[1], "server.cpus", 'factor[0].values[0][1]: 10000 is not allowed; write it as in "0-3,8"'),
        ("values =", "value =", 'factor[0].value: unknown key; did you mean "values"?'),
        ('values = [["O_DIRECT", 10000], ["fsync", 200]]\n', "", "factor[0]: has keys and needs values: a row for each level"),
        (', ["fsync", 200]]', ', ["fsync", 200], ["fsync", 1]]', "factor[0].values: has 3 rows, but there are 2 levels"),
        ('["fsync", 200]', '["fsync"]', 'factor[0].values[1]: ["fsync"] has 1 value, but there are 2 keys'),
        ('["fsync", 200]', '["fsync", [200]]', "factor[0].values[1][1]: "),
        ('["ssd", "hdd"]', '["ssd"]', "factor[0].levels: has one level"),
        ('[disk=hdd]', '[disk=tape]', '"disk" has no level "tape"'),
    ],
)  # fmt: skip
def test_what_is_wrong(old: str, new: str, said: str) -> None:
    message = complaint(tied(old, new))
    assert message.startswith("a.toml:")
    assert said in message, message


def test_values_need_keys() -> None:
    text = START + '[[factor]]\nname = "schema.index"\nlevels = [true, false]\nvalues = [[1], [2]]\n'
    assert "factor[0].values: needs keys" in complaint(text)


def test_a_key_varies_in_one_factor() -> None:
    plain = f'[[factor]]\nname = "{KEYS[1]}"\nlevels = [1, 2]\n'
    assert f'factor[1].name: "{KEYS[1]}" is set by the factor "disk" already' in complaint(
        START + DISK + plain
    )
    other = DISK.replace('"disk"', '"other"').replace(KEYS[0], "server.variables.sync_binlog")
    assert f'factor[1].keys[1]: "{KEYS[1]}" is set by the factor "disk" already' in complaint(
        START + DISK + other
    )


@pytest.mark.parametrize("name", ["disk", "workload.disk"])
def test_a_name_that_claims_have_for_another_factor(name: str) -> None:
    other = (
        DISK.replace("innodb_", "a_") if name == "disk" else f'[[factor]]\nname = "{name}"\nlevels = [1, 2]\n'
    )
    assert f'"disk" is also what claims call "{name}"; write another word' in complaint(START + DISK + other)


def test_the_command_line_cannot_set_one_of_its_keys() -> None:
    text = TIED.replace('use = "mariadb"\n', "", 1).replace(KEYS[0], "server.use")
    text = text.replace("O_DIRECT", "mariadb").replace('"fsync"', '"mysql"')
    with pytest.raises(InputError, match=r'"server\.use" is a factor of this study'):
        parse_study(text, FILE, changes={("server", "use"): "mysql"})


def test_it_is_written_and_read_as_the_same_study() -> None:
    study = read(BOTH)
    assert parse_study(study_toml(study), FILE) == study


def test_its_values_are_part_of_the_experiment() -> None:
    first, second = read(TIED), read(TIED.replace("200]]", "300]]"))
    assert study_hash(first) != study_hash(second)
    assert difference_text(first, second) == (
        f'factor "disk": ["ssd ({KEYS[0]}=O_DIRECT, {KEYS[1]}=10000)", "hdd ({KEYS[0]}=fsync, {KEYS[1]}=200)"] →'
        f' ["ssd ({KEYS[0]}=O_DIRECT, {KEYS[1]}=10000)", "hdd ({KEYS[0]}=fsync, {KEYS[1]}=300)"]'
    )


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({}, ("O_DIRECT", 10000)),
        ({"disk": "hdd"}, ("fsync", 200)),
        ({KEYS[1]: "200"}, ("fsync", 200)),
        ({KEYS[0]: "fsync", KEYS[1]: "10000"}, ("O_DIRECT", 10000)),
    ],
)
def test_it_is_fixed_at_a_level(levels: dict[str, str], expected: tuple[Any, ...]) -> None:
    alone = derive.at_levels(read(TIED), levels)
    assert tuple(alone.server.variables.get(key.rpartition(".")[2]) for key in KEYS) == expected


def test_copies_have_its_first_level() -> None:
    copies = derive.as_copies(read(TIED), copies=4, blocks=6)
    assert copies.server.variables["innodb_io_capacity"] == 10000


def test_a_scale_changes_its_keys_and_values() -> None:
    scale = '[scale.small]\n"factor.disk.values" = [["O_DIRECT", 1000], ["fsync", 100]]\n'
    study = parse_study(TIED + scale, FILE, scale="small")
    assert study.factors[0].settings("ssd")[KEYS[1]] == 1000
    scale = '[scale.small]\n"factor.disk.keys" = ["server.cpus"]\n"factor.disk.values" = [["0"], ["0-1"]]\n'
    study = parse_study(TIED + scale, FILE, scale="small")
    assert study.factors[0].settings("ssd") == {"server.cpus": "0"}
    assert study.varied == {"server.cpus": ("0", "0-1")}


def test_a_delay_is_for_the_levels_with_a_network() -> None:
    text = TIED.replace(str(list(KEYS)), '["load.client", "load.delay_ms"]')
    good = text.replace('["O_DIRECT", 10000], ["fsync", 200]', '["socket", 0], ["netns", 2]')
    assert read(good).varied["load.delay_ms"] == (0, 2)
    assert "needs a client in its own network" in complaint(good.replace('["socket", 0]', '["socket", 1]'))


def test_the_schema_takes_it() -> None:
    for text in (BOTH, OWN_KEYS):
        jsonschema.validate(tomllib.loads(text), schema())


SETTINGS = """\
[[factor]]
name = "kind"

[factor.settings]
point = { workload = { use = "oltp_point_select" } }
cold = { workload = { use = "oltp_point_select" }, server.variables.innodb_buffer_pool_size = "16M" }
range = { workload = { use = "oltp_read_only", range_size = 10 } }
bulk = { workload = { use = "bulk_insert", tables = "default" } }
"""
OWN_KEYS = START.replace('use = "oltp_read_write"\n', "", 1) + SETTINGS


def test_levels_may_have_keys_of_their_own() -> None:
    study = read(OWN_KEYS)
    (kind,) = study.factors
    assert kind.levels == ("point", "cold", "range", "bulk")
    assert kind.settings("range") == {"workload.use": "oltp_read_only", "workload.range_size": 10}
    assert study.varied["workload.range_size"] == (10,)
    assert study.workloads == ("oltp_point_select", "oltp_read_only", "bulk_insert")
    assert read(study_toml(study)) == study
    again = read(study_toml(study).replace("16M", "32M"))
    assert study_hash(again) != study_hash(study)
    assert "innodb_buffer_pool_size=32M" in difference_text(study, again)


def test_a_level_takes_from_the_file_what_it_leaves_out() -> None:
    point, cold, _, bulk = make_treatments(read(OWN_KEYS))
    pool = "innodb_buffer_pool_size"
    assert (point.variables[pool], cold.variables[pool]) == ("1G", "16M")
    assert point.workload_options["tables"] == 4
    assert "tables" not in bulk.workload_options


def test_levels_may_name_some_of_the_settings() -> None:
    names = OWN_KEYS.replace('name = "kind"\n', 'name = "kind"\nlevels = ["range", "point"]\n')
    assert read(names).factors[0].levels == ("range", "point")
    scale = '\n[scale.small]\n"factor.kind.levels" = ["bulk", "cold"]\n'
    assert parse_study(OWN_KEYS + scale, FILE, scale="small").factors[0].levels == ("bulk", "cold")


def test_one_level_becomes_the_keys_of_a_file() -> None:
    study = read(OWN_KEYS)
    for level, options in (("range", {"use": "oltp_read_only", "range_size": 10}), ("bulk", {})):
        alone = derive.at_levels(study, {"kind": level}).workload
        assert options.items() <= {"use": alone.use, **alone.options}.items()
        assert ("tables" in alone.options) == (level != "bulk")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[factor.settings]", 'levels = ["point", "rnage"]\n[factor.settings]', 'factor[0].levels[1]: settings has no table "rnage"'),
        ("[factor.settings]", 'keys = ["server.cpus"]\n[factor.settings]', "factor[0].keys: cannot be combined with settings"),
        ("range_size = 10 }", "range_size = 10 }, load.client = \"tcp\"", "factor[0].settings.point: needs load.client, which another level sets"),
        ("use = \"oltp_read_only\", ", "", "factor[0].settings.range: needs workload.use, which another level sets"),
        ("workload = { use = \"oltp_read_only\"", "workloads = { use = \"oltp_read_only\"", '"workloads.use" cannot be a factor'),
        ('"16M"', "[16]", "factor[0].settings"),
        ("range_size = 10 }", 'range_size = 10 }, copy = 2', '"copy" cannot vary with other keys'),
        ('name = "kind"', 'name = "workload.kind"', '"workload.kind" is not a name for several keys'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_settings(old: str, new: str, said: str) -> None:
    assert old in OWN_KEYS
    message = complaint(OWN_KEYS.replace(old, new, 1))
    assert message.startswith("a.toml:")
    assert said in message, message


def test_a_key_that_every_level_sets_may_not_be_set_elsewhere() -> None:
    text = OWN_KEYS.replace("[workload]\n", '[workload]\nuse = "select"\n', 1)
    assert '"workload.use" is set in both' in complaint(text)
