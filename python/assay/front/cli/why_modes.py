"""Refuses options of `assay why` that belong to another of its modes."""

from __future__ import annotations

from collections.abc import Mapping

import click
from click.core import ParameterSource

_STUDIES = ("intervene", "statement", "bottleneck")
_NAMES = {
    "intervene": "--intervene",
    "statement": "--plans",
    "bottleneck": "--bottleneck",
    "form": "--export",
    "html": "--export html",
    "": "the ledgers, which are said without a mode",
}
"""The modes by the parameter that chooses each: "" says the ledgers, "html" is a form of the export."""
_MODES: Mapping[str, tuple[str, ...]] = {
    "treatment": ("", "intervene", "statement"),
    "load": ("", *_STUDIES),
    "language": ("", "html"),
    "output": ("form", "html"),
    "measure": _STUDIES,
    "named": ("intervene", "bottleneck"),
    "budget": ("intervene",),
    "blocks": _STUDIES,
    "follow_up": _STUDIES,
    "yes": _STUDIES,
}
"""The modes that each parameter belongs to."""


def check_mode(context: click.Context) -> None:
    """Raises a usage error for two modes at once, and for an option of another mode than the chosen one."""
    chosen = [name for name in (*_STUDIES, "form") if _is_given(context, name)]
    if len(chosen) > 1:
        one, other = (_NAMES[name] for name in chosen[:2])
        raise click.UsageError(f"{one} cannot be combined with {other}: give one of them")
    mode = chosen[0] if chosen else ""
    if mode == "form" and context.params["form"] == "html":
        mode = "html"
    for parameter in context.command.params:
        modes = _MODES.get(parameter.name or "")
        if modes is None or mode in modes or not _is_given(context, str(parameter.name)):
            continue
        option = parameter.opts[0]
        named = " or ".join(_NAMES[one] for one in modes if one != "html" or "form" not in modes)
        if mode:
            raise click.UsageError(
                f"{option} cannot be combined with {_NAMES[mode]}: it belongs to {named}", context
            )
        raise click.UsageError(f"{option} needs {named}", context)


def _is_given(context: click.Context, name: str) -> bool:
    """Returns whether an option stands on the command line; a flag that is off does not."""
    source = context.get_parameter_source(name)
    return source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT) and (
        context.params[name] not in (None, False)
    )
