//! Gathers what the event loops send, and keeps the totals of the load.

mod evidence;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use assay_format::event::{
    Deferred, ErrorKind, Event, Latency, LoopTotals, Phase, ServerResult, Tallied, WindowResult,
};
use assay_tally::{Counts, Recorder, Scheduled, Shape, Unended};
use assay_workload::{Account, ReadsSoFar};

use crate::course::accounts::{Accounts, Worked, spread};
use crate::course::conductor::{IntervalFacts, Load};
use crate::course::timeline::Stretch;
use crate::ledger::Book;
use crate::load::any_driver::Drive;
use crate::load::discipline::Properties;
use crate::load::event_tallies::tallied;
use crate::load::held::{FirstOperation, HeldLoad};
use crate::load::message::{DeferredCounts, LastKnown, ServerMessage, ShardEnd, Slice};
use crate::load::names::{Names, WHOLE};
use crate::load::record::RecordFile;
use crate::load::report::Report;
use crate::process::failure::Fatal;
use crate::say::counted::counted;
use crate::say::emit::emit;
use crate::say::tallied::unended_times;
use crate::server::ask::Inquiry;
use crate::server::login::Login;
use crate::server::questions::questions;
use crate::server::session::VERSION;

/// Names and sizes the collector needs.
pub(crate) struct Setup {
    pub names: Names,
    /// The workload, which may keep an account of its own.
    pub workload: Arc<dyn Drive>,
    /// Facts that the workload says of itself, by name.
    pub facts: BTreeMap<String, String>,
    /// The session in force, by variable, and the server's version.
    pub session: BTreeMap<String, String>,
    /// Parts of the tables that are worked in, and all of them, as [`assay_workload::Description::reach`] says.
    pub reach: Option<(u64, u64)>,
    pub connections: u32,
    pub load: Properties,
    /// The histograms and counters that the load's recorders keep.
    pub shape: Shape,
    /// Whether the workload's transactions leave work for later.
    pub defers: bool,
    /// The file for lines about work that was left for later.
    pub records: Option<RecordFile>,
    /// The ledger of acknowledged commits, where the job names one.
    pub book: Option<Book>,
    /// Questions to the server; none where there is no server.
    pub inquiry: Option<Inquiry<Arc<Login>>>,
    /// The listener that hears of every interval of the measured window.
    pub reports: Option<Sender<Report>>,
    /// What is said where the load waits for a command to begin.
    pub held: Option<HeldLoad>,
    /// Whether this engine is the only one that loads the server. Otherwise it judges nothing that all generators cause together.
    pub alone: bool,
}

pub(crate) struct Collector {
    setup: Setup,
    /// The channels on which used recorders go back to their event loops, by event loop.
    spares: Vec<Sender<Box<Recorder>>>,
    measured: Recorder,
    /// Everything from the start of the load to its end, drain included.
    whole: Counts,
    totals: LoopTotals,
    abandoned: u64,
    /// Transactions of the measured window that never ended.
    unended: Unended,
    busy_ns: u64,
    unsure: u64,
    operations: Vec<u64>,
    by_terminal: Vec<u64>,
    deferred: DeferredCounts,
    window: Option<Box<Recorder>>,
    first: FirstOperation,
    /// Whether the first reads of each statement were looked at: what never finds a row is said at once.
    looked: Option<Vec<bool>>,
    /// The server's count of questions before the load, and after it.
    pub questions_before: Option<u64>,
    pub questions_after: Option<u64>,
}

impl Load for Collector {
    type Slice = Slice;
    type End = ShardEnd;
    type Own = ServerMessage;

    fn awaited(&self) -> (u64, &'static str) {
        (self.setup.connections.into(), "connections")
    }

    fn ready(&mut self) {
        // What the server counts is all generators' doing.
        if self.setup.alone {
            self.questions_before = self.questions();
        }
        self.leave_server();
        if let Some(held) = &self.setup.held {
            held.say_ready(self.setup.connections.into(), self.spares.len());
        }
    }

    fn heard(&mut self, slice: &mut Slice) {
        if let Some(file) = &mut self.setup.records
            && let Err(error) = file.append(&slice.records)
        {
            self.setup.records = None;
            let message = format!("load.deferred_file: {error}: the file is incomplete");
            emit(&Event::Error(Fatal::host(message).notice(slice.stretch.end)));
        }
    }

    fn whole(&mut self, stretch: &Stretch, slice: &Slice) -> IntervalFacts {
        self.first.say();
        self.whole.merge(&slice.recorder.counts);
        self.look_at_first_reads(stretch.end);
        if stretch.phase == Phase::Measure {
            merge_window(&mut self.measured, &slice.recorder);
            if let Some(reports) = &self.setup.reports {
                let report = Report::of((stretch.start, stretch.end), &slice.recorder);
                // Who has stopped listening misses nothing.
                let _ = reports.send(Report { in_flight: slice.in_flight, queued: slice.queued, ..report });
            }
        }
        IntervalFacts {
            counted: slice.recorder.counts.clone(),
            tallied: self.tallied(&slice.recorder),
            in_flight: slice.in_flight,
            queued: slice.queued,
        }
    }

    fn recycle(&mut self, shard: usize, slice: Slice) {
        let mut recorder = slice.recorder;
        recorder.clear();
        // An event loop that has ended needs no more recorders.
        let _ = self.spares[shard].send(recorder);
    }

    fn ended(&mut self, end: ShardEnd) -> usize {
        self.operations.extend(end.operations);
        self.by_terminal.extend(end.by_terminal);
        self.deferred.merge(&end.deferred);
        self.totals.merge(&end.totals);
        self.abandoned += end.abandoned;
        end.unended.into_iter().for_each(|begun| self.unended.add(begun, end.ended));
        self.busy_ns += end.busy_ns;
        self.unsure += end.unsure;
        self.measured.counts.unserved += end.unserved;
        match (&mut self.window, end.window) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs),
            (mine @ None, theirs) => *mine = theirs,
            _ => {}
        }
        end.shard
    }

    fn give_up(&mut self, shard: usize, last: Option<LastKnown>) {
        let LastKnown { totals, in_flight } = last.unwrap_or_default();
        self.ended(ShardEnd { shard, totals, abandoned: in_flight, ..ShardEnd::default() });
    }

    /// A ledger that cannot be written ends the run: without it there is nothing to look for afterwards.
    fn own(&mut self, message: ServerMessage) -> Result<(), Fatal> {
        match message {
            ServerMessage::Ledger(page) => {
                let Some(book) = &mut self.setup.book else { return Ok(()) };
                book.write(&page).inspect_err(|_| self.setup.book = None)
            }
            ServerMessage::Started(instant_ns) => {
                self.first.hear(instant_ns, self.spares.len());
                Ok(())
            }
        }
    }
}

/// Adds an interval to the window. What was never served is left out: each loop says it of the window when it ends,
/// and the interval in which a load is given up says it, too.
fn merge_window(window: &mut Recorder, interval: &Recorder) {
    let unserved = window.counts.unserved;
    window.merge(interval);
    window.counts.unserved = unserved;
}

impl Collector {
    pub(crate) fn new(setup: Setup, spares: Vec<Sender<Box<Recorder>>>) -> Self {
        let measured = Recorder::new(setup.shape);
        Self {
            setup,
            spares,
            measured,
            whole: Counts::default(),
            totals: LoopTotals::default(),
            abandoned: 0,
            unended: Unended::default(),
            busy_ns: 0,
            unsure: 0,
            operations: Vec::new(),
            by_terminal: Vec::new(),
            deferred: DeferredCounts::default(),
            window: None,
            first: FirstOperation::default(),
            looked: None,
            questions_before: None,
            questions_after: None,
        }
    }

    /// The measured window, from start to end, as a report.
    pub(crate) fn report(&self, window: (u64, u64)) -> Report {
        Report::of(window, &self.measured)
    }

    /// Hears that the load has ended, before anybody else speaks to the server.
    pub(crate) fn over(&mut self) {
        // The second asking counts itself, and what its login sent before.
        let own =
            self.setup.inquiry.as_ref().map_or(0, |inquiry| 1 + u64::from(inquiry.login().statements()));
        self.questions_after = self.questions().map(|counted| counted.saturating_sub(own));
        self.leave_server();
    }

    /// The server's own count of statements.
    fn questions(&mut self) -> Option<u64> {
        self.setup.inquiry.as_mut().and_then(questions)
    }

    /// Ends the connection of the questions: while the load runs the server has none beside the load's.
    fn leave_server(&mut self) {
        if let Some(inquiry) = &mut self.setup.inquiry {
            inquiry.close();
        }
    }

    /// The workload's own account of what it has found and changed, where it keeps one.
    fn account(&self) -> Option<Account> {
        self.setup.workload.description().account()
    }

    /// Says which statements have found no row at all, once some of them were answered often enough to tell.
    fn look_at_first_reads(&mut self, now: u64) {
        const ENOUGH: u64 = 20;
        if self.looked.as_ref().is_some_and(|looked| looked.iter().all(|one| *one)) {
            return;
        }
        let reads = self.setup.workload.description().reads_so_far();
        let looked = self.looked.get_or_insert_with(|| vec![false; reads.len()]);
        let enough = |(one, looked): &(ReadsSoFar, &mut bool)| !**looked && one.reads >= ENOUGH;
        for (one, looked) in reads.into_iter().zip(looked).filter(enough) {
            *looked = true;
            if one.misses < one.reads {
                continue;
            }
            let message =
                format!("{}: none of {} has found a row so far", one.place, counted(one.reads, "read"));
            let hint = "draw what is in the tables: column(TABLE.COLUMN)";
            emit(&Event::Error(Fatal::new(ErrorKind::Data, message).hint(hint).notice(now)));
        }
    }

    fn tallied(&self, recorder: &Recorder) -> Tallied {
        tallied(&self.setup.names, recorder, self.setup.load.keeps_schedule)
    }

    /// The measured window, and what was tallied in it; `None` when it never began.
    pub(crate) fn window(&mut self, accounts: &Accounts, complete: bool) -> Option<(WindowResult, Tallied)> {
        let worked = Worked {
            operations: std::mem::take(&mut self.operations),
            busy_ns: self.busy_ns,
            abandoned: self.abandoned,
            latency: match self.setup.load.times {
                Scheduled::Nothing => Latency::Service,
                Scheduled::Whole | Scheduled::All => Latency::Response,
            },
        };
        let window = accounts.result(&worked, complete)?;
        // How many ended in the window, as all counts.
        let ended: Vec<u64> = self.measured.labels.iter().map(|label| label.service.count()).collect();
        // Open loop: latencies of what was scheduled in the window, whenever it ended; the worst are not lost.
        if let Some(scheduled) = self.window.take() {
            self.measured.labels = scheduled.labels;
        }
        // Those that never ended are among the times, as long as they had taken: the worst of all are not lost either.
        if let Some(whole) = self.measured.labels.first_mut() {
            whole.include(&self.unended);
        }
        let mut tallied = self.tallied(&self.measured);
        let names = &self.setup.names;
        if let Some(whole) = tallied.labels.get_mut(WHOLE) {
            whole.unended = unended_times(&self.unended);
        }
        for (name, number) in names.labels() {
            tallied.labels.entry(name.to_owned()).and_modify(|label| label.count = ended[number]);
        }
        for (name, count) in names.kinds.iter().zip(&ended[names.first_kind()..]) {
            if let Some(times) = tallied.kinds.get_mut(&**name).and_then(|kind| kind.times.as_mut()) {
                times.count = *count;
            }
        }
        Some((window, tallied))
    }

    /// The part of the result that only a load on a server has; the server's own count is not in it yet.
    pub(crate) fn server(&self) -> ServerResult {
        let transactions = self.measured.counts.transactions;
        let thought = self.measured.counts.thinking_ns;
        let mut facts = self.setup.facts.clone();
        for one in self.account().iter().flat_map(|account| &account.statements) {
            let errors = one.errors.iter().map(|(code, count)| format!("{code} × {count}"));
            let errors = errors.collect::<Vec<_>>().join(", ");
            if !errors.is_empty() {
                facts.insert(format!("errors at {}", one.place), errors);
            }
        }
        let mut session = self.setup.session.clone();
        let server_version = session.remove(VERSION);
        ServerResult {
            facts,
            session,
            server_version,
            terminals: (!self.by_terminal.is_empty()).then(|| spread(&self.by_terminal)),
            deferred: self.setup.defers.then(|| Deferred::from(self.deferred)),
            loops: self.totals,
            mean_think_ms: (thought > 0).then(|| thought as f64 / 1e6 / transactions.max(1) as f64),
            server_questions: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_tally::{Recorder, Scheduled, Shape};

    use super::merge_window;

    #[test]
    fn what_was_never_served_is_counted_once_where_the_load_is_given_up_within_its_window() {
        let shape = Shape {
            labels: 1,
            first_kind: 1,
            kinds: 0,
            counters: 0,
            scheduled: Scheduled::Nothing,
            thinks: false,
        };
        let (mut window, mut last) = (Recorder::new(shape), Recorder::new(shape));
        last.counts.transactions = 7;
        last.counts.unserved = 3;
        merge_window(&mut window, &last);
        // The loop's last report comes before or after its last interval.
        window.counts.unserved += 2;
        merge_window(&mut window, &last);
        assert_eq!((window.counts.transactions, window.counts.unserved), (14, 2));
    }
}
