//! Memory: words of a block are read or written.

use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

use assay_chance::Rng;

use crate::block::Block;
use crate::error::MachineError;
use crate::spec::{MemoryAccess, MemoryOperation, MemoryScope};
use crate::work::{OnWork, Work};

/// Words that are touched between two turns of the loop.
const TOGETHER: usize = 8;
const STREAM: u64 = 0x6d65_6d6f;

/// The memory of all threads.
#[derive(Debug)]
pub(crate) struct Memory {
    blocks: Vec<Block>,
    operation: MemoryOperation,
    access: MemoryAccess,
    /// Events of all threads together; `None`: no limit.
    events: Option<u64>,
    threads: u32,
}

impl Memory {
    /// Memory for so many threads.
    ///
    /// # Errors
    /// The kernel has none left.
    pub(crate) fn new(
        (block_bytes, total_bytes): (u64, u64),
        scope: MemoryScope,
        (operation, access): (MemoryOperation, MemoryAccess),
        huge_pages: bool,
        threads: u32,
    ) -> Result<Self, MachineError> {
        let count = if scope == MemoryScope::Global { 1 } else { threads };
        let blocks = (0..count).map(|_| Block::new(block_bytes, huge_pages)).collect::<Result<_, _>>()?;
        let events = (total_bytes > 0).then(|| total_bytes / block_bytes);
        Ok(Self { blocks, operation, access, events, threads })
    }

    /// The events of one thread: a share of all, of which the first threads have the rest.
    pub(crate) fn limit(&self, thread: u32) -> Option<u64> {
        let threads = u64::from(self.threads);
        self.events.map(|events| events / threads + u64::from(u64::from(thread) < events % threads))
    }

    /// Bytes that an event reads or writes.
    pub(crate) fn event_bytes(&self) -> u64 {
        match self.operation {
            MemoryOperation::None => 0,
            _ => self.blocks[0].len() as u64 * crate::check::WORD,
        }
    }

    pub(crate) fn with_work<O: OnWork>(&self, thread: u32, seed: u64, on: O) -> O::Output {
        let words = self.blocks.get(thread as usize).unwrap_or(&self.blocks[0]);
        match self.operation {
            MemoryOperation::Read => self.ordered::<Read, O>(words, thread, seed, on),
            MemoryOperation::Write => self.ordered::<Write, O>(words, thread, seed, on),
            MemoryOperation::None => self.ordered::<Nothing, O>(words, thread, seed, on),
        }
    }

    fn ordered<T: Touch, O: OnWork>(&self, words: &[AtomicU64], thread: u32, seed: u64, on: O) -> O::Output {
        let operation = PhantomData::<T>;
        match self.access {
            MemoryAccess::Sequential => on.carry_out(Sequential { words, value: 0, operation }),
            MemoryAccess::Random => {
                let rng = Rng::keyed(&[STREAM, seed, thread.into()]);
                on.carry_out(Random { words, rng, operation })
            }
        }
    }
}

/// What happens to a word. Atomic accesses without order are plain instructions that no compiler leaves out or joins.
trait Touch {
    fn touch(word: &AtomicU64, value: u64) -> u64;
}

struct Read;
struct Write;
struct Nothing;

impl Touch for Read {
    #[inline]
    fn touch(word: &AtomicU64, _value: u64) -> u64 {
        word.load(Ordering::Relaxed)
    }
}

impl Touch for Write {
    #[inline]
    fn touch(word: &AtomicU64, value: u64) -> u64 {
        word.store(value, Ordering::Relaxed);
        0
    }
}

impl Touch for Nothing {
    #[inline]
    fn touch(_word: &AtomicU64, _value: u64) -> u64 {
        // The loop around it stays.
        compiler_fence(Ordering::SeqCst);
        0
    }
}

/// Every word of a block, from the first to the last.
struct Sequential<'a, T> {
    words: &'a [AtomicU64],
    value: u64,
    operation: PhantomData<T>,
}

impl<T: Touch> Work for Sequential<'_, T> {
    #[inline]
    fn event(&mut self) {
        self.value = self.value.wrapping_add(1);
        let mut read = 0u64;
        let groups = self.words.chunks_exact(TOGETHER);
        let rest = groups.remainder();
        for group in groups {
            for word in group {
                read ^= T::touch(word, self.value);
            }
        }
        for word in rest {
            read ^= T::touch(word, self.value);
        }
        black_box(read);
    }
}

/// Touches as many words as a block has, each drawn from all of them.
struct Random<'a, T> {
    words: &'a [AtomicU64],
    rng: Rng,
    operation: PhantomData<T>,
}

impl<T: Touch> Work for Random<'_, T> {
    #[inline]
    fn event(&mut self) {
        let count = self.words.len() as u64;
        let mut read = 0u64;
        for value in 0..count {
            let word = black_box(self.rng.below(count)) as usize;
            read ^= T::touch(&self.words[word], value);
        }
        black_box(read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(scope: MemoryScope, operation: MemoryOperation, access: MemoryAccess, threads: u32) -> Memory {
        Memory::new((1024, 10_000), scope, (operation, access), false, threads).unwrap()
    }

    struct Events(u64);

    impl OnWork for Events {
        type Output = ();

        fn carry_out<W: Work>(self, mut work: W) {
            (0..self.0).for_each(|_| work.event());
        }
    }

    fn content(memory: &Memory, block: usize) -> Vec<u64> {
        memory.blocks[block].iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn the_whole_is_shared_among_threads_to_the_last_block() {
        for threads in [1, 2, 3, 4, 5, 20] {
            let memory =
                memory(MemoryScope::Global, MemoryOperation::Write, MemoryAccess::Sequential, threads);
            let limits: Vec<u64> = (0..threads).map(|thread| memory.limit(thread).unwrap()).collect();
            assert_eq!(limits.iter().sum::<u64>(), 10_000 / 1024, "{limits:?}");
            assert!(limits.iter().max().unwrap() - limits.iter().min().unwrap() <= 1, "{limits:?}");
        }
    }

    #[test]
    fn writes_reach_every_word_of_the_block_that_they_are_meant_for() {
        let local = memory(MemoryScope::Local, MemoryOperation::Write, MemoryAccess::Sequential, 2);
        let untouched = content(&local, 0);
        local.with_work(1, 7, Events(3));
        assert_eq!(content(&local, 1), vec![3; 128]);
        assert_eq!(content(&local, 0), untouched);
        let global = memory(MemoryScope::Global, MemoryOperation::Write, MemoryAccess::Sequential, 2);
        global.with_work(1, 7, Events(1));
        assert_eq!((content(&global, 0), global.blocks.len()), (vec![1; 128], 1));
    }

    #[test]
    fn random_writes_reach_words_all_over_the_block() {
        let one = memory(MemoryScope::Global, MemoryOperation::Write, MemoryAccess::Random, 1);
        let before: Vec<u64> = content(&one, 0);
        one.with_work(0, 7, Events(1));
        let changed = content(&one, 0).iter().zip(&before).filter(|(now, before)| now != before).count();
        // Of 128 draws from 128 words, 1 - 1/e are expected to be hit.
        assert!((60..=105).contains(&changed), "{changed}");
        one.with_work(0, 8, Events(20));
        let untouched = content(&one, 0).iter().zip(&before).filter(|(now, before)| now == before).count();
        assert!(untouched < 10, "{untouched}");
    }

    #[test]
    fn reading_and_nothing_change_nothing() {
        for operation in [MemoryOperation::Read, MemoryOperation::None] {
            for access in [MemoryAccess::Sequential, MemoryAccess::Random] {
                let one = memory(MemoryScope::Global, operation, access, 1);
                let before = content(&one, 0);
                one.with_work(0, 1, Events(5));
                assert_eq!(content(&one, 0), before);
                assert_eq!(one.event_bytes(), if operation == MemoryOperation::None { 0 } else { 1024 });
            }
        }
    }
}
