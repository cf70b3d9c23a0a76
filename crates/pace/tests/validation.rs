//! Shapes as a job file writes them, and what is refused with which words.

use assay_pace::{Arrivals, Schedule, Share, parse_trace};

fn parse(json: &str) -> Arrivals {
    serde_json::from_str(json).unwrap()
}

#[test]
fn every_kind_reads_from_a_job() {
    for json in [
        r#"{"kind":"constant","rate":100}"#,
        r#"{"kind":"poisson","rate":100}"#,
        r#"{"kind":"ramp","from":0,"to":100,"duration_ms":1000}"#,
        r#"{"kind":"step","steps":[{"rate":1,"duration_ms":1000},{"rate":0,"duration_ms":5}]}"#,
        r#"{"kind":"wave","mean":10,"amplitude":10,"period_ms":60000}"#,
        r#"{"kind":"trace","instants_ns":[0,1,1]}"#,
    ] {
        let arrivals = parse(json);
        assert!(Schedule::new(&arrivals, 0, Share::WHOLE).unwrap().next().is_some(), "{json}");
        let again = serde_json::to_string(&arrivals).unwrap();
        assert_eq!(parse(&again), arrivals);
    }
    assert!(serde_json::from_str::<Arrivals>(r#"{"kind":"constant","rate":1,"rat":2}"#).is_err());
}

#[test]
fn bad_shapes_name_the_key() {
    for (json, words) in [
        (r#"{"kind":"constant","rate":0}"#, "`rate` is 0, but must be a number from"),
        (r#"{"kind":"constant","rate":-5}"#, "`rate` is -5"),
        (r#"{"kind":"poisson","rate":1e9}"#, "`rate` is 1000000000"),
        (r#"{"kind":"ramp","from":-1,"to":1,"duration_ms":1}"#, "`from` is -1"),
        (r#"{"kind":"ramp","from":1,"to":1,"duration_ms":0}"#, "`duration_ms` must be at least 1 ms"),
        (r#"{"kind":"ramp","from":0,"to":0,"duration_ms":9}"#, "every rate is 0"),
        (r#"{"kind":"step","steps":[]}"#, "`steps` is empty"),
        (r#"{"kind":"step","steps":[{"rate":0,"duration_ms":9}]}"#, "every rate is 0"),
        (
            r#"{"kind":"step","steps":[{"rate":1,"duration_ms":9},{"rate":-1,"duration_ms":9}]}"#,
            "`steps[1].rate` is -1",
        ),
        (r#"{"kind":"wave","mean":5,"amplitude":6,"period_ms":9}"#, "`amplitude` 6 is above `mean` 5"),
        (r#"{"kind":"wave","mean":5,"amplitude":1,"period_ms":99999999999999}"#, "more than a year"),
        (r#"{"kind":"trace","instants_ns":[]}"#, "`instants_ns` is empty"),
        (r#"{"kind":"trace","instants_ns":[1,3,2]}"#, "`instants_ns`[2] is earlier"),
        (r#"{"kind":"trace_file","path":"/a/trace"}"#, "/a/trace has not been read"),
    ] {
        let error = Schedule::new(&parse(json), 0, Share::WHOLE).unwrap_err().to_string();
        assert!(error.contains(words), "{json}: {error}");
    }
    for rate in [f64::NAN, f64::INFINITY] {
        assert!(Schedule::new(&Arrivals::Constant { rate }, 0, Share::WHOLE).is_err());
    }
}

#[test]
fn a_trace_file_is_one_instant_a_line() {
    assert_eq!(parse_trace("# ns\n0\n 5 # five\n\n1000000000\n"), Ok(vec![0, 5, 1_000_000_000]));
    for (text, words) in [("1\n2.5\n", "line 2 is `2.5`"), ("2\n1\n", "is earlier"), ("# none\n", "is empty")]
    {
        let error = parse_trace(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}
