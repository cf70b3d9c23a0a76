"""Faults of study files, and their messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import load_study
from bad_studies import CLAIM, MESSAGES

from studies import VALID, changed, read


def complaint(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.exit_code == 2
    return caught.value


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
    assert 'names "innodb_purge_threads", but the study has no factor' in found.message


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
    (tmp_path / "binary.toml").write_bytes(b"\n\xff\xff")
    with pytest.raises(InputError, match=r"is not UTF-8 text \(line 2\)"):
        load_study(tmp_path / "binary.toml")
