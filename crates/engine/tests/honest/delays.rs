//! Injected delays: percentiles are those of the delays that were drawn.

use assay_nullserver::{Behaviour, fault::Delay};
use serde_json::json;

use super::canary::Canary;
use super::null::{MS, Null, both, in_a_quiet_moment, near, times, transactions};
use crate::drive::succeed;

// Long delays on many connections: what a busy machine adds is small beside them.
const CONNECTIONS: u32 = 64;
const EACH: u64 = 16;

fn compare(delay: Delay) {
    // One event loop for each connection: their shares of the transactions are equal, so the plan says exactly which
    // delays were drawn. Who thinks does not ask in step with the others, whose answers would wait for each other.
    let job = json!({
        "load": {"connections": CONNECTIONS, "think": {"kind": "exponential", "mean_ms": 50.0}},
        "engine": {"threads": CONNECTIONS},
    });
    let job = both(transactions(u64::from(CONNECTIONS) * EACH), job);
    in_a_quiet_moment(|| {
        let behaviour = Behaviour { seed: 5, delay: Some(delay), ..Behaviour::default() };
        let null = Null::start(behaviour);
        let canary = Canary::start();
        let said = succeed(&null.job(job.clone()));
        let late = canary.end();
        // Number 1 asked for the server's limits, the session and the counters, and number 2 for the extent of the tables.
        let connections = 3..3 + CONNECTIONS;
        let fates = connections.flat_map(|one| (1..=EACH).map(move |number| behaviour.fate(one, number)));
        let mut drawn: Vec<u64> = fates.map(|fate| fate.delay_ns).collect();
        drawn.sort_unstable();

        let service = times(said.result(), "service");
        assert_eq!(service.count(), drawn.len() as u64);
        let resolution =
            null.count("Assay_alarm_lateness_ns") as f64 / null.count("Assay_alarms") as f64 + 1e5;
        for quantile in [0.5, 0.75, 0.9, 0.95, 0.99, 0.999] {
            let rank = (quantile * drawn.len() as f64).ceil() as usize;
            let (truth, seen) = (drawn[rank - 1], service.quantile_ns(quantile));
            assert!(
                seen as f64 >= truth as f64 * 0.999,
                "{quantile}: {seen} of {truth}: no answer comes early"
            );
            // Of answers whose delays are equal, any may stand at this rank, but few of the latest.
            let added = 2.0 * (resolution + late.quantile_ns(quantile.max(0.9)));
            near(&format!("{quantile}"), seen as f64, truth as f64, 0.02, added)?;
        }
        let mean = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        near("mean", service.mean_ns(), mean, 0.02, 2.0 * (resolution + late.mean_ns()))
    });
}

#[test]
fn exponential() {
    compare(Delay::Exponential { mean_ns: 200 * MS });
}

#[test]
fn bimodal() {
    compare(Delay::Bimodal { first_ns: 150 * MS, second_ns: 900 * MS, probability: 0.15 });
}
