"""The course of one command over the hosts of a fleet: which host has which block, and its outcome."""

from __future__ import annotations

import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import msgspec

from assay.base.errors import AssayError, ConflictError, GeneratorLost, HostError
from assay.base.wording import counted
from assay.design.folder import Manifest, ResultsFolder, RunFolder, Scalar, read_manifest
from assay.design.plan import Plan, PlannedRun, share_blocks
from assay.measurement.fleet import ArrivedRun, BlockHosts, RemoteBlock, UnkeptFile
from assay.measurement.run import journal
from assay.measurement.run.hosts.messages import (
    BlockEnded,
    BlockLine,
    NoteLine,
    RunBegan,
    RunEnded,
    StepBegan,
)
from assay.measurement.run.hosts.orders import Orders, block_line, error_of
from assay.measurement.run.progress import RunProgress
from assay.measurement.run.stopping import asked_of_lab, stopped
from assay.system.engine import Interrupts

_BEGUN_AGAIN = 2
"""How often one command begins a block again whose host was lost, as of a block that lost a generator."""
_IN_A_ROW = 1
"""Blocks that a host may lose one after the other while others could have them: a full disk loses each."""
_LOOK_S = 0.2
_ENDS_S = 90.0
"""Seconds that hosts may take to end their labs and send what is finished."""
_OF_THE_HOST = (HostError, GeneratorLost, ConflictError)
"""Errors of one host, which another may not meet."""


@dataclass(frozen=True)
class _Block:
    """The runs of a block that are left."""

    number: int
    runs: list[PlannedRun]


@dataclass(frozen=True)
class _Over:
    """A block is over on a host: `arrived` are its runs, `error` the reason why it must be done again, and
    `refused` what keeps this machine from taking its files.
    """

    host: str
    block: _Block
    arrived: Sequence[ArrivedRun] = ()
    error: AssayError | None = None
    refused: OSError | None = None


class HostCourse:
    """The course of one command: which host carries out which block, and what has come of it."""

    def __init__(
        self,
        plan: Plan,
        folder: ResultsFolder,
        progress: RunProgress,
        interrupts: Interrupts,
        hosts: BlockHosts,
        orders: Orders,
        ahead: Sequence[PlannedRun],
    ) -> None:
        self._plan, self._folder, self._progress = plan, folder, progress
        self._interrupts, self._hosts, self._orders = interrupts, hosts, orders
        self._blocks = {
            number: _Block(number, list(runs)) for number, runs in groupby(ahead, lambda run: run.block)
        }
        self._living = list(hosts.agents)
        self._at_work: dict[str, RemoteBlock] = {}
        self._on: dict[str, int] = {}
        """The block that each host is at."""
        self._inbox: SimpleQueue[tuple[str, BlockLine] | _Over] = SimpleQueue()
        self._lost: Counter[int] = Counter()
        self._in_a_row: Counter[str] = Counter()
        """Blocks that each host has lost since it carried one out."""
        self._numbers = {run.run_id: number for number, run in enumerate(plan.runs, start=1)}
        self._errors: dict[str, AssayError] = {}
        """The error that a lab on a host has said."""
        self._is_ending = False
        self._tables: dict[Scalar, tuple[Scalar, str]] = {}
        """The tables of each dataset, by its id, and a host that has them."""
        for manifest in journal.completed(folder):
            self._other_tables(manifest)
        self.done = 0
        self.failed: list[tuple[str, str]] = []

    def carry_out(self) -> None:
        """Carries all blocks out. Raises `Interrupted` after a signal, and the error that ends the study."""
        self._say_shares()
        try:
            while self._blocks:
                if not self._is_held():
                    self._hand_out()
                self._take_next()
        except BaseException:
            self._end_all()
            raise

    def _is_held(self) -> bool:
        """Returns whether no block may begin: a person asks for a pause on the page of the study. Raises
        `Interrupted` where the end is asked for.
        """
        self._interrupts.raise_if_requested()
        asked = asked_of_lab(self._folder)
        if asked == "stop":
            raise stopped()
        return asked == "pause"

    def _shares(self) -> dict[str, list[int]]:
        done: dict[int, str] = {}
        begun: dict[int, str] = {block: host for host, block in self._on.items()}
        for manifest in journal.completed(self._folder):
            if manifest.fleet_host is None:
                continue
            place = begun if manifest.block in self._blocks else done
            place[manifest.block] = manifest.fleet_host
        return share_blocks(list(self._blocks), self._living, self._plan.seed, done=done, begun=begun)

    def _say_shares(self) -> None:
        for host, blocks in self._shares().items():
            if blocks:
                load = self._hosts.loaded_by()[host]
                by = f", load from {', '.join(load)}" if load else ""
                self._progress.note(f"{host}: {counted(len(blocks), 'block')} ({_listed(blocks)}){by}")

    def _hand_out(self) -> None:
        """Gives every host that is free its next block."""
        if not set(self._living) - self._at_work.keys():
            return
        for host, blocks in self._shares().items():
            if host in self._at_work or not blocks:
                continue
            block = self._blocks[blocks[0]]
            order = msgspec.to_builtins(self._orders.block(host, block.runs))
            into = self._into(block)
            shutil.rmtree(into, ignore_errors=True)
            into.mkdir()

            def take(line: bytes, host: str = host) -> None:
                self._inbox.put((host, block_line(line)))

            remote = RemoteBlock(self._hosts.agents[host], self._hosts.token, order, into, take)
            self._at_work[host], self._on[host] = remote, block.number
            Thread(target=self._carry_out_one, args=(host, block, remote), daemon=True).start()

    def _carry_out_one(self, host: str, block: _Block, remote: RemoteBlock) -> None:
        """Carries one block out, in a thread of its own."""
        try:
            over = _Over(host, block, remote.carry_out())
        except AssayError as error:
            over = _Over(host, block, error=error)
        except UnkeptFile as unkept:
            over = _Over(host, block, refused=unkept.error)
        self._inbox.put(over)

    def _take_next(self) -> None:
        try:
            what = self._inbox.get(timeout=_LOOK_S)
        except Empty:
            return
        self._take(what)

    def _take(self, what: tuple[str, BlockLine] | _Over) -> None:
        if isinstance(what, _Over):
            self._end_block(what)
            return
        host, line = what
        match line:
            case RunBegan(run):
                self._progress.run_started(run, self._numbers[run])
            case StepBegan(step):
                self._progress.step(f"{host}: {step}")
            case RunEnded(run, headline, failure):
                self._progress.run_finished(run, headline=f"{host}: {headline}", failure=failure)
            case NoteLine(text):
                self._progress.note(f"{host}: {text}")
            case BlockEnded(error) if error is not None:
                self._errors[host] = error_of(host, error)
            case _:
                pass

    def _end_block(self, over: _Over) -> None:
        """Takes the runs of a block in that is over, or sees to it that a block is done again."""
        del self._at_work[over.host], self._on[over.host]
        said = self._errors.pop(over.host, None)
        error = over.error or said
        if over.refused is not None and not self._is_ending:
            raise over.refused
        counting = [run for run in over.arrived if run.why is None]
        missing = {run.run_id for run in over.block.runs} - {run.run_id for run in counting}
        if error is None and missing:
            error = HostError(f"the lab on {over.host} has left out {', '.join(sorted(missing))}")
        if error is None or self._is_ending:
            self._accept(over.arrived, over.block)
        shutil.rmtree(self._into(over.block), ignore_errors=True)
        if error is None:
            del self._blocks[over.block.number]
            self._in_a_row[over.host] = 0
        elif not self._is_ending:
            self._lose(over, error)

    def _accept(self, arrived: Sequence[ArrivedRun], block: _Block) -> None:
        wanted = {run.run_id for run in block.runs}
        for run in arrived:
            if run.run_id not in wanted:
                continue
            if run.why is not None:
                journal.accept_attempt(self._folder, run.path, run.run_id, run.why)
                continue
            other = self._other_tables(read_manifest(RunFolder(run.path)))
            if other is not None and self._is_ending:
                continue
            if other is not None:
                raise other
            manifest = journal.accept(self._folder, run.path, run.run_id)
            if manifest.failure is None:
                self.done += 1
            else:
                self.failed.append((run.run_id, manifest.failure.message))

    def _other_tables(self, manifest: Manifest) -> HostError | None:
        """Returns the error of a run whose host has made other tables than another: its treatments are not
        those of the others.
        """
        dataset, host = manifest.dataset, manifest.fleet_host
        if host is None or "tables_sha256" not in dataset:
            return None
        tables, first = self._tables.setdefault(dataset["id"], (dataset["tables_sha256"], host))
        if tables == dataset["tables_sha256"]:
            return None
        return HostError(
            f"{first} and {host} have made different tables of the dataset {dataset['id']}, from one seed",
            hint="compare `assay dataset list --json` on both, and remove the wrong one there with"
            " `assay dataset rm`: it is made again",
        )

    def _lose(self, over: _Over, error: AssayError) -> None:
        """Counts the loss of a block. Raises the error where another host would meet it too, and `HostError`
        where the block was lost too often or no host is left.
        """
        if not isinstance(error, _OF_THE_HOST):
            raise error
        number, why = over.block.number, error.message
        self._lost[number] += 1
        self._in_a_row[over.host] += 1
        others = len(self._living) > 1
        gone = isinstance(error, HostError) and not self._hosts.is_there(over.host)
        if gone or (others and self._in_a_row[over.host] > _IN_A_ROW):
            self._leave_out(over.host)
        if self._lost[number] > _BEGUN_AGAIN or not self._living:
            raise HostError(
                f"block {number} was lost on its host {counted(self._lost[number], 'time')}, the last time on"
                f" {over.host}: {why}",
                hint="look after that host, or leave it out; the same command continues: finished runs are"
                " kept",
                detail=error.detail,
            )
        out = "" if over.host in self._living else f"; {over.host} is left out"
        self._progress.note(f"! block {number} is begun again: {why}{out}")

    def _leave_out(self, host: str) -> None:
        """Gives no more blocks to a host; those that it has begun are begun anew elsewhere, all of them."""
        self._living.remove(host)
        for number in journal.set_aside_runs_on(self._folder, host, self._blocks):
            runs = [run for run in self._plan.runs if run.block == number]
            self._blocks[number] = _Block(number, runs)

    def _into(self, block: _Block) -> Path:
        """Returns where the files of a block arrive; the journal clears it away after a kill."""
        return self._folder.runs.path / f".block-{block.number}.unfinished"

    def _end_all(self) -> None:
        """Ends the labs on all hosts, and keeps the runs that they have finished."""
        self._is_ending = True
        signalled = 0
        deadline = time.monotonic() + _ENDS_S
        while self._at_work and time.monotonic() < deadline:
            if signalled <= self._interrupts.count:  # a second Ctrl-C ends them at once
                signalled = self._interrupts.count + 1
                for remote in self._at_work.values():
                    remote.send_signal(signal.SIGINT)
            self._take_next()


def _listed(blocks: Sequence[int]) -> str:
    return ", ".join(map(str, blocks))
