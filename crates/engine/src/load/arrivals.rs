//! What comes due, at its instant, handed to whichever connection is free: arrivals of a schedule, terminals whose pause is
//! over, work that was left for later.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::Counts;

use crate::process::clock::UNKNOWN;
use crate::reactor::{Reactor, TaskId};

/// One operation that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The instant at which it is wanted.
    pub scheduled: u64,
    /// A connection was free at that instant: whatever it waits is the pacer's doing.
    pub prompt: bool,
    pub what: Wanted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The next operation of the connection that takes it.
    Own,
    /// The next operation of this terminal of the event loop.
    Terminal(u32),
    /// What operation `number` of terminal `worker` left for later.
    Deferred { worker: u32, number: u64 },
}

/// Where operations come from.
pub enum Source {
    Schedule(Schedule),
    /// Instants at which terminals want their next operation.
    Terminals(BinaryHeap<Reverse<(u64, u32)>>),
}

type Due = (u64, Wanted);

/// What is due, and who is free, in one event loop.
pub struct Dispatcher {
    source: Source,
    origin: u64,
    next: u64,
    /// What found no free connection, oldest first.
    queue: VecDeque<Due>,
    limit: usize,
    /// The same of work that was left for later: its place is by its instant, among the others.
    deferred: VecDeque<Due>,
    longest_deferred: usize,
    /// Connections without work, longest idle first.
    idle: VecDeque<TaskId>,
    /// What was handed to a task and not taken yet.
    assigned: Box<[Option<Due>]>,
    closed: bool,
}

impl Dispatcher {
    pub fn new(source: Source, limit: usize, tasks: u32) -> Self {
        Self {
            source,
            origin: 0,
            next: UNKNOWN,
            queue: VecDeque::new(),
            limit,
            deferred: VecDeque::new(),
            longest_deferred: 0,
            idle: VecDeque::with_capacity(tasks as usize),
            assigned: vec![None; tasks as usize].into_boxed_slice(),
            closed: false,
        }
    }

    /// The source's zero is now known.
    pub fn begin(&mut self, start: u64) {
        self.origin = start;
        if let Source::Terminals(heap) = &mut self.source {
            *heap =
                heap.drain().map(|Reverse((pause, terminal))| Reverse((start + pause, terminal))).collect();
            self.next = heap.peek().map_or(UNKNOWN, |Reverse((due, _))| *due);
        } else {
            self.pull();
        }
    }

    /// Takes what comes next out of the source.
    fn pull(&mut self) -> Due {
        let instant = self.next;
        let (what, next) = match &mut self.source {
            Source::Schedule(schedule) => {
                let next = schedule.next().map(|instant| self.origin.saturating_add(instant));
                (Wanted::Own, next)
            }
            Source::Terminals(heap) => {
                let what =
                    heap.pop().map_or(Wanted::Own, |Reverse((_, terminal))| Wanted::Terminal(terminal));
                (what, heap.peek().map(|Reverse((due, _))| *due))
            }
        };
        self.next = next.unwrap_or(UNKNOWN);
        (instant, what)
    }

    fn scheduled(&self) -> bool {
        matches!(self.source, Source::Schedule(_))
    }

    /// Arrivals, or terminals, that wait for a connection.
    pub fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    /// Arrivals of the schedule that wait and were wanted at `start` or later: what a terminal wants once more is no loss.
    pub fn unserved_since(&self, start: u64) -> u64 {
        let wanted = |due: &&Due| self.scheduled() && due.0 >= start;
        self.queue.iter().filter(wanted).count() as u64
    }

    /// The most work that ever waited at once of what was left for later.
    pub fn longest_deferred(&self) -> u64 {
        self.longest_deferred as u64
    }

    /// Lets in everything wanted before `limit`: to a free connection, into the queue, or away.
    #[inline]
    pub fn admit(&mut self, limit: u64, reactor: &Reactor, counts: &mut Counts) {
        while self.next < limit {
            counts.arrivals += 1;
            let due = self.pull();
            if let Some(task) = self.idle.pop_front() {
                self.hand(task, due, reactor);
            } else if self.queue.len() < self.limit {
                self.queue.push_back(due);
            } else {
                counts.queue_full += 1;
            }
        }
    }

    fn hand(&mut self, task: TaskId, due: Due, reactor: &Reactor) {
        self.assigned[task as usize] = Some(due);
        reactor.wake(task);
    }

    /// A terminal's operation is over; it wants its next one at `due`. True when a connection is free to wait for that.
    #[inline]
    pub fn release(&mut self, terminal: u32, due: u64) -> bool {
        if let Source::Terminals(heap) = &mut self.source
            && !self.closed
        {
            heap.push(Reverse((due, terminal)));
            self.next = self.next.min(due);
        }
        !self.idle.is_empty()
    }

    /// Operation `number` of terminal `worker` has left work for later, at `instant`.
    pub fn defer(&mut self, instant: u64, worker: u32, number: u64, reactor: &Reactor) {
        let due = (instant, Wanted::Deferred { worker, number });
        match self.idle.pop_front() {
            Some(task) => self.hand(task, due, reactor),
            None => self.deferred.push_back(due),
        }
        self.longest_deferred = self.longest_deferred.max(self.deferred.len());
    }

    /// When to call [`admit`](Self::admit) again. While no connection is free there is no hurry: the next one that is
    /// looks for itself.
    pub fn wanted(&self) -> u64 {
        if self.idle.is_empty() { UNKNOWN } else { self.next }
    }

    /// Whether a schedule has come to its end.
    pub fn exhausted(&self) -> bool {
        self.next == UNKNOWN && self.scheduled()
    }

    /// No more arrivals: idle connections are told to leave. Queued arrivals of a schedule are still served, and work that
    /// was left for later is; terminals go home.
    pub fn close(&mut self, reactor: &Reactor) {
        self.closed = true;
        if let Source::Terminals(heap) = &mut self.source {
            heap.clear();
            self.queue.clear();
            self.next = UNKNOWN;
        }
        self.idle.drain(..).for_each(|task| reactor.wake(task));
    }

    /// As many operations as were asked for have begun: no more, not even of those that are queued.
    pub fn cut(&mut self, reactor: &Reactor) {
        self.close(reactor);
        self.queue.clear();
        self.next = UNKNOWN;
    }

    /// What a task is to do next: ready when there is something, `None` when nothing will come.
    pub fn take(&mut self, task: TaskId, waiting: &mut bool) -> Poll<Option<Arrival>> {
        if let Some((scheduled, what)) = self.assigned[task as usize].take() {
            return Poll::Ready(Some(Arrival { scheduled, prompt: true, what }));
        }
        // One that waits is served by `admit`: it may only look into the queues when it comes.
        if !*waiting && let Some((scheduled, what)) = self.oldest() {
            return Poll::Ready(Some(Arrival { scheduled, prompt: false, what }));
        }
        if self.closed {
            return Poll::Ready(None);
        }
        if !*waiting {
            *waiting = true;
            self.idle.push_back(task);
        }
        Poll::Pending
    }

    /// What has waited longest. Of two that came at once, the work that was left: whoever only leaves work behind cannot
    /// keep it waiting for ever.
    #[inline]
    fn oldest(&mut self) -> Option<Due> {
        match (self.queue.front(), self.deferred.front()) {
            (Some((queued, _)), Some((left, _))) if queued < left => self.queue.pop_front(),
            (_, Some(_)) => self.deferred.pop_front(),
            _ => self.queue.pop_front(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::clock::Clock;

    fn taken(dispatcher: &mut Dispatcher, task: TaskId) -> Option<(u64, Wanted)> {
        match dispatcher.take(task, &mut false) {
            Poll::Ready(arrival) => arrival.map(|arrival| (arrival.scheduled, arrival.what)),
            Poll::Pending => Some((UNKNOWN, Wanted::Own)),
        }
    }

    fn terminals(pauses: &[u64]) -> (Dispatcher, std::rc::Rc<Reactor>, Counts) {
        let heap = pauses.iter().zip(0..).map(|(pause, terminal)| Reverse((*pause, terminal))).collect();
        let reactor = Reactor::new(4, Clock::start()).expect("a reactor");
        let mut dispatcher = Dispatcher::new(Source::Terminals(heap), usize::MAX, 4);
        dispatcher.begin(100);
        (dispatcher, reactor, Counts::default())
    }

    #[test]
    fn the_terminal_that_has_been_due_longest_comes_first() {
        let (mut dispatcher, reactor, mut counts) = terminals(&[30, 10, 20]);
        dispatcher.admit(126, &reactor, &mut counts);
        assert_eq!(dispatcher.queued(), 2);
        assert_eq!(taken(&mut dispatcher, 0), Some((110, Wanted::Terminal(1))));
        dispatcher.release(1, 115);
        dispatcher.admit(131, &reactor, &mut counts);
        // It was due again before the third, but came later: the third was not due yet when it was looked for.
        let rest: Vec<_> = (0..3).map(|_| taken(&mut dispatcher, 0).expect("due").0).collect();
        assert_eq!(rest, [120, 115, 130]);
    }

    #[test]
    fn work_that_was_left_takes_its_turn_and_outlives_the_load() {
        let (mut dispatcher, reactor, mut counts) = terminals(&[10, 10, 50]);
        dispatcher.admit(111, &reactor, &mut counts);
        let (_, Wanted::Terminal(first)) = taken(&mut dispatcher, 0).expect("due") else {
            panic!("a terminal")
        };
        dispatcher.defer(111, first, 7, &reactor);
        dispatcher.release(first, 111);
        dispatcher.admit(112, &reactor, &mut counts);
        assert_eq!(taken(&mut dispatcher, 0), Some((110, Wanted::Terminal(1))), "it was due before");
        assert_eq!(taken(&mut dispatcher, 1), Some((111, Wanted::Deferred { worker: first, number: 7 })));
        assert_eq!(taken(&mut dispatcher, 1), Some((111, Wanted::Terminal(first))));
        assert_eq!(taken(&mut dispatcher, 1), Some((UNKNOWN, Wanted::Own)), "nothing is due: it waits");
        dispatcher.close(&reactor);
        dispatcher.defer(112, 1, 3, &reactor);
        dispatcher.release(1, 112);
        assert_eq!(taken(&mut dispatcher, 0), Some((112, Wanted::Deferred { worker: 1, number: 3 })));
        assert_eq!(taken(&mut dispatcher, 0), None, "terminals have gone home");
        assert_eq!((dispatcher.longest_deferred(), dispatcher.unserved_since(0)), (1, 0));
    }
}
