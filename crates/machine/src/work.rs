//! The work of threads: what each does in an event, and what all of them share.

use crate::cpu::Primes;
use crate::error::MachineError;
use crate::memory::Memory;
use crate::mutex::Mutexes;
use crate::spec::MachineLoad;
use crate::yields::{Turnstiles, Yields};

/// One thread's work.
pub trait Work {
    /// Does the work of one event.
    fn event(&mut self);
}

/// Something to be done with one thread's work, whose type decides what the compiler makes of the loop around it.
pub trait OnWork {
    type Output;

    fn carry_out<W: Work>(self, work: W) -> Self::Output;
}

/// What all threads of a load share.
pub struct Shared(Kind);

enum Kind {
    Cpu { max_prime: u64 },
    Memory(Memory),
    Threads(Turnstiles),
    Mutex(Mutexes),
}

impl Shared {
    /// What `threads` threads share; the load must have been [checked](crate::check).
    ///
    /// # Errors
    /// The machine lacks the memory.
    pub fn new(load: &MachineLoad, threads: u32) -> Result<Self, MachineError> {
        Ok(Self(match load {
            MachineLoad::Cpu { max_prime } => Kind::Cpu { max_prime: *max_prime },
            MachineLoad::Memory { block_bytes, total_bytes, scope, operation, access, huge_pages } => {
                let (bytes, touch) = ((*block_bytes, *total_bytes), (*operation, *access));
                Kind::Memory(Memory::new(bytes, *scope, touch, *huge_pages, threads)?)
            }
            MachineLoad::Threads { yields, locks } => Kind::Threads(Turnstiles::new(*locks, *yields)),
            MachineLoad::Mutex { mutexes, locks, loops } => {
                Kind::Mutex(Mutexes::new(*mutexes, *locks, *loops))
            }
        }))
    }

    /// The number of events that the load itself gives a thread; `None`: as many as there is time for.
    pub fn limit(&self, thread: u32) -> Option<u64> {
        match &self.0 {
            Kind::Memory(memory) => memory.limit(thread),
            Kind::Mutex(_) => Some(1),
            Kind::Cpu { .. } | Kind::Threads(_) => None,
        }
    }

    /// Bytes of memory that an event reads or writes.
    pub fn event_bytes(&self) -> u64 {
        match &self.0 {
            Kind::Memory(memory) => memory.event_bytes(),
            _ => 0,
        }
    }

    /// Does something with the work of a thread. The same seed draws the same random numbers.
    pub fn with_work<O: OnWork>(&self, thread: u32, seed: u64, on: O) -> O::Output {
        match &self.0 {
            Kind::Cpu { max_prime } => on.carry_out(Primes { limit: *max_prime }),
            Kind::Memory(memory) => memory.with_work(thread, seed, on),
            Kind::Threads(shared) => on.carry_out(Yields { shared }),
            Kind::Mutex(shared) => on.carry_out(shared.work(thread, seed)),
        }
    }
}
