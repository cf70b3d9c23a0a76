//! The outside of a script thread in a load: statements are timed and counted, events are the load's operations.

use std::pin::pin;
use std::rc::Rc;

use assay_script::{Counter, Host, Results, ScriptError, SqlError, Touched, Whereabouts};
use assay_tally::{Scheduled, Times};
use assay_wire::{Error, Outcome, Param};
use assay_workload::Operation;

use crate::load::commits::{Boundary, Open, rolls_back};
use crate::load::discipline::Work;
use crate::load::think::Thinker;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use crate::script::captured::say;
use crate::script::described::FirstWord;
use crate::script::failed;
use crate::script::holdings::Holdings;
use crate::script::link::{self, Link, LinkStatement, Links};
use crate::script::thread::Crew;
use assay_format::event::ErrorKind;

/// CR_UNKNOWN_ERROR: the code under which errors are counted that a script counts itself.
const OWN_ERROR: u16 = 2000;

/// Nanoseconds for which a thread may begin events without waiting for anybody, while others of its event loop wait.
const TURN_NS: u64 = 200_000;

/// Nanoseconds after the time limit, or after a signal, within which an event may still begin again: one whose every try
/// fails would never end.
const TRIES_AT_END_NS: u64 = 1_000_000_000;

/// An event that is going on.
struct Going {
    work: Work,
    started: u64,
    /// The instant at which its last try began.
    tried: u64,
}

pub(super) struct InLoad {
    crew: Rc<Crew>,
    links: Links,
    task: TaskId,
    going: Option<Going>,
    /// The schedule of the event, until its first statement has taken it.
    scheduled: Option<u64>,
    /// The number of the next event of this thread.
    number: u64,
    /// The pauses between its events, where it has any.
    thinker: Option<Thinker>,
    /// The instant at which the thread last waited for something, as far as it knows.
    waited: u64,
    /// Whether a connection has gone since the last answer, and did not come back.
    lost: bool,
    holdings: Holdings,
    /// What is open on the connections of the thread.
    open: Open,
    /// Whether the thread asks for no more events.
    over: bool,
}

impl InLoad {
    pub(super) fn new(crew: Rc<Crew>, task: TaskId) -> Self {
        let thinker = crew.think.map(|think| Thinker::new(think, crew.seed, crew.shard.connection(task)));
        let links = Links { reactor: crew.shard.reactor.clone(), servers: crew.servers.clone(), task };
        Self {
            holdings: Holdings::new(crew.clone()),
            crew,
            links,
            task,
            going: None,
            scheduled: None,
            number: 0,
            thinker,
            waited: 0,
            lost: false,
            open: Open::default(),
            over: false,
        }
    }

    /// Whether the thread asks for no more events.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Lets the other threads of the event loop go on.
    pub(super) async fn give_turn(&self) {
        self.links.give_turn().await;
    }

    #[inline]
    fn now(&self) -> u64 {
        self.crew.shard.reactor.clock.now()
    }

    /// Ends the event that is going on; one that has not succeeded is not counted.
    fn end_event(&mut self, now: u64, succeeded: bool) {
        let Some(Going { work, started, tried }) = self.going.take() else { return };
        let shard = &self.crew.shard;
        shard.finish_operation();
        if succeeded {
            let operation = Operation::new(self.crew.seed, shard.connection(self.task), self.number);
            let times = Times { scheduled: work.scheduled, started, ended: now };
            shard.note_transaction(self.task, &times, &operation, tried - started);
            if self.open.ended() {
                shard.note_ended_open();
            }
            if now >= self.crew.control.measure_start() {
                self.crew.shares.add(shard.connection(self.task), now - started);
            }
        }
        self.number += 1;
    }

    /// Ends the thread: an event that is going on is not counted.
    pub(super) fn leave(&mut self) {
        let now = self.now();
        self.end_event(now, false);
    }

    /// An error that ended the script, as the end of the job: where the server went away, the script is not to blame.
    pub(super) fn end_of_load(&self, error: &ScriptError) -> Fatal {
        let kind = if self.lost { ErrorKind::Lost } else { ErrorKind::Job };
        let fatal = Fatal { kind, ..failed(error) };
        match self.holdings.remedy() {
            Some(remedy) => fatal.hint(remedy),
            None => fatal,
        }
    }

    /// Notes a statement that was sent at `started`.
    fn note(
        &mut self,
        link: &mut Link,
        word: FirstWord,
        started: u64,
        answer: Option<Result<Outcome, Error>>,
    ) -> Result<Outcome, SqlError> {
        let shard = &self.crew.shard;
        match answer {
            Some(Ok(outcome)) => {
                if let Some(linked) = link {
                    let open = linked.connection.in_transaction();
                    shard.note_settled(self.open.heard(&mut linked.holds, open, word.boundary));
                    if word.stores() && outcome.affected_rows == 0 {
                        shard.note_unstored();
                    }
                }
                let times =
                    Times { scheduled: self.scheduled.take().unwrap_or(started), started, ended: self.now() };
                let label = usize::from(word.label(&outcome).0) + 1;
                shard.note_statement(label, &times, &outcome);
                if self.crew.servers.is_some() {
                    self.waited = times.ended;
                }
                self.lost = false;
                Ok(outcome)
            }
            Some(Err(error)) => {
                let refused = SqlError::from(&error);
                if let Some(linked) = link
                    && (error.is_fatal()
                        || rolls_back(refused.code, &refused.state, self.crew.undoes_on_timeout))
                {
                    self.open.rolled_back(&mut linked.holds);
                }
                Err(refused)
            }
            None => {
                if let Some(linked) = link {
                    self.open.gone(&mut linked.holds);
                }
                shard.note_timeout(None);
                Err(SqlError::lost("no answer within the limit of an operation"))
            }
        }
    }
}

impl Drop for InLoad {
    /// Notes an event that is still going on: the thread was cut off at the end of the drain.
    fn drop(&mut self) {
        if let Some(going) = self.going.take() {
            self.crew.shard.note_unended(going.work.scheduled, going.started);
        }
    }
}

impl Host for InLoad {
    type Connection = Link;
    type Prepared = (LinkStatement, FirstWord);

    async fn connect(&mut self) -> Result<Link, SqlError> {
        let opened = self.links.connect().await;
        self.lost = opened.as_ref().map_or_else(|error| self.lost || error.is_lost(), |_| false);
        if opened.is_ok() {
            self.holdings.connected();
        }
        opened
    }

    async fn query(
        &mut self,
        link: &mut Link,
        sql: &[u8],
        results: &mut Results,
    ) -> Result<Outcome, SqlError> {
        let shard = self.crew.shard.clone();
        let started = self.now();
        shard.note_sent(1);
        let word = FirstWord::of(sql);
        let answer = {
            let asking = pin!(link::query(link, sql, results));
            shard.limited_from(self.task, started, asking).await
        };
        self.note(link, word, started, answer)
    }

    async fn prepare(&mut self, link: &mut Link, sql: &str) -> Result<Option<Self::Prepared>, SqlError> {
        self.crew.prepared.ask();
        let prepared = link::prepare(link, sql).await;
        self.holdings.answered(&prepared);
        let word = FirstWord::of(sql.as_bytes());
        if matches!(prepared, Ok(None)) && word.boundary == Boundary::Within {
            self.crew.shard.note_unprepared();
        }
        prepared.map(|prepared| prepared.map(|prepared| (prepared, word)))
    }

    async fn execute(
        &mut self,
        link: &mut Link,
        (prepared, word): &mut Self::Prepared,
        params: &[Param<'_>],
    ) -> Result<Outcome, SqlError> {
        let shard = self.crew.shard.clone();
        let started = self.now();
        shard.note_sent(1);
        let answer = {
            let asking = pin!(link::execute(link, prepared, params));
            shard.limited_from(self.task, started, asking).await
        };
        self.note(link, *word, started, answer)
    }

    fn parameters(&self, (prepared, _): &Self::Prepared) -> Option<usize> {
        link::parameters(prepared)
    }

    async fn close(&mut self, link: &mut Link, (prepared, _): Self::Prepared) {
        link::close(link, prepared).await;
        self.holdings.forget(1);
    }

    async fn disconnect(&mut self, mut link: Link) {
        let shard = self.crew.shard.clone();
        if link.as_mut().is_some_and(|linked| self.open.gone(&mut linked.holds)) {
            shard.note_left_open();
        }
        shard.limited(self.task, pin!(link::disconnect(link))).await;
        self.holdings.disconnected();
    }

    fn is_usable(&self, link: &Link) -> bool {
        link::is_usable(link)
    }

    fn failed(&mut self, error: &SqlError, reconnected: bool) {
        let shard = &self.crew.shard;
        if reconnected {
            shard.note_reconnect();
        } else {
            shard.note_error(if error.is_lost() { 0 } else { error.code });
        }
        self.lost = error.is_lost() && !reconnected;
        let SqlError { code, state, message } = error;
        shard.notice_of(Some(*code), || {
            let kind = if error.is_lost() { ErrorKind::Lost } else { ErrorKind::Server };
            let mut fatal = Fatal::new(kind, format!("a statement of the script failed: {message}"));
            (fatal.code, fatal.state) = (Some(*code), Some(state.clone()));
            fatal
        });
    }

    async fn ready(&mut self) {
        let shard = &self.crew.shard;
        self.holdings.ready(shard.connection(self.task));
        shard.gate().await;
    }

    async fn next(&mut self, ended: bool) -> bool {
        let now = self.now();
        self.end_event(now, ended);
        let shard = self.crew.shard.clone();
        let mut started = now;
        if now - self.waited > TURN_NS {
            self.links.give_turn().await;
            started = self.now();
            self.waited = started;
        }
        let thinks = self.thinker.as_mut().map(Thinker::next_ns);
        if let Some(pause_ns) = thinks {
            shard.wants(self.task, self.task, started + pause_ns);
        }
        let free = started;
        let Some(work) = shard.next(self.task, started).await else { return false };
        self.scheduled = (self.crew.times == Scheduled::All).then_some(work.scheduled);
        if work.prompt || self.scheduled.is_some() || thinks.is_some() {
            started = self.now();
            shard.note_start(&work, started);
        }
        if thinks.is_some() {
            shard.note_thinking(started - free);
        }
        self.open.begins();
        self.going = Some(Going { work, started, tried: started });
        true
    }

    fn over(&mut self, ended: bool) {
        if ended {
            let now = self.now();
            self.end_event(now, true);
        }
        self.over = true;
    }

    fn restarts(&mut self) -> bool {
        let now = self.now();
        let control = &self.crew.control;
        if control.aborted() || now > control.measure_end().saturating_add(TRIES_AT_END_NS) {
            return false;
        }
        if let Some(going) = &mut self.going {
            going.tried = now;
        }
        self.open.begins();
        self.crew.shard.note_retry(None, false);
        true
    }

    async fn sleep(&mut self, ns: u64) {
        self.links.sleep(ns).await;
    }

    async fn pause_between_tries(&mut self, ns: u64) -> bool {
        let (shard, until) = (self.crew.shard.clone(), self.now().saturating_add(ns));
        shard.pause(self.task, until).await
    }

    fn count(&mut self, counter: Counter, amount: i64) {
        let amount = u64::try_from(amount).unwrap_or(0);
        self.crew.shard.note_counted(|counts| match counter {
            Counter::Other => counts.other += amount,
            Counter::Read => counts.reads += amount,
            Counter::Write => counts.writes += amount,
            Counter::Transaction => counts.transactions += amount,
            Counter::Error => *counts.errors.entry(OWN_ERROR).or_default() += amount,
            Counter::Reconnect => counts.reconnects += amount,
        });
    }

    fn log(&mut self, line: &str) {
        say(&format!("{line}\n"), true);
    }

    #[inline]
    fn waits(&mut self, touched: Touched) {
        self.crew.shard.reactor.will_touch(self.task, touched);
    }

    #[inline]
    fn computes(&mut self, whereabouts: Option<&Whereabouts>) {
        self.crew.computing.turn(whereabouts);
    }
}
