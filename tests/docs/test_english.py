"""Texts follow the style sheet in CONTRIBUTING, as far as a machine can check."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

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


def _messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of the message of every error that is made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if re.fullmatch(r"\w*Error|Problem|BadParameter|ServerLost", name):
                yield node.lineno, _text(node.args[-1 if name == "Problem" else 0])


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every literal that is no docstring."""
    inner = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    inner |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in inner:
            yield node.lineno, _text(node)


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
def _python() -> dict[Path, ast.Module]:
    """The syntax tree of each file of the package."""
    return {path: ast.parse(path.read_text()) for path in sorted((ROOT / "python/assay").rglob("*.py"))}


def test_messages_say_what_is_wrong() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{line}: {message!r}: {'; '.join(found)}"
        for path, tree in _python().items()
        for line, message in _messages(tree)
        if (found := message_complaints(message))
    ]
    assert not bad, "\n".join(bad)


@pytest.mark.thorough
def test_texts_of_python_have_no_forbidden_phrase() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{line}: {'; '.join(found)}"
        for path, tree in _python().items()
        for line, text in _texts(tree)
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


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring, those of constants too."""
    for node in ast.walk(tree):
        for one in getattr(node, "body", None) or () if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            match one:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield one.lineno, text


def _doc_comments(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of the first line of every doc comment of Rust."""
    before = False
    for number, line in enumerate(source.splitlines(), 1):
        found = re.match(r"\s*//[/!] ?(.*)$", line)
        if found and not before:
            yield number, found[1]
        before = found is not None


def test_a_first_sentence_needs_no_neighbour() -> None:
    texts = [(path, *one) for path, tree in _python().items() for one in _docstrings(tree)]
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
