"""What a study file may not say, and the words in which that is said."""

# ruff: noqa: E501 (one row a message)

from __future__ import annotations

from pathlib import Path

import pytest
from assay.errors import InputError
from assay.study import load_study

from studies import VALID, changed, read

CLAIM = "tps[innodb_purge_threads=4] > tps[innodb_purge_threads=1]"


def complaint(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.exit_code == 2
    return caught.value


# what is replaced, by what, and the whole message
MESSAGES = [
    # unknown keys, at every level
    ("[design]", "[dessign]", 'a.toml:25: dessign: unknown key; did you mean "design"?'),
    ("[[factor]]\nname = \"schema", '[[factors]]\nname = "schema', "a.toml:21: factors: unknown key; write [[factor]]"),
    ("warmup =", "warm_up =", 'a.toml:14: load.warm_up: unknown key; did you mean "warmup"?'),
    ("blocks = 6", "block = 6", 'a.toml:26: design.block: unknown key; did you mean "blocks"?'),
    ("levels = [1, 4]", "level = [1, 4]", 'a.toml:19: factor[0].level: unknown key; did you mean "levels"?'),
    ("blocks = 6", 'measure = "1s"', "a.toml:26: design.measure: unknown key; it belongs in [load]"),
    (
        'name = "a"',
        'name = "a"\nxyz = 1',
        "a.toml:3: study.xyz: unknown key; known: name, title, description",
    ),
    # missing
    (
        '"schema.index"\nlevels = [true, false]',
        '"workload.use"\nlevels = ["select", "oltp_read_only"]',
        'factor[1].name: "workload.use" is set in both, here and at [workload] use; keep one of them',
    ),
    ('use = "oltp_read_write"\n', "", "a.toml:8: workload.use: is missing: Name of a workload, as"),
    ('use = "mariadb"\n', "", 'a.toml:4: server.use: is missing; say which server, as in use = "mariadb"'),
    ("threads = [1, 8, 64]\n", "", "a.toml:12: load: has no ladder; write threads = [1, 8, 64], or rate"),
    # threads and rates
    ("[1, 8, 64]", "[1, 8, 0]", "a.toml:13: load.threads[2]: 0 threads drive no load; the smallest number is 1"),
    ("[1, 8, 64]", "[1, -8]", "a.toml:13: load.threads[1]: -8 threads drive no load; the smallest number is 1"),
    (
        "[1, 8, 64]",
        '[1, "8"]',
        'a.toml:13: load.threads[1]: "8" is not a number of threads; write a whole number from 1',
    ),
    ("[1, 8, 64]", "[1.5]", "load.threads[0]: 1.5 is not a number of threads; write a whole number from 1"),
    ("[1, 8, 64]", "[true]", "load.threads[0]: true is not a number of threads"),
    ("[1, 8, 64]", "8", "load.threads: 8 is not a list; write [8]"),
    ("[1, 8, 64]", "[]", "load.threads: is an empty list; write at least one number of threads"),
    ("[1, 8, 64]", "[8, 8]", "load.threads: 8 stands in the list twice"),
    ("[1, 8, 64]", "[1]\nrate = [5]", "load.rate: stands beside threads; a study has one ladder"),
    ("[1, 8, 64]", '[1]\narrivals = "poisson"', "load.arrivals: is only for an open loop"),
    ("[1, 8, 64]", "[1, 8]\nterminals = 4", "load.terminals: is 4, but they are to share 8 connections"),
    ("threads = [1, 8, 64]", "rate = [5]\nterminals = 4", "load.terminals: is only for a closed loop"),
    ("threads = [1, 8, 64]", "rate = [0]", "load.rate[0]: 0 is not a rate; write transactions per second, above 0"),
    # time
    (
        '"10s"',
        '"0s"',
        'a.toml:15: load.measure: "0s" is a window of zero length: nothing can be measured in it; write at least "1s"',
    ),
    ('"10s"', "10", 'load.measure: 10 has no unit; write "10s" for seconds'),
    ('"10s"', '"10 sec"', 'load.measure: "10 sec" is not a length of time; write a number and ms, s, m or h'),
    ('"10s"', '"-1s"', 'load.measure: "-1s" is not a length of time'),
    ('"5s"', '"until-stedy"', 'load.warmup: "until-stedy" is no warm-up; write "30s", "until-steady"'),
    ('"5s"', "5", 'load.warmup: 5 has no unit; write "5s" for seconds'),
    # server variables
    (
        '"1G"',
        '"2GB"',
        'a.toml:6: server.variables.innodb_buffer_pool_size: "2GB" is no size the server knows; did you mean "2G"?',
    ),
    ('"1G"', '"512 MiB"', '"512 MiB" is no size the server knows; did you mean "512M"?'),
    ('"1G"', '"1.5G"', '"1.5G": sizes are whole numbers; did you mean "1536M"?'),
    ('"1G"', "[1]", "innodb_buffer_pool_size: [1] is not a single value; write a string, a number, true or false"),
    (
        "innodb_buffer_pool_size",
        "innodb-buffer-pool-size",
        '"innodb-buffer-pool-size" is no name of a server variable; did you mean "innodb_buffer_pool_size"?',
    ),
    ("tables = 4", "threads = 4", "a.toml:10: workload.threads: is no option of a workload; it belongs in [load]"),
    ("[design]\nblocks = 6\n\n[[hypothesis]]", "[hypothesis]", "a.toml:25: hypothesis: is a list of tables; write [[hypothesis]], with two brackets"),
    ("tables = 4", "tables = [4]", "workload.tables: [4] is not a single value"),
    # factors
    (
        "server.variables.innodb_purge_threads",
        "server.variable.innodb_purge_threads",
        'factor[0].name: "server.variable.innodb_purge_threads" cannot be a factor; '
        'did you mean "server.variables.innodb_purge_threads"?',
    ),
    (
        'name = "server.variables.innodb_purge_threads"',
        'name = "innodb_purge_threads"',
        'did you mean "server.variables.innodb_purge_threads" or "workload.innodb_purge_threads"?',
    ),
    ("schema.index", "schema.indexes", 'cannot be a factor; did you mean "schema.index"?'),
    ("schema.index", "load.terminals", '"load.terminals": terminals are no factor: every run has [load] terminals'),
    ("schema.index", "load.threads", '"load.threads": the ladder is no factor: every run climbs all of [load] threads'),
    (
        "schema.index",
        "server.variables.innodb_purge_threads",
        'a.toml:22: factor[1].name: "server.variables.innodb_purge_threads" is a factor already',
    ),
    (
        "innodb_purge_threads",
        "innodb_buffer_pool_size",
        '"server.variables.innodb_buffer_pool_size" is set in both, here and at [server] variables; keep one',
    ),
    ("schema.index", "workload.tables", '"workload.tables" is set in both, here and at [workload]; keep one of them'),
    ("tables = 4", "create_secondary = true", 'sets the same as "workload.create_secondary"; keep one of them'),
    ("[1, 4]", "[1, 1]", "a.toml:19: factor[0].levels: 1 stands in the list twice"),
    ("[1, 4]", "[1, 1.0]", "factor[0].levels: 1.0 stands in the list twice"),
    ("[1, 4]", '[0, "4M"]', 'factor[0].levels: [0, "4M"] mixes types; write all as numbers, all as strings'),
    ("[1, 4]", "[true, 4]", "factor[0].levels: [true, 4] mixes types"),
    ("[1, 4]", "[1]", "factor[0].levels: has one level, so nothing varies"),
    ("[1, 4]", '["1GB", "2GB"]', '"1GB" is no size the server knows; did you mean "1G"?'),
    ("[true, false]", '["yes", "no"]', 'factor[1].levels[0]: "yes" is no level here; levels are true and false'),
    # what the machine gives
    ('use = "mariadb"', 'use = "mariadb"\nmemory = "1GB"', 'server.memory: "1GB" is no size the server knows; did you mean "1G"?'),
    ('use = "mariadb"', 'use = "mariadb"\nmemory = 7', "server.memory: 7 is not a size; write a whole number and K, M, G or T"),
    ('use = "mariadb"', 'use = "mariadb"\nmemory = "0M"', 'server.memory: "0M" is not a size'),
    ('use = "mariadb"', 'use = "mariadb"\nredo_dir = "fast"', 'a.toml:6: server.redo_dir: "fast" is no directory; write a whole path'),
    ('use = "mariadb"', 'use = "mariadb"\nredodir = "/data"', 'server.redodir: unknown key; did you mean "redo_dir"?'),
    ('"schema.index"\nlevels = [true, false]', '"server.memory"\nlevels = ["1G", "much"]', 'factor[1].levels[1]: "much" is not a size'),
    ('"schema.index"\nlevels = [true, false]', '"server.data_dir"\nlevels = ["default", "here"]', '"here" is no directory'),
    ('use = "mariadb"', 'use = "mariadb"\ndynamic = { max-connections = 7 }', '"max-connections" is no name of a server variable; did you mean "max_connections"?'),
    ('"schema.index"\nlevels = [true, false]', '"server.dynamc.x"\nlevels = [1, 2]', '"server.dynamc.x" cannot be a factor; did you mean "server.dynamic.x"?'),
    ('use = "mariadb"', 'use = "mariadb"\nnuma = "bind"', 'a.toml:6: server.numa: "bind" is no policy; write "interleave" (over all nodes)'),
    # settings of the machine
    ("[design]", '[host]\nblock.schedular = "none"\n[design]', 'a.toml:26: host.block.schedular: no setting of the machine is called "block.schedular"; did you mean "block.scheduler"?'),
    ("[design]", '[host.block]\nrotational = 2\n[design]', "a.toml:26: host.block.rotational: 2 is no value here; write a whole number from 0 to 1"),
    ("[design]", '[host]\nblock = "none"\n[design]', 'host.block: no setting of the machine is called "block"; known: block.scheduler'),
    ("[design]", '[host]\nthp = "nevr"\n[design]', 'host.thp: "nevr" is no value here; did you mean "never"?'),
    ("[design]", '[host]\nmount = "no atime"\n[design]', 'host.mount: "no atime" is no value here; write it as in "noatime,nodiscard"'),
    ('"schema.index"\nlevels = [true, false]', '"host.block.schedulr"\nlevels = ["none", "bfq"]', '"host.block.schedulr" cannot be a factor; did you mean "host.block.scheduler"?'),
    ('"schema.index"\nlevels = [true, false]', '"host.vm.swappiness"\nlevels = [1, 201]', "factor[1].levels[1]: 201 is no value here; write a whole number from 0 to 200"),
    ('"schema.index"\nlevels = [true, false]\n', '"host.thp"\nlevels = ["always", "never"]\n[host]\nthp = "never"\n', '"host.thp" is set in both, here and at [host]; keep one of them'),
    # where the client is
    ('warmup = "5s"', 'client = "unix"', 'load.client: "unix" is not allowed; allowed: "socket", "tcp", "netns"'),
    ('warmup = "5s"', 'client = "netns"\ndelay_ms = "1ms"', 'load.delay_ms: "1ms" is no delay; write milliseconds without a unit'),
    ('warmup = "5s"', 'client = "netns"\ndelay_ms = -1', "load.delay_ms: -1 is no delay"),
    ('warmup = "5s"', 'client = "tcp"\ndelay_ms = 1', 'a.toml:15: load.delay_ms: delays a client that is in a network of its own: load.client = "netns", not "tcp"'),
    ('"schema.index"\nlevels = [true, false]', '"load.delay_ms"\nlevels = [0, 1]', 'factor[1].levels: delays a client that is in a network of its own: load.client = "netns", not "socket"'),
    # design
    ("blocks = 6", "blocks = 0", "a.toml:26: design.blocks: 0 is out of range; allowed: at least 1"),
    ("blocks = 6", "blocks = 100", "design.blocks: 100 is out of range; allowed: at most 99"),
    ("blocks = 6", "blocks = 6.5", "design.blocks: 6.5 is not a whole number"),
    (
        "blocks = 6",
        'kind = "factorail"',
        'design.kind: "factorail" is not allowed; allowed: "factorial", "one-at-a-time"; did you mean "factorial"?',
    ),
    # name and title
    ('name = "a"', 'name = "A study"', 'a.toml:2: study.name: "A study" is not allowed; use a-z, 0-9, "-" and "_"'),
    ('name = "a"', 'name = "../a"', 'study.name: "../a" is not allowed'),
    ('name = "a"', "name = 1", "study.name: 1 is not a string in quotes"),
    ('name = "a"', 'name = "a"\ntitle = { fr = "Un" }', 'study.title: "fr" is no language of the reports; known: en, zh'),
    # claims
    (CLAIM, "tps[innodb_purge_thread=4] > tps[index=on]", 'no factor "innodb_purge_thread"; did you mean "innodb_purge_threads"?'),
    (CLAIM, CLAIM.replace("=4", "=3"), '"innodb_purge_threads" has no level "3"; known: 1, 4'),
    (CLAIM, CLAIM.replace("tps", "tpz"), 'a.toml:29: hypothesis[0].claim: unknown measure "tpz"; did you mean "tps"?'),
    (
        CLAIM,
        "tps[index=on, threads=32] > tps[index=off, threads=32]",
        "hypothesis[0].claim: threads=32 is not on the ladder [1, 8, 64]; the nearest rung is 8",
    ),
    (CLAIM, "tps[index=on, rate=5] > tps[index=off, rate=5]", "speaks of rate, but the study's ladder is [load] threads"),
    (CLAIM, "tps[index=on, schema.index=on] > 5", 'names the factor "schema.index" twice'),
    (f'"{CLAIM}"', f'"{CLAIM}"\nat = [7]', "a.toml:30: hypothesis[0].at[0]: threads=7 is not on the ladder"),
    (f'"{CLAIM}"', f'"{CLAIM}"\nmargin = 0', "hypothesis[0].margin: 0 is out of range; allowed: above 0"),
    (
        f'"{CLAIM}"',
        '"tps[innodb_purge_threads=4] >= 5"\nmargin = 0.1',
        "hypothesis[0].margin: has no effect here: a figure after >, <, >=, <= or = is held against the figure alone",
    ),
    (f'"{CLAIM}"', "4", 'hypothesis[0].claim: 4 is no claim; write a string as in "tps[a=4] > tps[a=1]"'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MESSAGES, ids=lambda part: str(part)[:40])
def test_message(old: str, new: str, message: str) -> None:
    found = complaint(changed(old, new)).message
    assert found.startswith("a.toml")
    assert message in found


def test_a_selector_no_treatment_of_the_design_has() -> None:
    text = changed("blocks = 6", 'kind = "one-at-a-time"')
    text = text.replace(CLAIM, "tps[innodb_purge_threads=4, index=off] > tps[index=on]")
    assert "leaves the baseline in 2 factors, but the design is one-at-a-time" in complaint(text).message


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("tps[schema.index=on] > tps[index=true]", "factorial"),
        ("tps[innodb_purge_threads=4, index=on] > tps[innodb_purge_threads=4]", "one-at-a-time"),
        ("tps[innodb_purge_threads=4]/tps[innodb_purge_threads=4, index=on] > 1", "one-at-a-time"),
    ],
)
def test_a_treatment_is_not_compared_with_itself(claim: str, kind: str) -> None:
    text = changed("blocks = 6", f'kind = "{kind}"').replace(CLAIM, claim)
    found = complaint(text).message
    assert "select the same treatments and no other: each would be compared with itself" in found


def test_a_claim_of_a_factor_where_there_is_none() -> None:
    start, end = VALID.index("[[factor]]"), VALID.index("[design]")
    found = complaint(VALID[:start] + VALID[end:])
    assert 'speaks of "innodb_purge_threads", but the study has no factor' in found.message


def test_a_short_name_that_two_factors_share() -> None:
    text = changed("schema.index", "workload.innodb_purge_threads").replace("[true, false]", "[1, 2]")
    assert 'could be "server.variables.innodb_purge_threads" or "workload' in complaint(text).message


def test_all_problems_are_told_at_once() -> None:
    found = complaint(changed("[1, 8, 64]", "[0]").replace("blocks = 6", "blocks = 0"))
    assert "load.threads[0]" in found.message
    assert found.detail is not None
    assert "a.toml:26: design.blocks: 0 is out of range" in found.detail
    assert found.hint == "2 things are wrong in this file"


def test_a_claim_that_does_not_parse_is_drawn_with_a_caret() -> None:
    found = complaint(changed(CLAIM, "tps[innodb_purge_threads=4 > 3"))
    assert found.detail == "tps[innodb_purge_threads=4 > 3\n                           ^"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [('"10s"', "10s", 15), ("blocks = 6", "blocks = 6\nblocks = 7", 27), ('"1G"', '"1G', 6)],
)
def test_toml_syntax_is_reported_with_its_line(old: str, new: str, line: int) -> None:
    found = complaint(changed(old, new))
    assert found.message.startswith(f"a.toml:{line}: is not valid TOML:")
    assert found.detail is not None


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: No such file"):
        load_study(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_study(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"is not UTF-8 text \(byte 0\)"):
        load_study(tmp_path / "binary.toml")
