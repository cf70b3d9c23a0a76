"""What makes two studies the same experiment, and what does not."""

from __future__ import annotations

from typing import Annotated

import pytest
from assay.design.study import study_hash
from assay.design.study.model.design import Design
from assay.design.study.model.table import OUTSIDE_IDENTITY, identity_keys

from studies import VALID, changed, read, valid


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n" + VALID,
        changed('name = "a"', 'name = "b"\ntitle = "Another title"\ndescription = { en = "…", zh = "……" }'),
        changed("[1, 4]", '[1, 4]\nlabels = { 1 = "one", 4 = { en = "four", zh = "四" } }'),
        VALID + 'says = { zh = "更快" }\nsource = { en = "a manual", zh = "手册" }\n',
        changed('"10s"', '"10000ms"'),
        VALID[: VALID.index("[[hypothesis]]")],
        VALID + '\n[[hypothesis]]\nclaim = "tps > 5"\n',
        VALID + "\n[verdict]\nmargin = 0.1\n",
        changed("blocks = 6", "blocks = 12"),
        changed("blocks = 6", 'blocks = 6\norder = "randomized"'),
        changed("blocks = 6", 'blocks = 6\nfair = "strict"'),
        changed("blocks = 6", 'blocks = 6\nredo = "run"'),
        changed("[1, 8, 64]", '[1, 8, 64]\norder = "shuffled"'),
        changed("[1, 8, 64]", "[1, 8, 64]\nprofile_s = 20\nprofile_hz = 99"),
        changed('use = "mariadb"', 'use = "mariadb"\napplies = ["mariadb"]\nreason = "so"'),
    ],
    ids=[
        "comment",
        "names",
        "labels",
        "says",
        "unit",
        "no-beliefs",
        "more-beliefs",
        "margin",
        "blocks",
        "default",
        "fair",
        "redo",
        "rungs",
        "profile",
        "applies",
    ],
)
def test_the_same_experiment(text: str) -> None:
    assert study_hash(read(text)) == study_hash(valid())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"mariadb"', '"mysql"'),
        ('"1G"', '"2G"'),
        ("tables = 4", "tables = 5"),
        ("[1, 8, 64]", "[1, 8]"),
        ("[1, 8, 64]", '[1, 8, 64]\norder = "as-written"'),
        ('"5s"', '"6s"'),
        ('"10s"', '"11s"'),
        ("[1, 4]", "[4, 1]"),
        ("[true, false]", "[false, true]"),
        ("blocks = 6", 'blocks = 6\norder = "as-written"'),
        ("blocks = 6", "blocks = 6\nseed = 1"),
        ("blocks = 6", 'blocks = 6\nkind = "one-at-a-time"'),
    ],
)
def test_another_experiment(old: str, new: str) -> None:
    text = changed(old, new)
    assert study_hash(read(text)) != study_hash(valid())


def test_the_hash_stays_what_it_was() -> None:
    """Results on people's disks carry it: a change here needs a way to go on with them."""
    assert study_hash(valid()) == "d6aa723e475ea82c08b6552f0d0d62f7ac4a5de0ea24a9c559234ddc8fd82a01"


def test_the_hash_of_keys_one_by_one_stays_what_it_was() -> None:
    """However they are kept in memory, and whatever number a delay is written as."""
    given = """cpus = "0-3"
allocator = "jemalloc"
memory = "1G"
numa = "interleave"
data_dir = "/data"
redo_dir = "default"
binlog_dir = "/log"
"""
    text = f"""[study]
name = "k"
[server]
use = "mariadb"
{given}[workload]
use = "oltp_read_write"
[schema]
engine = "aria"
index = false
[load]
threads = [1]
ps_mode = "disable"
client = "netns"
delay_ms = 1
"""
    assert study_hash(read(text)) == "420f818fc12206b23d5eda54ae20b96946f1d8dcaca72a8052759b1944dece1f"
    assert study_hash(read(text.replace("= 1\n", "= 1.0\n"))) == study_hash(read(text))
    for line in given.splitlines():
        assert study_hash(read(text.replace(line, ""))) != study_hash(read(text))


def test_a_key_is_in_the_identity_unless_its_type_says_otherwise() -> None:
    """A key that somebody adds makes another experiment: results with and without it are never joined."""

    class Added(Design):
        settle_ms: int = 0
        colour: Annotated[str, OUTSIDE_IDENTITY] = "red"

    assert identity_keys(Added) == identity_keys(Design) | {"settle_ms"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("kind", "one-at-a-time"), ("fold_over", False), ("treatments", 9), ("blocks", 7), ("loads", 2)),
        *(("first_load", 2), ("order", "as-written"), ("seed", 3), ("redo", "run"), ("fair", "strict")),
    ],
)
def test_each_key_of_the_design_is_in_the_identity_or_is_not(key: str, value: object) -> None:
    study = valid()
    other = study.model_copy(update={"design": study.design.model_copy(update={key: value})})
    assert (study_hash(other) != study_hash(study)) is (key in identity_keys(Design))
    assert key in Design.model_fields
