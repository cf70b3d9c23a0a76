"""Writes the outcome of a gate as JUnit XML, which pipelines show; the exit code decides.

A check that failed is a failure, one that could not be judged an error, an undecided one is skipped.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from assay.base.printable import line
from assay.base.wording import counted
from assay.reporting.report import chance_sentence, check_name, figure_of, load_words, reach_text
from assay.results.verdict import Check, Gated, Outcome

_ELEMENTS: dict[Outcome, str] = {"failed": "failure", "unjudged": "error", "undecided": "skipped"}
_NOT_IN_XML = re.compile("[\ufffe\uffff]")


def as_junit(gated: Gated) -> str:
    """Returns one suite, the study, with a case for each check."""
    counts = gated.counts
    suite = xml.Element(
        "testsuite",
        name=_text(gated.study),
        tests=str(len(gated.checks)),
        failures=str(counts.get("failed", 0)),
        errors=str(counts.get("unjudged", 0)),
        skipped=str(counts.get("undecided", 0)),
    )
    _properties(
        suite,
        outcome=gated.outcome,
        results=str(gated.results),
        blocks=str(gated.blocks),
        confidence=f"{gated.confidence:g}",
        chance=chance_sentence(gated, load_words("en")),
        fresh_blocks=str(gated.fresh.blocks) if gated.fresh else "",
    )
    for check in gated.checks:
        _case(suite, check, gated)
    suites = xml.Element("testsuites", {**suite.attrib, "name": "assay gate"})
    suites.append(suite)
    xml.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml.tostring(suites, encoding="unicode")}\n'


def _case(suite: xml.Element, check: Check, gated: Gated) -> None:
    case = xml.SubElement(
        suite, "testcase", classname=_text(gated.study), name=_text(check_name(check, gated))
    )
    figure, first = figure_of(check, gated), check.first
    _properties(
        case,
        outcome=check.outcome,
        weight=check.weight,
        severity=check.rule.severity,
        gate=check.rule.id or str(check.number),
        load="" if check.load is None else f"{check.load:g}",
        figure=figure,
        blocks=str(check.blocks),
        smallest_change=reach_text(check.reach, load_words("en")),
        blocks_needed="" if check.needed is None else str(check.needed),
        first="" if first is None else f"{first.outcome}: {figure_of(first, gated)}",
    )
    if check.outcome != "passed":
        message = _text(f"{check.outcome}: {figure}, {counted(check.blocks, 'block')}")
        element = xml.SubElement(case, _ELEMENTS[check.outcome], message=message)
        if check.outcome != "undecided":
            element.set("type", check.weight)
        element.text = _text(check.why)


def _properties(parent: xml.Element, **values: str) -> None:
    properties = xml.SubElement(parent, "properties")
    for name, value in values.items():
        if value:
            xml.SubElement(properties, "property", name=name, value=_text(value))


def _text(text: str) -> str:
    """Returns text that XML can hold: control characters are escaped, and what no XML may contain is left
    out.
    """
    return _NOT_IN_XML.sub("", line(text))
