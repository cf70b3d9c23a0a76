//! Same seed, same statements of every (worker, number): whatever the threads, the load model and the interleaving.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::null::{Null, both};
use super::proxy::Proxy;
use crate::drive::succeed;

const CONNECTIONS: usize = 6;
/// Statements of one oltp_read_write transaction.
const STATEMENTS: usize = 20;

/// The statements of each connection by those of its first transaction, which differ from worker to worker.
fn streams(changes: Value) -> BTreeMap<Vec<u64>, Vec<u64>> {
    let null = Null::quiet();
    let proxy = Proxy::before(&null, None);
    let whole = json!({
        "target": {"socket": proxy.socket()},
        "workload": {"name": "oltp_read_write", "options": {"tables": 4, "table_size": 10_000}},
        "load": {"connections": CONNECTIONS},
        "phases": {"measure_ms": 0, "max_transactions": 240},
    });
    succeed(&null.job(both(whole, changes)));
    let streams = proxy.streams();
    assert_eq!(streams.len(), CONNECTIONS);
    streams.into_iter().map(|stream| (stream[..STATEMENTS].to_vec(), stream)).collect()
}

#[test]
fn statements_are_a_function_of_seed_worker_and_number() {
    let first = streams(json!({"engine": {"threads": 1}}));
    assert_eq!(first.len(), CONNECTIONS, "no two workers send the same");
    let others = [
        json!({"engine": {"threads": 2}}),
        json!({"engine": {"threads": 3}, "load": {"arrivals": {"kind": "poisson", "rate": 400.0}}}),
        json!({"load": {"think": {"kind": "exponential", "mean_ms": 2.0}}}),
    ];
    for changes in others {
        let other = streams(changes);
        for (beginning, stream) in &first {
            let same = other.get(beginning).expect("the same worker sends the same first transaction");
            let length = stream.len().min(same.len());
            assert!(length >= 2 * STATEMENTS, "something to compare");
            assert_eq!(stream[..length], same[..length]);
        }
    }
    let seeded = streams(json!({"seed": 8}));
    assert!(first.keys().all(|beginning| !seeded.contains_key(beginning)), "another seed, other statements");
}
