//! The measuring engine: job in, events out.

fn main() {}
