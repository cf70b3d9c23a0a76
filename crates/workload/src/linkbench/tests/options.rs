//! Options that cannot be, and tables that are not those of the options.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Value, json};

use crate::testing::{Send, with};
use crate::{Driver, Visitor};

#[rstest]
#[case(json!({"maxid1": 5, "startid1": 5}), "maxid1 must be above startid1, but they are 5 and 5")]
#[case(json!({"startid1": 0}), "startid1 must be at least 1, not 0")]
#[case(json!({"addlink": 9.0}), "the shares addlink, deletelink")]
#[case(json!({"read_function": "zipff"}), "read_function is \"zipff\"; there are zipf, uniform")]
#[case(json!({"write_uncorr_shape": 1.0}), "write_uncorr_shape must be above 0 and not 1 for zipf")]
#[case(json!({"node_delete_function": "real"}), "node_delete_function cannot be real: such accesses were not observed")]
#[case(json!({"read_function": "POWER"}), "read_config must be at least 2 for power")]
#[case(json!({"nlinks_func": "reall"}), "nlinks_func is \"reall\"; there are real, const")]
#[case(json!({"nlinks_func": "exponential"}), "nlinks_config must be at least 2 for exponential")]
#[case(json!({"link_add_datagen": "zeros"}), "link_add_datagen must be motif or uniform, not \"zeros\"")]
#[case(json!({"node_up_datagen_startbyte": 220}),
    "node_up_datagen_startbyte must be below node_up_datagen_endbyte, but they are 220 and 220")]
#[case(json!({"link_multiget_dist_max": 2, "link_multiget_dist_min": 2}),
    "link_multiget_dist_min must be below link_multiget_dist_max, but they are 2 and 2")]
#[case(json!({"data_file": "/nowhere/d.dat"}), "data_file: cannot read /nowhere/d.dat: ")]
#[case(json!({"compat": "jave"}), "compat: unknown variant `jave`")]
#[case(json!({"maxid": 10}), "linkbench has no option maxid; did you mean maxid1?")]
fn options_that_cannot_be_are_named(#[case] options: Value, #[case] message: &str) {
    let error = with("linkbench", options, Send { terminals: 1, operations: &[] }).expect_err("refused").0;
    let said = error.strip_prefix("linkbench: ").unwrap_or(&error);
    assert!(said.starts_with(message), "{error}");
}

#[test]
fn names_are_read_as_properties_files_write_them() {
    let ours = json!({"read_function": "zipf", "nlinks_func": "real", "node_add_datagen": "motif",
        "link_multiget_dist": "geometric", "node_delete_function": "uniform"});
    let theirs = json!({
        "read_function": "com.facebook.LinkBench.distributions.ZipfDistribution",
        "nlinks_func": "REAL",
        "node_add_datagen": "com.facebook.LinkBench.generators.MotifDataGenerator",
        "link_multiget_dist": "com.facebook.LinkBench.distributions.GeometricDistribution",
        "node_delete_function": "com.facebook.LinkBench.distributions.UniformDistribution",
    });
    let ascii = |mut options: Value| {
        for name in ["node_add_datagen_endbyte", "node_up_datagen_endbyte"] {
            options[name] = json!(126);
        }
        options
    };
    let operations: Vec<_> = (0..500).map(|number| (0, number)).collect();
    let send = |options| {
        with("linkbench", ascii(options), Send { terminals: 1, operations: &operations }).expect("sent")
    };
    assert_eq!(send(ours), send(theirs));
}

#[test]
fn tables_of_other_options_are_refused() {
    struct Learn(fn(&mut BTreeMap<String, String>));
    impl Visitor for Learn {
        type Output = Result<(), String>;
        fn visit<D: Driver>(self, mut workload: D) -> Self::Output {
            let rows = workload.data().notes().expect("notes").rows;
            let mut notes = rows.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
            (self.0)(&mut notes);
            workload.learner().expect("notes are read").learn(&notes).map_err(|error| error.0)
        }
    }
    let learn = |change| with("linkbench", json!({}), Learn(change)).expect("the defaults");
    assert_eq!(learn(|_| {}), Ok(()));
    // Operations of another seed are what a run is for.
    assert_eq!(learn(|notes| drop(notes.insert("seed".into(), "7".into()))), Ok(()));
    assert_eq!(
        learn(|notes| drop(notes.insert("maxid1".into(), "1001".into()))),
        Err("linkbench: maxid1 = 100001, but the tables were made with maxid1 = 1001: give that, or run cleanup and \
             prepare"
            .into())
    );
    assert_eq!(
        learn(BTreeMap::clear),
        Err("linkbench: table assay_linkbench is missing or empty: run prepare, or continue an interrupted one with \
             --resume"
            .into())
    );
}
