"""The process that carries a block out on a host of a fleet, as a lab on that host would.

    python -m assay.measurement.run.hosts.block_process

An agent starts it, hands it one `BlockOrder` as a line of its input, and passes its lines on. SIGINT and
SIGTERM end it in good order: the run under way is given up, its server stopped, and finished runs stay.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from assay.base.errors import AssayError, ConflictError
from assay.design.folder import Event, Failure, ResultsFolder
from assay.design.plan import Plan, make_plan
from assay.design.study import Study, StudyText, parse_study, study_hash
from assay.measurement.fleet import AgentAddress, AgentBackend, Backend
from assay.measurement.run.execute import execute
from assay.measurement.run.hosts.messages import (
    BlockEnded,
    BlockLine,
    BlockLooked,
    BlockOrder,
    BuildEntry,
    NoteLine,
    RunBegan,
    RunEnded,
    StepBegan,
    encode_block_line,
)
from assay.measurement.run.preflight import look
from assay.measurement.run.run_task import OnHost
from assay.system.server import find_build

COMMAND = (sys.executable, "-m", "assay.measurement.run.hosts.block_process")
"""Starts this process; for the agent, which knows nothing of runs."""

Say = Callable[[BlockLine], None]


class _SaidProgress:
    """A `RunProgress` that says what the coordinator shows. Events of engines are not sent: the network and
    the processors are those of the measured host.
    """

    def __init__(self, say: Say) -> None:
        self._say = say

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        pass

    def run_started(self, run_id: str, number: int) -> None:
        self._say(RunBegan(run_id))

    def step(self, what: str) -> None:
        self._say(StepBegan(what))

    def event(self, event: Event) -> None:
        pass

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        self._say(RunEnded(run_id, headline, failure))

    def note(self, message: str) -> None:
        self._say(NoteLine(message))

    def end(self) -> None:
        pass


def carry_out_order(order: BlockOrder, say: Say) -> None:
    """Carries an order out. Raises what `execute` raises, and `ConflictError` where this Assay reads the
    study in another way than the coordinator's.
    """
    text = StudyText(Path(order.path), order.text)
    study = parse_study(order.text, text.path, measured=True)
    if study_hash(study) != order.hash:
        raise ConflictError(
            "this host reads another study from the same text", hint="install the same Assay on every host"
        )
    plan = make_plan(study, seed=order.seed, ordering=order.ordering, data_loads=order.data_loads)
    folder = ResultsFolder(Path(order.folder))
    backend = _backend(order)
    if not order.runs:
        say(BlockLooked(_looked(study, plan, folder, text, backend)))
        return
    wanted = set(order.runs)
    plan = replace(plan, runs=tuple(run for run in plan.runs if run.run_id in wanted))
    on_host = OnHost(order.host, tuple(order.doubts))
    execute(study, plan, folder, _SaidProgress(say), text, backend=backend, on_host=on_host)


def _backend(order: BlockOrder) -> Backend | None:
    """Returns the hosts for the generators of this block; None: this one."""
    if not order.generators:
        return None
    return AgentBackend(
        [AgentAddress(one.host, one.address, one.port) for one in order.generators],
        bytes.fromhex(order.token),
        loops={one.host: one.loops for one in order.generators if one.loops is not None},
        allow_same_machine=order.allow_same_machine,
        ceilings=order.ceilings,
    )


def _looked(
    study: Study, plan: Plan, folder: ResultsFolder, text: StudyText, backend: Backend | None
) -> list[BuildEntry]:
    refusal = look(study, plan, folder, text, backend).refusal
    if refusal is not None:
        raise refusal
    builds = {use: find_build(use) for use in study.servers}
    return [
        BuildEntry(use=use, version=build.version_text, sha256=build.sha256) for use, build in builds.items()
    ]


def main() -> None:
    """Carries the order on standard input out."""
    out = sys.stdout.buffer

    def say(line: BlockLine) -> None:
        out.write(encode_block_line(line))
        out.flush()

    try:
        carry_out_order(msgspec.json.decode(sys.stdin.buffer.readline(), type=BlockOrder), say)
    except AssayError as error:
        say(
            BlockEnded(
                Failure(
                    kind=type(error).__name__, message=error.message, hint=error.hint, detail=error.detail
                )
            )
        )
    except Exception as error:  # the coordinator shows it as its own would be
        text = "".join(traceback.format_exception(error))
        say(BlockEnded(Failure(kind="AssayError", message=f"{type(error).__name__}: {error}", detail=text)))
    else:
        say(BlockEnded())


if __name__ == "__main__":
    main()
