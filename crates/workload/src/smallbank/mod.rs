//! `smallbank`: customers with a savings and a checking account, and a hot spot among them.
//!
//! Source: Alomari, Cahill, Fekete, Röhm, "The Cost of Serializability on Platforms That Use Snapshot Isolation", ICDE 2008;
//! SendPayment, the sizes and the fixed amounts come from the versions of H-Store and OLTP-Bench (Difallah, Pavlo, Curino,
//! Cudré-Mauroux, VLDB 2013). Money is exact: DECIMAL with two digits, whole cents here.
//!
//! The paper wrote it for servers that refuse the second of two transactions which change the same row (first updater
//! wins), where an update may rest on a plain read. InnoDB has that rule at REPEATABLE READ where MariaDB's
//! `innodb_snapshot_isolation` is on, and not elsewhere: so the balances that a change rests on are read with FOR UPDATE. With
//! `read_locks = off` they are read as the paper has it, and at REPEATABLE READ or READ COMMITTED money gets lost.
//!
//! **Is money lost?** Amalgamate and SendPayment move money; the others bring it in or take it out. With `ledger = on` each
//! transaction that does so adds its amount to its connection's row of table `ledger`, whose row 0 is what the load made, and
//! `check` compares the sum of all balances with the sum of the ledger. That costs such a transaction one statement more, of
//! a row that no other connection touches, and is no part of the benchmark: off by default.

mod data;
mod options;
#[cfg(test)]
mod tests;
mod transactions;
mod workload;

pub(crate) use self::workload::SmallBank;
