"""Carries a plan out over the hosts of a fleet: each block whole on one of them, all hosts at the same time.

What runs on a host is the lab itself (`block_process`), so a block is measured there as a study on that host
would be. This process shares blocks out, shows the course of all, and takes the finished run folders in.
"""

from __future__ import annotations

import time

from assay.base.errors import Interrupted
from assay.design.folder import ResultsFolder
from assay.design.plan import Plan, estimate
from assay.design.study import Study, StudyText
from assay.measurement.fleet import BlockHosts
from assay.measurement.run import journal
from assay.measurement.run.execute import Outcome, told_in_words
from assay.measurement.run.hosts.course import HostCourse
from assay.measurement.run.hosts.orders import Orders, check_builds, looked
from assay.measurement.run.preflight import require_room
from assay.measurement.run.progress import RunProgress
from assay.measurement.run.stopping import with_kept
from assay.system.engine import Interrupts, sizes


def execute_over(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    progress: RunProgress,
    source: StudyText,
    hosts: BlockHosts,
) -> Outcome:
    """Carries every run of the plan that is not finished out on these hosts, and takes its folder in.

    Runs of a block are kept when all of it is over, or what is finished of it after a signal. Raises what
    `execute` raises, and `HostError` where a host cannot carry the study out, or a block has lost its host
    too often.
    """
    began = time.monotonic()
    journal.check_same_study(folder, study, seed=plan.seed)
    with Interrupts() as interrupts:
        hosts.joined()
        orders = Orders(plan, source, hosts)
        check_builds(looked(orders, hosts))
        require_room(study, plan, folder)
        with told_in_words(folder), journal.opened(folder, study, plan, source.kept.encode()):
            for line in journal.clear_away(
                folder, plan, study.design.redo, time.time_ns(), hosts.loaded_by()
            ):
                progress.note(f"! {line}")
            left = journal.given_up(folder, study.design.redo)
            over = {manifest.run_id for manifest in journal.completed(folder)} | left.keys()
            ahead = [run for run in plan.runs if run.run_id not in over]
            course = HostCourse(plan, folder, progress, interrupts, hosts, orders, ahead)
            _begin(study, plan, progress, over, len(hosts.agents))
            try:
                course.carry_out()
            except Interrupted as stop:
                raise with_kept(folder, plan, stop) from stop
            finally:
                progress.end()
    return Outcome(
        done=course.done,
        skipped=len(plan.runs) - len(ahead),
        failed=(*left.items(), *course.failed),
        seconds=time.monotonic() - began,
    )


def _begin(study: Study, plan: Plan, progress: RunProgress, over: set[str], hosts: int) -> None:
    """Reports the beginning. Hosts work side by side, so a run takes its share of their time."""
    known = sizes(plan)
    ahead = len(plan.runs) - len({run.run_id for run in plan.runs} & over)
    left = estimate(study, plan, known, over)  # what this machine knows is not known of the hosts
    progress.begin(
        runs=len(plan.runs),
        done=len(plan.runs) - ahead,
        loading_s=left.loading_s,
        run_s=left.runs_s / max(ahead, 1) / hosts,
        judging_s=left.judging_s,
    )
