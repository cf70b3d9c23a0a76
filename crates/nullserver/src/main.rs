//! A MySQL server that answers from memory, with injected delays and faults.

fn main() {}
