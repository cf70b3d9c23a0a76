"""Finds the templates of HTML pages."""

from __future__ import annotations

from functools import cache

import jinja2


def page_template(name: str) -> jinja2.Template:
    """Returns a template of `templates/`, such as `report.html.j2`. Values are escaped, and a name that is
    missing is an error.
    """
    return _environment().get_template(name)


@cache  # an environment keeps its compiled templates: compiling took a quarter of a report's time
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("assay.reporting.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
