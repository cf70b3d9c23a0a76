//! Random numbers, against goldens and theory: one program of tests.

mod permutation;
mod streams;
mod zipf;
