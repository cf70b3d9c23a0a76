//! Checks of a load for what its types cannot say.

use crate::spec::MachineLoad;

/// Bytes of a word, the unit of access.
pub(crate) const WORD: u64 = 8;
/// The highest limit of primes: an event below it ends within days, and its roots are exact.
const MOST_PRIME: u64 = 1 << 32;

/// Checks a load.
///
/// # Errors
/// A number out of range; the message names its key.
pub fn check(load: &MachineLoad) -> Result<(), String> {
    match load {
        MachineLoad::Cpu { max_prime } => within("max_prime", *max_prime, 3, MOST_PRIME),
        MachineLoad::Memory { block_bytes, total_bytes, .. } => {
            within("block_bytes", *block_bytes, WORD, 1 << 46)?;
            if block_bytes % WORD != 0 {
                return Err(format!("block_bytes: must be a multiple of {WORD}, not {block_bytes}"));
            }
            if *total_bytes > 0 && total_bytes < block_bytes {
                return Err(format!(
                    "total_bytes: must be at least one block of {block_bytes} bytes, not {total_bytes}"
                ));
            }
            Ok(())
        }
        MachineLoad::Threads { yields: _, locks } => within("locks", (*locks).into(), 1, 1 << 20),
        MachineLoad::Mutex { mutexes, locks, loops: _ } => {
            within("mutexes", (*mutexes).into(), 1, 1 << 24)?;
            within("locks", *locks, 1, u64::MAX)
        }
    }
}

fn within(key: &str, number: u64, least: u64, most: u64) -> Result<(), String> {
    if (least..=most).contains(&number) {
        Ok(())
    } else {
        Err(format!("{key}: must be from {least} to {most}, not {number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{MemoryAccess, MemoryOperation, MemoryScope};

    fn memory(block_bytes: u64, total_bytes: u64) -> MachineLoad {
        MachineLoad::Memory {
            block_bytes,
            total_bytes,
            scope: MemoryScope::Global,
            operation: MemoryOperation::Write,
            access: MemoryAccess::Sequential,
            huge_pages: false,
        }
    }

    #[test]
    fn a_number_out_of_range_is_named() {
        let table = [
            (MachineLoad::Cpu { max_prime: 2 }, "max_prime: must be from 3"),
            (MachineLoad::Cpu { max_prime: (1 << 32) + 1 }, "max_prime"),
            (memory(0, 0), "block_bytes: must be from 8"),
            (memory(1001, 0), "block_bytes: must be a multiple of 8"),
            (memory(1024, 1000), "total_bytes: must be at least one block of 1024 bytes"),
            (MachineLoad::Threads { yields: 1, locks: 0 }, "locks: must be from 1"),
            (MachineLoad::Mutex { mutexes: 0, locks: 1, loops: 0 }, "mutexes"),
            (MachineLoad::Mutex { mutexes: 1, locks: 0, loops: 0 }, "locks"),
        ];
        for (load, words) in table {
            let wrong = check(&load).unwrap_err();
            assert!(wrong.contains(words), "{load:?}: {wrong}");
        }
    }

    #[test]
    fn what_is_right_passes() {
        for load in [
            MachineLoad::Cpu { max_prime: 3 },
            memory(8, 8),
            memory(1 << 20, 0),
            MachineLoad::Threads { yields: 0, locks: 1 },
            MachineLoad::Mutex { mutexes: 1, locks: 1, loops: 0 },
        ] {
            assert_eq!(check(&load), Ok(()), "{load:?}");
        }
    }
}
