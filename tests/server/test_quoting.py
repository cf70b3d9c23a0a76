"""Names in statements are quoted by one function."""

from __future__ import annotations

import re
from pathlib import Path

import assay
from assay.system.server import file_name, quoted_name

_PACKAGE = Path(assay.__file__).parent
_DOUBLED = re.compile(r"""replace\(\s*["']`["'],\s*["']``["']""")


def test_backticks_in_names_are_doubled_and_parts_are_joined() -> None:
    assert quoted_name("a`b", "c") == "`a``b`.`c`"


def test_files_of_a_name_are_known() -> None:
    assert [file_name(one) for one in ("order_lines", "my-db$2", "a b", "größe")] == [
        "order_lines",
        "my@002ddb@00242",
        "a@0020b",
        None,
    ]


def test_nobody_else_doubles_backticks() -> None:
    places = sorted(_PACKAGE.rglob("*.py"))
    assert [path.name for path in places if _DOUBLED.search(path.read_text("utf-8"))] == ["quoting.py"]
