//! What a person has, before it is a load: statements of logs and files, read; a file of statements, tried.

pub(crate) mod check;
mod dry;
pub(crate) mod rehearsal;
mod rows;
pub(crate) mod statements;

/// FNV-1a: two values that differ have two numbers, nearly always.
fn hash_of(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
