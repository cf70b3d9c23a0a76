"""Texts follow the style sheet in CONTRIBUTING, as far as a machine can check."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]

#: The rules of the style sheet that a machine can hold: what a text must not contain, what to write instead.
FORBIDDEN = {
    r"\bis not to be had\b": "cannot provide, has no",
    r"\btells of\b": "describes, needs",
    r"\bgoes with\b(?!out)": "needs, cannot be combined with",
    r"\b(?:is|are) not ours\b": "may not use, does not belong to the lab",
    r"(?<!there )\bis no (?:name|value|number|size|list|file|folder|study|claim|option)\b": "is not a",
    r"\bnothing was touched\b": "nothing was changed",
    r"\bof its own will\b": "by itself",
    r"\b[Pp]lease(?! report)\b": "leave it out",
    r"\bsorry\b": "leave it out",
}
#: The same for the message of an error alone.
FORBIDDEN_IN_MESSAGES = {
    r"\b(?:is|are) wanted\b": "expected",
    r"\bis there already\b": "exists already",
    r"\?(?!$)": "a hint that says what to check",
}
#: A message does not begin so: it names the thing or says what is wrong, and asks nothing.
BEGINNINGS = re.compile(r"(?:Of|As|It|This is|The same|Please|There)\b")
ENDINGS = ("?", "!", ".")
_ERROR = re.compile(r"\w*Error|Problem|BadParameter|ServerLost")


def _text(node: ast.expr) -> str:
    """The fixed text of an expression; what is computed is `…`."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left) + _text(right)
        case _:
            return "…"


class _Said(NamedTuple):
    """The texts of one file of Python, each with its line: messages of errors that it makes, literals that
    are no docstrings, and docstrings, those of constants too.
    """

    messages: list[tuple[int, str]]
    texts: list[tuple[int, str]]
    docstrings: list[tuple[int, str]]


def _said(tree: ast.Module) -> _Said:
    said = _Said([], [], [])
    literals: list[ast.expr] = []
    inner: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=func, args=[first, *_]):
                name = getattr(func, "id", getattr(func, "attr", ""))
                if _ERROR.fullmatch(name):
                    said.messages.append((node.lineno, _text(node.args[-1] if name == "Problem" else first)))
            case ast.Constant():
                literals.append(node)
            case ast.JoinedStr(values=values):
                literals.append(node)
                inner.update(map(id, values))
            case ast.Expr(value=value):
                inner.add(id(value))
            case ast.Lambda() | ast.IfExp():
                continue
        for one in getattr(node, "body", ()):
            match one:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    said.docstrings.append((one.lineno, text))
    said.texts.extend((one.lineno, _text(one)) for one in literals if id(one) not in inner)
    return said


def complaints(text: str, rules: Mapping[str, str] = FORBIDDEN) -> list[str]:
    """The rules that a text breaks, each with what to write instead."""
    return [
        f'"{found[0]}": write {instead}'
        for rule, instead in rules.items()
        if (found := re.search(rule, text))
    ]


def message_complaints(message: str) -> list[str]:
    """What is wrong with the message of an error."""
    found = complaints(message, FORBIDDEN | FORBIDDEN_IN_MESSAGES)
    if BEGINNINGS.match(message):
        found.append(f'begins with "{message.split()[0]}": begin with the thing, or with what is wrong')
    if message.endswith(ENDINGS) and "did you mean" not in message:
        found.append(f'ends with "{message[-1]}": a message is a phrase, and asks nothing')
    return found


@cache
def _python() -> dict[Path, _Said]:
    """What each file of the package says."""
    files = sorted((ROOT / "python/assay").rglob("*.py"))
    return {path: _said(ast.parse(path.read_text())) for path in files}


def test_messages_say_what_is_wrong() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{line}: {message!r}: {'; '.join(found)}"
        for path, said in _python().items()
        for line, message in said.messages
        if (found := message_complaints(message))
    ]
    assert not bad, "\n".join(bad)


def test_texts_of_python_have_no_forbidden_phrase() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{line}: {'; '.join(found)}"
        for path, said in _python().items()
        for line, text in said.texts
        if " " in text and (found := complaints(text))
    ]
    assert not bad, "\n".join(bad)


def test_pages_words_and_the_engine_have_no_forbidden_phrase() -> None:
    files = [
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "schema").glob("*.json"),
        ROOT / "python/assay/reporting/report/words/en.toml",
    ]
    lines = [
        (path, number, line) for path in files for number, line in enumerate(path.read_text().splitlines(), 1)
    ]
    lines += [
        (path, number, line)
        for path in (ROOT / "crates").rglob("*.rs")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if '"' in line and not line.lstrip().startswith("//")
    ]
    bad = [
        f"{path.relative_to(ROOT)}:{number}: {'; '.join(found)}"
        for path, number, line in lines
        if (found := complaints(line))
    ]
    assert not bad, "\n".join(bad)


#: The first sentence of a docstring or doc comment does not begin so: it would need what stands before it,
#: or ask what it should say.
NEEDS_A_NEIGHBOUR = re.compile(
    r"(?:As|Of|It|The same|So many|What it|Those|They|Such|That|Which|Who|Whose|When|Why)\b"
)


def _doc_comments(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of the first line of every doc comment of Rust."""
    before = False
    for number, line in enumerate(source.splitlines(), 1):
        found = re.match(r"\s*//[/!] ?(.*)$", line)
        if found and not before:
            yield number, found[1]
        before = found is not None


def test_a_first_sentence_needs_no_neighbour() -> None:
    texts = [(path, *one) for path, said in _python().items() for one in said.docstrings]
    texts += [
        (path, *one) for path in (ROOT / "crates").rglob("*.rs") for one in _doc_comments(path.read_text())
    ]
    assert len(texts) > 5000
    bad = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, line, text in texts
        if NEEDS_A_NEIGHBOUR.match(text)
    ]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        ("[volume] is not to be had here", True),
        ("a whole number is wanted", True),
        ("Of which blocks", True),
        ("is the server up?", True),
        ("cannot connect to /x.sock", False),
        ("--rate needs a number", False),
    ],
)
def test_the_rules_find_what_they_are_for(message: str, wrong: bool) -> None:
    assert bool(message_complaints(message)) is wrong
