//! A server that stands still 200 ms in each second: what a closed loop cannot see and an open one must.

use assay_nullserver::{Behaviour, fault::Freeze};
use serde_json::json;

use super::null::{MS, Null, in_a_quiet_moment, near, side_by_side, times};

/// 20 % of the arrivals wait uniformly between 0 and 200 ms, the others not at all. A busy machine makes them wait longer,
/// never shorter: how much longer, the same load tells that runs beside it on a server that never freezes.
#[test]
fn response_times_are_those_of_the_closed_form() {
    let load = || {
        json!({
            "load": {"connections": 64, "arrivals": {"kind": "constant", "rate": 1000.0}},
            // The first second of the null server is never frozen; whole periods, wherever they begin.
            "phases": {
                "warmup": {"kind": "fixed", "duration_ms": 1000}, "measure_ms": 5000, "interval_ms": 1000,
            },
        })
    };
    let free = Null::quiet();
    let freeze = Some(Freeze { length_ns: 200 * MS, every_ns: 1000 * MS });
    let null = Null::start(Behaviour { freeze, ..Behaviour::default() });
    in_a_quiet_moment(|| {
        let (frozen, undisturbed) = side_by_side(&null.job(load()), &free.job(load()));
        let undisturbed = times(undisturbed.result(), "response");
        let noise = |quantile| 1e6 + 3.0 * undisturbed.quantile_ns(quantile) as f64;
        let response = times(frozen.result(), "response");
        assert_eq!(response.count(), 5000);
        near("p50", response.quantile_ns(0.50) as f64, 0.0, 0.0, noise(0.50))?;
        near("p95", response.quantile_ns(0.95) as f64, 150e6, 0.02, noise(0.95))?;
        near("p99", response.quantile_ns(0.99) as f64, 190e6, 0.02, noise(0.99))?;
        near("mean", response.mean_ns(), 20e6, 0.02, 3.0 * undisturbed.mean_ns())
    });
}
