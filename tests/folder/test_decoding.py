"""Whatever a stranger's text holds ends in one sentence, soon."""

from __future__ import annotations

import base64
import struct
import tomllib
import zlib

import msgspec
import pytest
from assay.base.decoding import any_json, json_as, reading, toml_tables, why_unreadable
from assay.base.errors import InputError
from assay.base.tally import decode
from assay.design.folder import Manifest, RungEntry, StudyEntry


def _short(value: object) -> str:
    return repr(value)[:20]


DEEP, DIGITS = "[" * 300_000, "9" * 5000
ENTRY = '{"name":"s","hash":"h","seed":1,"created_wall_ns":%s,"assay":"0"}'
RUNG = '{"dir":%s,"kind":"threads","load":%s,"status":"complete"}'


@pytest.mark.parametrize("text", [DEEP, DIGITS, "\ud800", "{", "", "[1e", '{"a":' * 100_000], ids=_short)
def test_json_of_any_kind_is_refused_by_one_error(text: str) -> None:
    for decoding in (any_json, lambda content: json_as(content, StudyEntry)):
        with pytest.raises(msgspec.DecodeError):
            decoding(text.encode(errors="surrogatepass"))


@pytest.mark.parametrize(
    "number", [DIGITS, "9" * 400, "-1", "1e30", str(1 << 63), '"1"', "null", DEEP], ids=_short
)
def test_moments_are_within_what_every_page_can_show(number: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        json_as(ENTRY % number, StudyEntry)


@pytest.mark.parametrize(
    "place",
    [
        "../x",
        "rungs/../../x",
        "rungs/..",
        "rungs/.",
        "rungs/",
        "/etc",
        "rungs/a/b",
        "rungs/a\0",
        "rungs//a",
        "",
    ],
)
def test_a_rung_lies_in_its_run(place: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        json_as(RUNG % (msgspec.json.encode(place).decode(), 8), RungEntry)


@pytest.mark.parametrize("load", ["-1", "1e999", DIGITS, '"8"'], ids=_short)
def test_loads_are_numbers(load: str) -> None:
    assert json_as(RUNG % ('"rungs/01-threads-8"', 8), RungEntry).load == 8
    with pytest.raises(msgspec.DecodeError):
        json_as(RUNG % ('"rungs/01-threads-8"', load), RungEntry)
    with pytest.raises(msgspec.DecodeError):
        json_as(b'{"run_id":"../x"}', Manifest)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"a = {DEEP}", "nested too deep"),
        (f"a = {DIGITS}", "too many digits"),
        ("a" + ".a" * 100_000 + " = 1", "more than 32 tables"),
        ("[" + "'a' . " * 100_000 + "a]", "more than 32 tables"),
        ("x = {" + '"a".' * 100_000 + "a = 1}", "more than 32 tables"),
        ("a = " + "{a=" * 100_000, "nested too deep"),
    ],
    ids=_short,
)
def test_toml_of_any_kind_is_refused_by_one_error(text: str, why: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match=why):
        toml_tables(text)


def test_texts_with_dots_are_no_keys_of_many_tables() -> None:
    text = 'a.b.c = "x.y.z"\nb = """\n' + "." * 100 + "\n" + "one. two. three.\n" * 50 + '"""\n'
    assert toml_tables(text)["a"] == {"b": {"c": "x.y.z"}}


@pytest.mark.parametrize(
    "error",
    [
        KeyError("word"), RecursionError(), OverflowError(), MemoryError(), EOFError(), zlib.error("-3"),
        struct.error("short"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), IndexError("at"),
        ValueError(), ZeroDivisionError("by zero"), msgspec.ValidationError("Expected"),
    ],
)  # fmt: skip
def test_what_content_can_raise_is_bad_input(error: Exception) -> None:
    with pytest.raises(InputError, match=r"^run\.json cannot be read: .+") as refused, reading("run.json"):
        raise error
    assert refused.value.exit_code == 2


def _histogram(plain: bytes) -> str:
    packed = zlib.compress(plain)
    return base64.b64encode(struct.pack(">II", 0x1C849314, len(packed)) + packed).decode()


@pytest.mark.parametrize("digits", [6, 4_000_000_000])
def test_a_histogram_is_not_unpacked_without_bound(digits: int) -> None:
    head = struct.pack(">IIIIQQd", 0x1C849313, 1, 0, digits, 1, 1 << 40, 1.0)
    with pytest.raises(ValueError, match="digits"):
        decode(_histogram(head + b"\0"))
    with pytest.raises(ValueError, match="more than"):
        decode(_histogram(bytes(17 << 20)))


def test_an_error_of_the_system_has_no_number() -> None:
    assert why_unreadable(OSError(5, "Input/output error", "/proc/self/mem")) == "Input/output error"
    assert why_unreadable(OSError("not a gzip file")) == "not a gzip file"
