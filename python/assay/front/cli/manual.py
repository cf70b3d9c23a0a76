"""The verb `assay manual`: prints the manual, which an installation carries."""

from __future__ import annotations

import re
from pathlib import Path

import click

from assay.base.carried import carried
from assay.front.cli.result_options import json_option
from assay.front.terminal import say, say_json

PARTS = ("guide", "reference", "method")
"""The folders of docs/ that the manual consists of; the others are about the project itself."""
VERBS_PAGE = "reference/cli"
DOCS = carried("docs")


@click.command("manual")
@click.argument("page", required=False, metavar="[PAGE|VERB]")
@json_option
def command(page: str | None, as_json: bool) -> None:
    """Print a PAGE of the manual, or what it says of a VERB. Without either, list the pages.

    The text is Markdown. A page may be named by its last word where that is the name of no other page.

    \b
    Example:
      assay manual
      assay manual gate
      assay manual guide/gate | less
    """
    pages = _pages()
    if page is None:
        titles = {name: _title(file) for name, file in pages.items()}
        if as_json:
            say_json([{"page": name, "title": title} for name, title in titles.items()])
        else:
            width = max(map(len, titles))
            say("\n".join(f"{name:{width}}  {title}" for name, title in titles.items()))
        return
    text = _text(page, pages)
    if as_json:
        say_json({"page": page, "text": text})
    else:
        say(text, newline=not text.endswith("\n"))


def _pages() -> dict[str, Path]:
    """Returns the pages by name, as in guide/gate. Raises HostError where the manual was not installed."""
    from assay.base.errors import HostError

    if (DOCS / f"{VERBS_PAGE}.md").is_file():
        files = (file for part in PARTS for file in sorted((DOCS / part).glob("*.md")))
        return {f"{file.parent.name}/{file.stem}": file for file in files}
    raise HostError(f"this installation has no manual: there is no {DOCS}", hint="read docs/ of its source")


def _title(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), "")


def _text(asked: str, pages: dict[str, Path]) -> str:
    """Returns a page, or the section about a verb. Raises InputError for a name of neither."""
    from assay.base.errors import InputError
    from assay.design.study import did_you_mean
    from assay.front.cli.verbs import VERBS

    if any(verb.name == asked for verb in VERBS):
        text = pages[VERBS_PAGE].read_text(encoding="utf-8")
        found = re.search(rf"^## assay {re.escape(asked)}\b.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        if found is not None:
            return found[0].rstrip() + "\n"
    name = asked.removeprefix("docs/").removesuffix(".md")
    fitting = [page for page in pages if name in (page, page.rpartition("/")[2])]
    if len(fitting) == 1:
        return pages[fitting[0]].read_text(encoding="utf-8")
    if fitting:
        raise InputError(f"{asked!r} names several pages: {', '.join(fitting)}", hint="give one of them")
    raise InputError(
        f"the manual has no page {asked!r}{did_you_mean(name, [*pages, *(verb.name for verb in VERBS)])}",
        hint="assay manual lists the pages",
    )
