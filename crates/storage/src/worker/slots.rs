//! The slots of a worker: places for operations in flight.

use crate::pattern::Request;

/// An operation from its start to its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub request: Request,
    pub scheduled: u64,
    pub started: u64,
    pub submitted: u64,
    pub prompt: bool,
    pub sequence: u64,
}

/// A worker's slots: free, in line, or in flight.
#[derive(Debug)]
pub(super) struct Slots {
    operations: Box<[Operation]>,
    free: Vec<u32>,
    line: Vec<u32>,
}

impl Slots {
    pub(super) fn new(depth: u32) -> Self {
        let request = Request { read: true, file: 0, offset: 0, bytes: 0 };
        let idle = Operation { request, scheduled: 0, started: 0, submitted: 0, prompt: false, sequence: 0 };
        Self {
            operations: vec![idle; depth as usize].into_boxed_slice(),
            // The slot that was freed last is taken first: its buffer is the warmest.
            free: (0..depth).rev().collect(),
            line: Vec::with_capacity(depth as usize),
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.operations.len() as u32
    }

    #[inline]
    pub(super) fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        (self.operations.len() - self.free.len()) as u32
    }

    #[inline]
    pub(super) fn queued(&self) -> u32 {
        self.line.len() as u32
    }

    #[inline]
    pub(super) fn take(
        &mut self,
        request: Request,
        scheduled: u64,
        started: u64,
        prompt: bool,
        sequence: u64,
    ) -> u32 {
        let slot = self.free.pop().expect("asked only when there is room");
        let submitted = started;
        self.operations[slot as usize] =
            Operation { request, scheduled, started, submitted, prompt, sequence };
        self.line.push(slot);
        slot
    }

    /// Marks the operations in line as handed over at `submitted`, and returns their number.
    #[inline]
    pub(super) fn handed_over(&mut self, submitted: u64) -> u32 {
        for slot in &self.line {
            self.operations[*slot as usize].submitted = submitted;
        }
        let count = self.line.len() as u32;
        self.line.clear();
        count
    }

    #[inline]
    pub(super) fn give_back(&mut self, slot: u32) -> Operation {
        // Without a queue nothing is handed over apart.
        if self.line.len() == 1 && self.line[0] == slot {
            self.line.clear();
        }
        self.free.push(slot);
        self.operations[slot as usize]
    }

    pub(super) fn request(&self, slot: u32) -> Request {
        self.operations[slot as usize].request
    }
}
