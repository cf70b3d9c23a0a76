//! Closed loop: each connection is a terminal, whose next operation begins when the one before and a pause are over.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::Poll;

use assay_tally::Scheduled;

use super::{Admitted, Asked, Discipline, Part, Properties, Wanted, Work};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

#[derive(Debug, Clone, Copy)]
enum Pause {
    None,
    Lasts,
    /// A pause that ended at this instant, by the plan.
    Over(u64),
}

pub struct Closed {
    /// By connection; none where there are no pauses, which saves looking.
    pauses: Box<[Pause]>,
    ends: BinaryHeap<Reverse<(u64, TaskId)>>,
    closed: bool,
}

impl Discipline for Closed {
    fn chosen(asked: &Asked<'_>) -> Result<Option<Properties>, Fatal> {
        let load = &asked.job.load;
        Ok(Some(Properties {
            times: Scheduled::Nothing,
            keeps_schedule: false,
            fills_connections: true,
            serves_alike: true,
            gives_way: true,
            terminals: load.connections,
            meant: asked.meant,
            shared: false,
            paced: load.think.is_some() || asked.own_pace,
        }))
    }

    fn new(_job: &Job, load: &Properties, part: &Part) -> Result<Self, Fatal> {
        let pausing = if load.paced { part.connections as usize } else { 0 };
        let pauses = vec![Pause::None; pausing].into_boxed_slice();
        Ok(Self { pauses, ends: BinaryHeap::with_capacity(pausing), closed: false })
    }

    /// Pauses begin with the load, each by the connection's own clock reading.
    fn begin(&mut self, _start: u64) {}

    #[inline]
    fn admit(&mut self, limit: u64, mut wake: impl FnMut(TaskId)) -> Admitted {
        while let Some(&Reverse((end, connection))) = self.ends.peek()
            && end < limit
        {
            self.ends.pop();
            self.pauses[connection as usize] = Pause::Over(end);
            wake(connection);
        }
        Admitted::default()
    }

    fn wanted(&self) -> u64 {
        self.ends.peek().map_or(UNKNOWN, |Reverse((end, _))| *end)
    }

    #[inline]
    fn next(&mut self, connection: TaskId, now: u64) -> Poll<Option<Work>> {
        if self.closed {
            return Poll::Ready(None);
        }
        let mut work = Work { scheduled: now, prompt: false, wanted: Wanted::Own };
        if let Some(pause) = self.pauses.get_mut(connection as usize) {
            match *pause {
                Pause::None => {}
                Pause::Lasts => return Poll::Pending,
                Pause::Over(end) => work = Work { scheduled: end, prompt: true, ..work },
            }
            *pause = Pause::None;
        }
        Poll::Ready(Some(work))
    }

    fn wants(&mut self, terminal: u32, due: u64) -> bool {
        self.pauses[terminal as usize] = Pause::Lasts;
        self.ends.push(Reverse((due, terminal)));
        true
    }

    fn close(&mut self, mut wake: impl FnMut(TaskId)) {
        self.closed = true;
        self.ends.drain().for_each(|Reverse((_, connection))| wake(connection));
    }
}
