"""Scales: a few keys of a study with other values, checked and kept as if the file had them."""

# ruff: noqa: E501 (one row a message)

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import Study, changed_text, derive, parse_study, study_hash, study_toml

from studies import FILE, VALID, changed

HYPOTHESIS = '\n[[hypothesis]]\nid = "H003-02"\nclaim = "tps[index=true] > tps[index=false]"\nat = [8]\n'
SMALL = """
[scale.small]
about = { en = "A tenth of everything.", zh = "十分之一。" }
"workload.table_size" = 1_000
"server.variables.innodb_buffer_pool_size" = "64M"
"host.block.scheduler" = "none"
"load.threads" = [1, 2]
"load.measure" = "2s"
"design.blocks" = 3
"factor.server.variables.innodb_purge_threads.levels" = [1, 2]
"hypothesis.H003-02.claim" = "tps[index=true] > tps[index=false] by 5%"
"hypothesis.H003-02.at" = [2]
"""


OWN = VALID[: VALID.index("[[hypothesis]]")] + HYPOTHESIS


def with_scale(*lines: str) -> str:
    return OWN + "\n[scale.small]\n" + "\n".join(lines) + "\n"


def read(text: str, scale: str | None = None) -> Study:
    return parse_study(text, FILE, scale=scale)


def complaint(text: str, scale: str | None = "small") -> str:
    with pytest.raises(InputError) as caught:
        read(text, scale)
    return caught.value.message


PLAIN = with_scale(*SMALL.splitlines()[2:])


def test_a_scale_sets_keys_of_every_kind() -> None:
    study, own = read(PLAIN, "small"), read(PLAIN)
    assert study.workload.options["table_size"] == 1_000
    assert study.workload.options["tables"] == own.workload.options["tables"]
    assert study.server.variables["innodb_buffer_pool_size"] == "64M"
    assert study.host == {"block.scheduler": "none"}
    assert (study.load.threads, study.load.measure_s, study.design.blocks) == ((1, 2), 2.0, 3)
    assert [factor.levels for factor in study.factors] == [(1, 2), (True, False)]
    assert study.hypotheses[0].text == "tps[index=true] > tps[index=false] by 5%"
    assert study.hypotheses[0].at == (2.0,)
    assert study.scale is not None
    assert (study.scale.name, study.scale.about["zh"]) == ("small", "十分之一。")
    assert own.scale is None
    assert own.design.blocks == 6


def test_it_is_the_study_that_a_file_with_those_values_is() -> None:
    said = read(changed("blocks = 6", "blocks = 3").replace("[1, 8, 64]", "[1]").replace("at = ", "# "))
    text = VALID.replace("at = ", "# ") + '[scale.a]\n"design.blocks" = 3\nload.threads = [1]\n'
    found = read(text, "a")
    assert found.model_copy(update={"scale": None}) == said


@pytest.mark.parametrize(
    "spelling",
    [
        '[scale.small]\n"load.threads" = [2]',
        "[scale.small]\nload.threads = [2]",
        "[scale.small.load]\nthreads = [2]",
        "[scale.small]\nload = { threads = [2] }",
        '[scale]\nsmall = { "load.threads" = [2] }',
        '[scale."small"]\n"load".threads = [2]',
    ],
)
def test_every_spelling(spelling: str) -> None:
    text = VALID[: VALID.index("[[hypothesis]]")] + spelling + "\n"
    assert read(text, "small").load.threads == (2,)


def test_a_factor_by_its_short_name() -> None:
    text = with_scale('"factor.innodb_purge_threads.levels" = [1, 32]')
    assert read(text, "small").factors[0].levels == (1, 32)


def test_the_default_scale_of_a_file_and_another_one() -> None:
    text = with_scale('"design.blocks" = 3', "[scale.original]", 'about = "As published."')
    text = text.replace('name = "a"', 'name = "a"\nscale = "small"', 1)
    small, original = read(text), read(text, "original")
    assert (small.folder_name, small.design.blocks) == ("a-small", 3)
    assert (original.folder_name, original.design.blocks) == ("a-original", 6)


def test_the_command_line_comes_after_the_scale() -> None:
    study = parse_study(PLAIN, FILE, changes={("design", "blocks"): 9}, scale="small")
    assert (study.design.blocks, study.load.threads) == (9, (1, 2))


def test_the_copy_that_a_results_folder_keeps_is_the_same_study() -> None:
    text = "# why\n" + PLAIN + '\n[scale.big]\n"design.blocks" = 30\n'
    changes = {("design", "blocks"): 9}
    kept = changed_text(text, FILE, changes, "small").kept
    first, again = parse_study(text, FILE, changes=changes, scale="small"), read(kept)
    assert again == first
    assert read(kept, "small") == first
    assert kept.startswith("# why")
    assert tomllib.loads(kept)["scale"] == {
        "small": {"about": {"en": "A tenth of everything.", "zh": "十分之一。"}}
    }
    assert parse_study(study_toml(first), FILE) == first


def test_a_file_without_a_chosen_scale_is_kept_byte_for_byte() -> None:
    assert changed_text(PLAIN, FILE, {}).kept == PLAIN


def test_two_scales_are_two_experiments() -> None:
    text = with_scale('"hypothesis.H003-02.at" = [1]', "[scale.other]", '"design.blocks" = 9')
    hashes = {study_hash(read(text, scale)) for scale in (None, "small", "other")}
    assert len(hashes) == 3
    assert study_hash(read(text)) == study_hash(read(text[: text.index("[scale.small]")]))


def test_copies_of_a_scale_have_its_values_and_its_name() -> None:
    copies = derive.as_copies(read(PLAIN, "small"), copies=4, blocks=6)
    assert (copies.name, copies.load.threads, copies.scale) == ("a-small-aa", (1, 2), None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"load.thread" = [1]', 'scale.small."load.thread": unknown key; did you mean "threads"?'),
        ('"laod.threads" = [1]', 'scale.small."laod.threads": is no key of a study; did you mean "load.threads"?'),
        ("threads = [1]", 'scale.small.threads: is no key of a study; did you mean "load.threads"?'),
        ('"load.threads" = 8', 'scale.small."load.threads": 8 is not a list; write [8]'),
        ('"load.threads" = [1, 0]', 'scale.small."load.threads"[1]: 0 threads drive no load'),
        ('"design.blocks" = "3"', 'scale.small."design.blocks": "3" is not a whole number'),
        ('"server.variables.a-b c" = 1', '"a-b c" is not the name of a server variable (with scale "small")'),
        ('"factor.innodb_purge_thread.levels" = [1, 2]', 'no factor is called "innodb_purge_thread"; did you'),
        ('"factor.schema.index.level" = [true]', '.level": unknown key; did you mean "levels"?'),
        ('"factor.schema.index.levels" = [true]', '.levels": has one level, so nothing varies'),
        ('"factor.levels" = [1, 2]', "is no key of a factor; write it as in"),
        ('"factor.schema.index.name" = "x.y"', "is the same in every scale"),
        ('"study.name" = "b"', 'scale.small."study.name": is the same in every scale'),
        ('"hypothesis.H003-2.claim" = "tps < 1"', 'no hypothesis has the id "H003-2"; did you mean "H003-02"?'),
        ('"hypothesis.H003-02.claim" = "tps["', 'scale.small."hypothesis.H003-02.claim": '),
        ('"hypothesis.H003-02.at" = [7]', 'scale.small."hypothesis.H003-02.at"[0]: '),
        ('"load.threads" = [1]', 'hypothesis[0].at[0]: threads=8 is not on the ladder'),
        ('load.threads = [8]\n"load.threads" = [8]', "is set twice in this scale"),
        ("about = 3", "scale.small.about: "),
    ],
)  # fmt: skip
@pytest.mark.parametrize("asked", ["small", None])
def test_what_is_wrong_in_a_scale_is_said_whether_or_not_it_is_asked_for(
    line: str, said: str, asked: str | None
) -> None:
    text = with_scale(line)
    message = complaint(text, asked)
    assert message.startswith("a.toml:")
    assert said in message, message


def test_lines_are_those_of_the_scale_and_elsewhere_the_scale_is_named() -> None:
    text = with_scale('"design.blocks" = 0')
    line = text.splitlines().index('"design.blocks" = 0') + 1
    assert complaint(text).startswith(f'a.toml:{line}: scale.small."design.blocks": 0 is out of range')
    text = with_scale('"load.threads" = [1]')
    line = text.splitlines().index("at = [8]") + 1
    assert complaint(text).startswith(f"a.toml:{line}: hypothesis[0].at[0]: ")
    assert complaint(text).endswith('(with scale "small")')


def test_later_complaints_point_at_the_scale_too() -> None:
    kept = changed_text(PLAIN, FILE, {}, "small")
    line = PLAIN.splitlines().index('"server.variables.innodb_buffer_pool_size" = "64M"') + 1
    assert kept.at("server", "variables", "innodb_buffer_pool_size") == f"a.toml:{line}"


@pytest.mark.parametrize(
    ("text", "asked", "said"),
    [
        (VALID, "small", 'has no scale "small": it has no scales'),
        (PLAIN, "smal", 'has no scale "smal"; did you mean "small"?'),
        (PLAIN, "original", 'has no scale "original"; known: small'),
        (PLAIN.replace('name = "a"', 'name = "a"\nscale = "big"', 1), None, 'a.toml:3: has no scale "big"'),
        (VALID + "[scale]\nsmall = 3\n", None, "scale.small: 3 is not a table"),
        (VALID + '[scale."A B"]\nabout = "x"\n', None, '"A B" is not allowed; use a-z'),
        (VALID + "[[scale]]\nabout = 'x'\n", None, "scale: "),
    ],
)  # fmt: skip
def test_scales_that_are_not_there_or_are_none(text: str, asked: str | None, said: str) -> None:
    message = complaint(text, asked)
    assert message.startswith("a.toml")
    assert said in message, message


def test_a_short_name_that_two_factors_share() -> None:
    text = with_scale('"factor.innodb_purge_threads.levels" = [1, 2]')
    text = text.replace('"schema.index"', '"workload.innodb_purge_threads"').replace(
        "[true, false]", "[1, 2]"
    )
    text = text[: text.index("\n[[hypothesis]]")] + text[text.index("\n[scale") :]
    assert 'could be the factor "server.variables.innodb_purge_threads" or "workload' in complaint(text)


def test_a_file_beside_the_scale(tmp_path: Path) -> None:
    """A load on files whose job file a scale names is read as any other."""
    text = (
        '[study]\nname = "f"\n[workload]\nuse = "fio:a.fio"\n[load]\nthreads = [1]\n'
        '[scale.small]\n"workload.use" = "fio:b.fio"\n'
    )
    (tmp_path / "a.fio").write_text("[one]\nrw=read\nsize=1m\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.fio"):
        parse_study(text, tmp_path / "f.toml")
    (tmp_path / "b.fio").write_text("[two]\nrw=read\nsize=2m\n", encoding="utf-8")
    study = parse_study(text, tmp_path / "f.toml", scale="small")
    assert "size=2m" in study.workload.files["fio:b.fio"]


GAP = PLAIN.replace('use = "mariadb"\n', "", 1)


@pytest.mark.parametrize("scale", [None, "small"])
@pytest.mark.parametrize("changes", [{("server", "use"): "mariadb"}, {("server", "use"): "path:/builds/one"}])
def test_an_option_fills_a_gap_of_all_scales(scale: str | None, changes: dict[tuple[str, ...], str]) -> None:
    """Other scales are checked with what the command line adds: the file alone is no study yet."""
    with pytest.raises(InputError, match="is missing"):
        read(GAP, scale)
    assert parse_study(GAP, FILE, scale=scale, changes=changes).server.use == changes["server", "use"]
    wrong = GAP.replace('"load.measure" = "2s"', '"load.measur" = "2s"')
    with pytest.raises(InputError, match=r"load.measur.: unknown key"):
        parse_study(wrong, FILE, scale=scale, changes=changes)
