//! What a load on the machine is: the part of a job file that says what an event does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The work of one event. Defaults are those of sysbench's test of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum MachineLoad {
    /// Processors: an event counts the primes below a limit by trial division.
    Cpu {
        #[serde(default = "default_max_prime")]
        max_prime: u64,
    },
    /// Memory: an event touches one block, a word of 64 bits after the other.
    Memory {
        /// Bytes of a block, a multiple of 8.
        #[serde(default = "default_block_bytes")]
        block_bytes: u64,
        /// Bytes of all events together, in whole blocks; 0: no limit.
        #[serde(default = "default_total_bytes")]
        total_bytes: u64,
        #[serde(default)]
        scope: MemoryScope,
        #[serde(default)]
        operation: MemoryOperation,
        #[serde(default)]
        access: MemoryAccess,
        /// Whether blocks lie in huge pages, which the machine must have set aside.
        #[serde(default)]
        huge_pages: bool,
    },
    /// The scheduler: an event takes a lock, lets other threads run, and gives the lock back, again and again.
    Threads {
        /// How often an event does that.
        #[serde(default = "default_yields")]
        yields: u64,
        /// Number of locks; events take them in turn.
        #[serde(default = "default_locks")]
        locks: u32,
    },
    /// Mutexes: each thread has one event, which takes random ones of an array of mutexes.
    Mutex {
        /// Number of mutexes in the array.
        #[serde(default = "default_mutexes")]
        mutexes: u32,
        /// How many mutexes an event takes, one after the other.
        #[serde(default = "default_mutex_locks")]
        locks: u64,
        /// Turns of an empty loop before each of them.
        #[serde(default = "default_loops")]
        loops: u64,
    },
}

/// The owner of a memory block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryScope {
    /// All threads share one.
    #[default]
    Global,
    /// Each thread has its own.
    Local,
}

/// What happens to a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryOperation {
    Read,
    #[default]
    Write,
    /// Nothing: what is left is the loop itself.
    None,
}

/// The order in which the words of a block are touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryAccess {
    /// From the first to the last.
    #[default]
    Sequential,
    /// Each word is drawn from all of the block, as often as it has words.
    Random,
}

fn default_max_prime() -> u64 {
    10_000
}
fn default_block_bytes() -> u64 {
    1 << 10
}
fn default_total_bytes() -> u64 {
    100 << 30
}
fn default_yields() -> u64 {
    1_000
}
fn default_locks() -> u32 {
    8
}
fn default_mutexes() -> u32 {
    4_096
}
fn default_mutex_locks() -> u64 {
    50_000
}
fn default_loops() -> u64 {
    10_000
}
