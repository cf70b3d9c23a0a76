"""Writes Python's types of jobs and events: `python -m scripts.python_types [--check]`.

schema/job.json and schema/event.json are written by the engine from its own types. Each definition in them
becomes a class of python/assay/base/format/, under its own name: an object a frozen msgspec struct, a set of
words a `Literal`, a choice of tagged objects one struct a tag and their union. A property with a default may
be absent. With `--check` nothing is written: outdated files are named, and the exit code is 1.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FORMATS = {
    ROOT / "schema/event.json": ROOT / "python/assay/base/format/event.py",
    ROOT / "schema/job.json": ROOT / "python/assay/base/format/job.py",
}

Schema = dict[str, Any]

_WIDTH = 106
_SCALARS = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
_TAGS = ("event", "kind")
"""Properties whose constant says which struct of a union an object is."""
_REF = "#/$defs/"


@dataclass
class Module:
    """One Python file of a format while it is written; definitions follow those that they need."""

    definitions: dict[str, Schema]
    omit_defaults: bool
    written: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    tags: dict[str, str] = field(default_factory=dict)  # of definitions -> `tag_field=…, tag=…`

    def define(self, name: str) -> None:
        """Writes a definition, once."""
        if name in self.begun:
            return
        self.begun.add(name)
        schema = self.definitions[name]
        if "properties" in schema:
            self._struct(name, schema)
        elif variants := _tagged(schema):
            self._union(name, schema, [self._variant(name, one, *tag) for one, tag in variants])
        elif words := _words(schema):
            chosen = ", ".join(json.dumps(word) for word in words)
            self.written[name] = f"{name} = Literal[{chosen}]\n{_doc(_said_of_words(schema))}"
        else:
            self._union(name, schema, [self.type_of(one) for one in schema["anyOf"]])

    def type_of(self, schema: Schema) -> str:
        """Returns the annotation of a schema; definitions that it refers to are written first."""
        if "$ref" in schema:
            name: str = schema["$ref"].removeprefix(_REF)
            self.define(name)
            return name
        if "anyOf" in schema:
            return " | ".join(map(self.type_of, schema["anyOf"]))
        kind = schema["type"]
        if isinstance(kind, list):
            return " | ".join(self.type_of(schema | {"type": one}) for one in kind)
        if kind == "array":
            return f"list[{self.type_of(schema['items'])}]"
        if kind == "object":
            if by_number := schema.get("patternProperties"):
                (values,) = by_number.values()
                return f"dict[int, {self.type_of(values)}]"
            values = schema["additionalProperties"]
            return f"dict[str, {'Any' if values is True else self.type_of(values)}]"
        return _SCALARS[kind]

    def top(self, schema: Schema, title: str) -> None:
        """Writes the union of definitions that a whole line or file is."""
        for one in schema.get("oneOf", []):
            ((tag, said),) = one["properties"].items()
            name = one["$ref"].removeprefix(_REF)
            self.tags[name] = f', tag_field="{tag}", tag="{said["const"]}"'
            self.definitions[name].setdefault("description", one.get("description", ""))
        self._union(title, schema, [self.type_of(one) for one in schema.get("oneOf") or schema["anyOf"]])

    def _variant(self, union: str, schema: Schema, tag: str, word: str) -> str:
        name = _variant_name(union, word)
        self.tags[name] = f', tag_field="{tag}", tag="{word}"'
        others = {key: value for key, value in schema["properties"].items() if key != tag}
        self._struct(name, schema | {"properties": others})
        return name

    def _union(self, name: str, schema: Schema, members: list[str]) -> None:
        self.written[name] = f"{name} = {' | '.join(members)}\n{_doc(schema.get('description'))}"

    def _struct(self, name: str, schema: Schema) -> None:
        required = set(schema.get("required", []))
        lines = []
        for key, value in schema["properties"].items():
            own = f"{key}_" if keyword.iskeyword(key) else key
            kind = self.type_of(value)
            default = "" if key in required else self._default(value, kind)
            if own != key:
                inside = f"default={default}, " if default else ""
                default = f'msgspec.field({inside}name="{key}")'
            lines.append(
                f"{own}: {kind}{' = ' if default else ''}{default}\n{_doc(value.get('description'))}"
            )
        options = "frozen=True, kw_only=True" + (", omit_defaults=True" if self.omit_defaults else "")
        body = _doc(schema.get("description")) + "\n" + "".join(lines) if lines else ""
        self.written[name] = f"class {name}(msgspec.Struct, {options}{self.tags.get(name, '')}):\n" + (
            textwrap.indent(body or _doc(schema.get("description")) or "pass\n", "    ")
        )

    def _default(self, schema: Schema, kind: str) -> str:
        """Returns the value of an absent property, as an expression."""
        if "default" not in schema:
            if "None" in kind.split(" | "):
                return "None"
            return {"dict": "{}", "list": "[]"}[kind.partition("[")[0]]
        said = self._value(schema["default"], schema)
        return f"msgspec.field(default_factory=lambda: {said})" if said[0] == "[" and said != "[]" else said

    def _value(self, value: Any, schema: Schema) -> str:
        if not isinstance(value, dict) or "$ref" not in schema:
            return json.dumps(value) if isinstance(value, str) else repr(value)
        name = schema["$ref"].removeprefix(_REF)
        referred = self.definitions[name]
        for one, (tag, word) in _tagged(referred):
            if value.get(tag) == word:
                name, referred = _variant_name(name, word), one
                value = {key: inner for key, inner in value.items() if key != tag}
        parts = {
            key: inner
            for key, inner in value.items()
            if inner != referred["properties"][key].get("default", [])
        }
        inside = ", ".join(
            f"{key}={self._value(inner, referred['properties'][key])}" for key, inner in parts.items()
        )
        return f"{name}({inside})"


def _variant_name(union: str, word: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[_-]", word)) + union


def _tagged(schema: Schema) -> list[tuple[Schema, tuple[str, str]]]:
    """Returns the variants of a union with their tags; empty for any other definition."""
    return [
        (one, (tag, one["properties"][tag]["const"]))
        for one in schema.get("oneOf", [])
        for tag in _TAGS
        if "const" in one.get("properties", {}).get(tag, {})
    ]


def _words(schema: Schema) -> list[str]:
    """Returns the words that a value may be."""
    return list(_each_word(schema))


def _each_word(schema: Schema) -> Iterator[str]:
    yield from schema.get("enum", [])
    if "const" in schema:
        yield schema["const"]
    for one in schema.get("oneOf", []):
        yield from _each_word(one)


def _said_of_words(schema: Schema) -> str:
    """Returns the definition's own description, and a line for each word that has one."""
    said = [
        f"`{one['const']}`: {one['description']}" for one in schema.get("oneOf", []) if "description" in one
    ]
    return "\n\n".join(part for part in (schema.get("description", ""), "\n".join(said)) if part)


def _doc(text: str | None) -> str:
    """Returns a docstring with the text, without links of Rust's documentation; empty without text."""
    if not text:
        return ""
    plain = re.sub(r"\[(`[^`]+`)\]", r"\1", text).replace("\\", "\\\\")
    lines = []
    for paragraph in plain.split("\n\n"):
        items = paragraph.split("\n") if paragraph.startswith("`") else [" ".join(paragraph.split())]
        lines += ["", *(line for item in items for line in textwrap.wrap(item, _WIDTH - 8))]
    said = "\n".join(lines[1:])
    return f'"""{said}\n"""\n' if "\n" in said else f'"""{said}"""\n'


def module(schema_file: Path) -> str:
    """Returns the Python file for a schema, formatted."""
    schema = json.loads(schema_file.read_text(encoding="utf-8"))
    made = Module(schema["$defs"], omit_defaults=schema_file.stem == "job")
    made.top(schema, schema["title"])
    body = "\n\n".join(made.written.values())
    typing = [name for name in ("Any", "Literal") if f"{name}[" in body or re.search(rf"\b{name}\b", body)]
    name = schema_file.stem
    text = (
        f'"""{name.capitalize()}s as types: made of schema/{name}.json by `make schema`, never edited."""\n'
        f"\nfrom __future__ import annotations\n\nfrom typing import {', '.join(typing)}\n\n"
        f"import msgspec\n\n{body}"
    )
    ruff = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", f"{name}.py", "-"]
    return subprocess.run(ruff, input=text, capture_output=True, check=True, text=True, cwd=ROOT).stdout


def stale() -> list[Path]:
    """Returns the files of Python's types that differ from their schema."""
    return [
        file for schema, file in FORMATS.items() if not file.is_file() or file.read_text() != module(schema)
    ]


def main() -> int:
    if "--check" in sys.argv:
        for file in (found := stale()):
            print(f"{file.relative_to(ROOT)} is not what schema/{file.stem}.json says: run `make schema`")
        return 1 if found else 0
    for schema, file in FORMATS.items():
        file.write_text(module(schema), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
