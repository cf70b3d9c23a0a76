"""Arrivals of an open loop in a study: a name, or a load shape around a rate of 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from assay.base.format import job
from assay.design.study.nearest import did_you_mean

Named = Literal["poisson", "constant"]
Arrivals = Named | dict[str, Any]
"""A name, or a shape as a job has it whose rates are shares of the rung's: `{"kind": …}`."""

_RECORDED = "has recorded instants and no rate: [load] rate cannot be its ladder"
_NOT_HERE = {
    "trace": _RECORDED,
    "trace_file": _RECORDED,
    "scaled": "cannot be written here: each load point scales a shape; write the shape itself",
}


def shape_problem(shape: Mapping[str, Any]) -> str | None:
    """Returns what is wrong with a load shape in a study; None when nothing is.

    The engine's types define the shapes and the keys of each.
    """
    kind = shape.get("kind")
    if kind in _NOT_HERE:
        return f"{kind} {_NOT_HERE[kind]}"
    try:
        found = msgspec.convert(dict(shape), job.Arrivals)
    except msgspec.ValidationError as error:
        return f"is not a load shape: {error}"
    keys = {"kind", *(field.encode_name for field in msgspec.structs.fields(found))}
    unknown = next((key for key in shape if key not in keys), None)
    return None if unknown is None else f"has no key {unknown}{did_you_mean(unknown, sorted(keys))}"


def kind_of(arrivals: Arrivals) -> str:
    """Returns the name of the shape, for sentences."""
    return arrivals if isinstance(arrivals, str) else str(arrivals["kind"])


def at_rate(arrivals: Arrivals, rate: float) -> job.Arrivals:
    """Returns the arrivals of one rung in a job, `rate` operations per second."""
    shape: job.Arrivals
    if isinstance(arrivals, str):
        shape = msgspec.convert({"kind": arrivals, "rate": rate}, job.Arrivals)
        return shape
    shape = msgspec.convert(arrivals, job.Arrivals)
    return job.ScaledArrivals(rate=rate, shape=shape)
