"""Types, reader and writer of a run's `plans.json`: how the server carries out the statements of the load."""

from __future__ import annotations

import msgspec

from assay.design.folder.paths import RunFolder
from assay.design.folder.reading import read_part


class PlanStep(msgspec.Struct, frozen=True, kw_only=True):
    """One row of EXPLAIN, with the server's words; None where it says nothing."""

    select: str | None = None  # SIMPLE, DERIVED …
    table: str | None = None
    access: str | None = None  # ALL, ref, range …
    key: str | None = None
    key_length: int | None = None  # bytes of the key that are used
    key_parts: list[str] | None = None  # columns of the key that are used; None: the server does not say
    rows: int | None = None  # the server's estimate
    extra: str | None = None


class StatementPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of one statement of the load.

    `statement` has `?` in place of its values, `example` is as the server was asked. `refused`: why the
    server did not explain it. One that has no plan, as COMMIT, was not explained.
    """

    statement: str
    example: str
    count: int  # how often it was seen
    steps: list[PlanStep] = []
    refused: str | None = None
    has_plan: bool = True


class LoadPlans(msgspec.Struct, frozen=True, kw_only=True):
    """The plans of all statements that a load was seen to send; `unknown`: why none was seen."""

    statements: list[StatementPlan] = []
    unknown: str | None = None


def write_plans(run: RunFolder, plans: LoadPlans) -> None:
    """Writes the run's `plans.json`."""
    run.plans.write_whole(msgspec.json.format(msgspec.json.encode(plans)))


def read_plans(run: RunFolder) -> LoadPlans | None:
    """Returns the run's plans; None where none were asked for. Raises `Damaged` when the file cannot be
    read.
    """
    return read_part(run.plans, run, LoadPlans) if run.plans.is_file() else None
