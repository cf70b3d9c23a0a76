"""Starts servers on trial before any load: only a server that runs shows what it made of its variables, and
which of them it does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass

from assay.base.errors import AssayError
from assay.design.folder import Scalar
from assay.design.plan import Treatment
from assay.design.study import number, option_text
from assay.measurement.source.session_check import asks_for_a_session, check_session, check_stated
from assay.system.server import Build, Instance
from assay.system.server.variables import check_names_in_force, global_variables

_REPORTED = ("reported",)
_STARTED = "started"
_MANY = 16
"""The most sets of variables that are each tried; of more, those with a value that no other has had are."""
_SWITCHES = ("on", "off", "true", "false", "yes", "no")


@dataclass(frozen=True)
class Trials:
    """How many servers are started on trial. `every`: one of each different set of variables; otherwise only
    those of which no command of the build can tell. `step` is called before each.
    """

    every: bool
    step: Callable[[str], None] = lambda _: None


def try_starts(
    build: Build,
    treatments: Sequence[Treatment],
    variables_of: Callable[[Treatment], Mapping[str, Scalar]],
    start: Callable[[Treatment], AbstractContextManager[Instance]],
    trials: Trials,
) -> None:
    """Starts a server without tables for each set of variables that needs it, and reads them back. A set that
    has started once is not tried again.

    The variables that a build reports are kept: one that it lists among its options and does not have is then
    refused without a start. Raises what `start` raises, with the name of the treatment.
    """
    covered: set[tuple[str, str]] = set()
    many = len(treatments) > _MANY
    for treatment in treatments:
        given = variables_of(treatment)
        pairs = {(name, option_text(value)) for name, value in given.items()}
        if not given or (many and pairs <= covered):
            continue
        covered |= pairs
        reported = build.answers.get(_REPORTED, list[str])
        if reported is not None:
            check_names_in_force(build, given, reported, where=f"{treatment.name}: {build}")
        question = (_STARTED, *sorted(f"{name}={option_text(value)}" for name, value in given.items()))
        has_word = any(_is_word(value) for value in given.values())
        asks = asks_for_a_session(given)
        if reported is not None and not has_word and not asks and not trials.every:
            continue
        if build.answers.get(question, bool) and not asks:
            continue
        if asks:
            check_stated(given, treatment, f"{treatment.name}: {build}")
        trials.step(f"starting {build.flavour.title} {build.version_number} on trial for {treatment.name}")
        try:
            with start(treatment) as server:
                if reported is None:
                    with closing(server.connect()) as connection:
                        build.answers.keep(_REPORTED, sorted(global_variables(connection)))
                server.verify()
                if asks:
                    with closing(server.connect()) as connection:
                        check_session(connection, treatment, str(build))
        except AssayError as error:
            error.message = f"{treatment.name}: {error.message}"
            raise
        build.answers.keep(question, True)


def _is_word(value: Scalar) -> bool:
    """Returns whether a value is neither a number nor a switch, of which the build itself tells enough."""
    text = option_text(value)
    return number(text) is None and text.lower() not in _SWITCHES
