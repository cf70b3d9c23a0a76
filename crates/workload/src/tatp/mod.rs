//! `tatp`: the Telecommunication Application Transaction Processing benchmark, a register of a mobile network's subscribers.
//!
//! Source: "TATP Benchmark Description", version 1.0, IBM Software Group, March 2009 (before it, Nokia's Network Database
//! Benchmark). Many short transactions: 80 % read, 20 % change, most of one statement by key.
//!
//! Some transactions find nothing by design: an access info, a facility or a forwarding that the subscriber does not have.
//! That is a result, not an error, and it counts. An INSERT_CALL_FORWARDING that meets a row of the same key, or a facility
//! that is not there, is refused; such a transaction is no error either, but does not count for the benchmark's measure,
//! the mean qualified throughput (MQTh): counter `qualified` has the transactions that do. By the population rules 62.5 % of
//! the GET_ACCESS_DATAs and UPDATE_SUBSCRIBER_DATAs find a row, 31.25 % of the two of call_forwarding do what they are for, and
//! on fresh tables 14.8 % of the GET_NEW_DESTINATIONs find a number: more later, since what is inserted may last longer.
//!
//! What differs from the description:
//!
//! - The insert is `INSERT IGNORE`, and its affected rows tell whether it was refused: the server checks the same keys and
//!   takes the same locks, and sends a warning in place of an error.
//! - UPDATE_SUBSCRIBER_DATA adds 1 to 255 to data_a, modulo 256, in place of a random value, which is as random: affected rows
//!   count what has changed, and would take an old value written again for a missing row.

mod data;
mod options;
mod population;
#[cfg(test)]
mod tests;
mod workload;

pub(crate) use self::workload::Tatp;
