//! Action `machine`: a load on the machine itself, an event after the other in every thread.

mod collector;
mod conclude;
mod limits;
mod message;
mod queue;
mod thread;

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread as threads;

use assay_format::event::{Event, Phase, PhaseStart};
use assay_format::job::MachineJob;
use assay_machine::{MachineLoad, Shared};

use crate::course::conductor::Conductor;
use crate::course::orders::Orders;
use crate::course::timeline::Control;
use crate::machine::collector::Collector;
use crate::machine::conclude::conclude;
use crate::machine::limits::{Limits, Tickets};
use crate::machine::message::{Message, ThreadEnd};
use crate::machine::queue::{Line, Queue};
use crate::machine::thread::{Around, Drive, Spares};
use crate::process::clock::{Clock, ns};
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::say::emit::emit;
use crate::say::hello::hello;

/// Bytes of a thread's stack: its data is elsewhere.
const STACK: usize = 256 * 1024;

/// Carries the job out; returns the exit code.
///
/// # Errors
/// The job is wrong, or the machine lacks memory or threads for it.
pub(crate) fn run(job: &MachineJob, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    let count = job.threads;
    hello(clock, job.seed, count as usize, count, name(&job.machine), Vec::new());
    emit(&Event::Phase(PhaseStart { phase: Phase::Connect, start_ns: clock.now(), planned_ms: None }));
    let line = job.arrivals.as_ref().map(|arrivals| Line::new(arrivals, job.seed));
    let line = line.transpose().map_err(|wrong| Fatal::job(format!("arrivals: {wrong}")))?;
    let shared = Shared::new(&job.machine, count)
        .map_err(|error| Fatal::host(error.to_string()).hint(error.hint()))?;
    let shared = Arc::new(shared);
    let queue = line.clone().map(|line| Arc::new(Queue::new(line)));
    let tickets = Tickets::of(job.phases.max_transactions);
    let control = Arc::new(Control::default());
    let spares = Spares::default();
    let (messages, inbox) = channel();
    let mut handles = Vec::new();
    for thread in 0..count {
        let around = Around {
            thread: thread as usize,
            clock,
            control: control.clone(),
            messages: messages.clone(),
            spares: spares.clone(),
            interval_ns: ns(job.phases.interval_ms),
            limits: Limits::new(tickets.clone(), shared.limit(thread)),
            queue: queue.clone(),
        };
        let (shared, control, messages, seed) = (shared.clone(), control.clone(), messages.clone(), job.seed);
        let stop = control.clone();
        let body = move || {
            let ended = caught(|| shared.with_work(thread, seed, Drive::new(around)));
            let end = ended.unwrap_or_else(|fatal| {
                control.abort();
                let _ = messages.send(Message::Fatal(fatal));
                ThreadEnd::nothing(thread as usize)
            });
            let _ = messages.send(Message::End(Box::new(end)));
        };
        let spawned = threads::Builder::new().name(format!("load-{thread}")).stack_size(STACK).spawn(body);
        handles.push(spawned.map_err(|error| {
            stop.abort();
            Fatal::host(format!("cannot start thread {thread} of {count}: {error}"))
                .hint("use fewer threads, or raise the limit of processes (ulimit -u)")
        })?);
    }
    drop(messages);
    let collector = Collector::new(count, line, shared.event_bytes(), spares);
    let parts = count as usize;
    let mut conductor = Conductor::new(collector, parts, &job.phases, clock, control, inbox, orders);
    // Threads whose event does not end are left behind: the process ends with them.
    if conductor.conduct() {
        for handle in handles {
            // A panic in it was caught, and is the job's error by now.
            let _ = handle.join();
        }
    }
    let unwanted = tickets.is_some_and(|tickets| tickets.all_taken());
    let queue = queue.filter(|_| !unwanted);
    conclude(conductor, queue.as_deref())
}

/// The name of a load, which is that of sysbench's test.
fn name(load: &MachineLoad) -> &'static str {
    match load {
        MachineLoad::Cpu { .. } => "cpu",
        MachineLoad::Memory { .. } => "memory",
        MachineLoad::Threads { .. } => "threads",
        MachineLoad::Mutex { .. } => "mutex",
    }
}
