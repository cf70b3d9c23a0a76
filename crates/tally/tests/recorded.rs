//! Histograms of random times as the engine writes them, each with its figures: Python reads the same file
//! (`tests/tally/test_engine_histograms.py`) and must find the figures in it.

use assay_tally::Histogram;
use serde_json::json;

/// Shares of which the percentiles are written down.
const SHARES: [f64; 8] = [0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0];

/// Random numbers that are the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// Some thousand times at most around some instants of any size, with ties.
fn random(random: &mut Random) -> Histogram {
    let mut histogram = Histogram::default();
    for _ in 0..random.below(12) {
        let around = random.next() >> (20 + random.below(44));
        let spread = around >> random.below(12);
        for _ in 0..1 << random.below(9) {
            let ns = around + random.below(spread + 1);
            for _ in 0..1 << random.below(4) {
                histogram.record(ns);
            }
        }
    }
    histogram
}

#[test]
fn histograms_are_written_as_they_were_and_their_figures_with_them() {
    let mut numbers = Random(0x9e37_79b9_7f4a_7c15);
    let lines = (0..60).map(|_| {
        let histogram = random(&mut numbers);
        let percentiles = SHARES.iter().map(|share| (share.to_string(), histogram.quantile_ns(*share)));
        let line = json!({
            "text": histogram.encode(),
            "count": histogram.count(),
            "min": histogram.quantile_ns(0.0),
            "max": histogram.max_ns(),
            "mean": histogram.mean_ns(),
            "percentiles": percentiles.collect::<std::collections::BTreeMap<_, _>>(),
        });
        line.to_string()
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("histograms", lines);
}
