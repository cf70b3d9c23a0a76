"""What all pages share: language, navigation, and the templates they are made with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from assay.base.numbers import number
from assay.base.printable import visible
from assay.base.version import VERSION
from assay.front.web.assets import least_class
from assay.front.web.links import Links, spelled
from assay.front.web.site import Site, site_of
from assay.reporting.report import LANGUAGES, Chart, Words, heading, load_words, shown_cell, typeset, word


class _Language(Convertor[str]):
    regex = "|".join(LANGUAGES)

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("language", _Language())

AT = "/{language:language}"
"""The beginning of every page's address."""


MOST_RECORDS = 300
"""Rows of a chart's records that stand on the page; the CSV has all."""


@dataclass(frozen=True)
class PageRequest:
    """One request for a page: the site, the language with its words, and addresses of other pages."""

    request: Request
    site: Site
    language: str
    words: Words
    links: Links

    @property
    def path(self) -> str:
        """The path of the page's address."""
        return spelled(self.request.scope["path"])

    @property
    def query(self) -> dict[str, str]:
        """The state of the page, as its address has it."""
        return dict(self.request.query_params)


def asked(request: Request) -> PageRequest:
    """Returns what a request for a page asks."""
    language = request.path_params["language"]
    return PageRequest(request, site_of(request), language, load_words(language), Links(language))


def render(
    one: PageRequest,
    template: str,
    title: str,
    *,
    crumbs: Sequence[tuple[str, str]] = (),
    twins: Sequence[tuple[str, str]] = (),
    status: int = 200,
    canonical: str | None = None,
    scripts: Sequence[str] = (),
    later: Callable[[], Mapping[str, Any]] | None = None,
    **values: Any,
) -> Response:
    """Returns a page. `crumbs` are the pages above it and `twins` the same content in other forms, each a
    label and an address. `canonical` is the address under which the page is kept, where it has several.
    `scripts` are further modules of `assets/`. `later` makes further values once the reader has the head of
    the page, of which each part is then sent as soon as it is made.
    """
    common: dict[str, Any] = {
        "w": one.words,
        "links": one.links,
        "title": title,
        "crumbs": crumbs,
        "twins": twins,
        "canonical": canonical,
        "scripts": ("web.js", *scripts),
        "other": _other_language(one),
        "here": one.path,
        "query": one.query,
        "is_static": one.site.is_static,
        "version": VERSION,
        "with_query": lambda **changes: with_query(one, **changes),
        "number": number,
    }
    shown = {"table_file": None, "chart_file": None} | shown_with(one.words)
    made = _environment().get_template(template)
    if later is not None:
        parts = typeset(map(visible, _in_parts(made, common | shown | values, later)), one.words)
        return StreamingResponse(parts, status, media_type="text/html; charset=utf-8")
    page = visible(made.render(common | shown | values))
    return HTMLResponse("".join(typeset([page], one.words)), status)


def _in_parts(
    made: jinja2.Template, values: dict[str, Any], later: Callable[[], Mapping[str, Any]]
) -> Iterator[str]:
    """Yields a page; values that are made later are asked for after its heading, where its content begins.
    Macros that are imported with their context know only the others.
    """
    context = made.new_context(values)
    is_head = True
    for part in made.root_render_func(context):
        yield part
        if is_head and "</h1>" in part:
            is_head = False
            context.vars.update(later())


def shown_with(words: Words) -> dict[str, Any]:
    """Returns how the macros of `parts.html.j2` show tables that lead to no other page."""
    return {
        "cell": lambda cell, kind: shown_cell(cell, kind, words),
        "heading": lambda column: heading(column, words),
        "verdict": lambda name: word(name, words),
        "href": lambda link: link.href,
        "origin": lambda of: None,
        "least": least_class,
        "records": records_of,
    }


def records_of(chart: Chart) -> tuple[list[str], list[list[Any]], int]:
    """Returns the names and values of a chart's records, at most so many rows, and how many there are."""
    rows = [asdict(record) for record in chart.records[:MOST_RECORDS]]
    return list(rows[0]) if rows else [], [list(row.values()) for row in rows], len(chart.records)


def with_query(one: PageRequest, **changes: str | None) -> str:
    """Returns the address of this page in another state; None removes a key."""
    query = {key: value for key, value in (one.query | changes).items() if value}
    return f"{one.path}?{urlencode(query)}" if query else one.path


def is_zoomed(one: PageRequest, usual: str = "zero") -> bool:
    """Returns whether the address asks for axes of values that fit them, and do not begin at zero; `usual` is
    what stands for an address that says neither.
    """
    return one.query.get("y", usual) == "zoom"


def chart_twins(one: PageRequest, address: Callable[[str], str]) -> Callable[[str, str], str] | None:
    """Returns the addresses of the charts of a page in other forms, by name and ending: those of the page
    with this ending, in its state. None where pages are files, which would be too many.
    """
    if one.site.is_static:
        return None
    return lambda name, ending: f"{address(ending)}?{urlencode({**one.query, 'chart': name})}"


def preferred(accepted: str) -> str:
    """Returns the language of ours that an `Accept-Language` header wants most; English where it wants
    none.
    """
    wanted: list[tuple[float, str]] = []
    for part in accepted.split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            share = float(weight or 1)
        except ValueError:
            continue
        wanted.append((-share, name.lower().partition("-")[0]))
    found = [
        name for share, name in sorted(wanted, key=lambda one: one[0]) if share < 0 and name in LANGUAGES
    ]
    return found[0] if found else LANGUAGES[0]


def redirect(request: Request) -> Response:
    """Sends an address without a language to the one that the browser wants, with its query."""
    language = preferred(request.headers.get("accept-language", ""))
    path, query = spelled(request.scope["path"]), request.url.query
    return RedirectResponse(
        f"/{language}{path}{'?' if query else ''}{query}", 307, {"vary": "accept-language"}
    )


def _other_language(one: PageRequest) -> tuple[str, str]:
    other = next(name for name in LANGUAGES if name != one.language)
    path = one.path.removeprefix(f"/{one.language}")
    query = one.request.url.query
    return other, f"/{other}{path}{'?' if query else ''}{query}"


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            # The first screen of a result is the report's own.
            [jinja2.PackageLoader("assay.front.web"), jinja2.PackageLoader("assay.reporting.report")]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["moment"] = moment
    made.filters["clock"] = clock
    return made


def moment(wall_ns: int | None) -> str:
    """Returns a moment in UTC to the minute: `2026-11-24 10:30`."""
    from datetime import UTC, datetime

    return "–" if not wall_ns else f"{datetime.fromtimestamp(wall_ns / 1e9, UTC):%Y-%m-%d %H:%M}"


def facts(pairs: Mapping[str, object]) -> list[tuple[str, object]]:
    """Returns what a list of facts shows: those that are known."""
    return [(name, value) for name, value in pairs.items() if value not in (None, "", ())]


def fragment(one: PageRequest, template: str, **values: Any) -> str:
    """Returns a piece of a page, for a script to put in its place."""
    made = _environment().get_template(template)
    return visible(made.render(w=one.words, links=one.links, number=number, **values)).strip()


def clock(wall_ns: int | None) -> str:
    """Returns the time of day at this machine: `14:29:51`."""
    from datetime import datetime

    return "–" if not wall_ns else f"{datetime.fromtimestamp(wall_ns / 1e9):%H:%M:%S}"
