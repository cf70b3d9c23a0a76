//! `ycsb`: the core workloads A to F of the Yahoo! Cloud Serving Benchmark.
//!
//! Source: Cooper, Silberstein, Tam, Ramakrishnan, Sears, "Benchmarking Cloud Serving Systems with YCSB", SoCC 2010; the
//! core properties of YCSB 0.17 and the table and statements of its JDBC binding. Options have the names of those
//! properties. What differs:
//!
//! - **Inserts.** YCSB numbers new records with one counter for all threads. Here operation n of a connection must be the
//!   same whatever the others do, so each connection has every W-th number (W of them), from the first that no run before
//!   has used; a table of notes keeps that one. Numbers are unique, and there are gaps where connections were not equally
//!   fast: keys are hashed, so that gaps cost nothing.
//! - **Latest** goes back from the newest record that a connection knows: those it inserted, newest first, then those of
//!   the load. YCSB's goes back from the newest of all threads.
//! - **Zipfian** draws among the records of the load, of fixed number, so that the popular ones stay the same. YCSB adds
//!   twice the inserts that it expects and draws again where a record is not there yet.
//! - Zipf's law is exact (rejection-inversion) where YCSB calculates it by an approximation. As there it is drawn over 10^10
//!   ranks, and a rank's FNV hash says which record it is: the hottest gets 3.8 % of the requests however many there are.

mod data;
mod keys;
mod options;
mod requests;
#[cfg(test)]
mod tests;
mod workload;

pub(crate) use self::workload::Ycsb;
