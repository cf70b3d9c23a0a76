//! Rows of a fresh graph.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::linkbench::schema::{COUNTS, LINKS, NODES};
use crate::testing::with;
use crate::{Driver, Visitor, rng_of_chunk};

/// The rows of a table, chunk by chunk as a loader asks for them; payloads hold digits, so that commas part values.
struct Rows {
    table: usize,
    seed: u64,
}

impl Visitor for Rows {
    type Output = Vec<Vec<u64>>;

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let data = workload.data();
        let shape = &data.tables()[self.table];
        let mut rows = Vec::new();
        for chunk in 0..shape.rows.div_ceil(shape.chunk_rows) {
            let mut rng = rng_of_chunk(self.seed, self.table, chunk);
            let first = chunk * shape.chunk_rows + 1;
            let last = ((chunk + 1) * shape.chunk_rows).min(shape.rows);
            let before = rows.len();
            for number in first..=last {
                for part in 0..data.rows_at(self.table, number) {
                    let mut out = Vec::new();
                    data.part(self.table, number, part, &mut rng, &mut out);
                    let text = String::from_utf8(out).expect("digits");
                    let Some(tuple) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
                        continue;
                    };
                    let value = |word: &str| match word.strip_prefix('\'') {
                        Some(data) => data.len() as u64 - 1,
                        None => word.parse().expect("a number"),
                    };
                    rows.push(tuple.split(',').map(value).collect());
                }
            }
            assert_eq!((rows.len() - before) as u64, data.rows_in(self.table, first, last));
        }
        assert_eq!(rows.len() as u64, data.rows_in(self.table, 1, shape.rows));
        assert!(rows.iter().all(|row: &Vec<u64>| row.len() == shape.columns.split(',').count()));
        rows
    }
}

fn rows(table: usize, more: &Value) -> Vec<Vec<u64>> {
    let mut options = json!({"startid1": 11, "maxid1": 5_011, "nlinks_func": "zipf", "nlinks_shape": 0.5,
        "link_type_count": 3, "link_add_datagen_startbyte": 48, "link_add_datagen_endbyte": 57,
        "node_add_datagen_startbyte": 48, "node_add_datagen_endbyte": 57});
    options.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    with("linkbench", options, Rows { table, seed: 42 }).expect("options that can be")
}

#[test]
fn counts_are_those_of_the_links() {
    for more in [json!({}), json!({"compat": "java"}), json!({"randomid2max": 60})] {
        let links = rows(LINKS, &more);
        let mut found: BTreeMap<(u64, u64), (u64, u64)> = BTreeMap::new();
        let mut keys = BTreeSet::new();
        for link in &links {
            let [id1, id2, link_type, visibility, size, time, version] = link[..] else { panic!("{link:?}") };
            assert!((11..5_011).contains(&id1) && (123_456_789..123_456_792).contains(&link_type));
            assert!(visibility == 1 && version == 0 && size < 255);
            assert!((1_767_225_600_000 - (1 << 32)..1_767_225_600_000).contains(&time));
            assert!(keys.insert((link_type, id1, id2)), "twice: {link:?}");
            let entry = found.entry((id1, link_type)).or_default();
            *entry = (entry.0 + 1, entry.1.max(time));
            match more.get("randomid2max") {
                Some(below) => assert!(id2 < below.as_u64().expect("a number")),
                None => assert_eq!(id2, id1 + entry.0 - 1),
            }
        }
        let counts = rows(COUNTS, &more);
        let told = counts.iter().map(|count| ((count[0], count[1]), (count[2], count[3])));
        assert_eq!(told.collect::<BTreeMap<_, _>>(), found);
        assert_eq!(counts.len(), found.len());
    }
}

#[test]
fn every_id_is_a_node() {
    let nodes = rows(NODES, &json!({}));
    assert!(nodes.iter().map(|node| node[0]).eq(11..5_011));
    assert!(nodes.iter().all(|node| node[1..4] == [2048, 1, 1_767_225_600]));
    let mean = nodes.iter().map(|node| node[4]).sum::<u64>() as f64 / nodes.len() as f64;
    // Deviation 3.9.
    assert!((mean - 211.6).abs() < 16.0, "{mean}");
}

#[test]
fn the_first_rows_stay_what_they_are() {
    struct First;
    impl Visitor for First {
        type Output = String;
        fn visit<D: Driver>(self, workload: D) -> String {
            let data = workload.data();
            let mut said = String::new();
            for (number, table) in data.tables().iter().enumerate() {
                said += &format!("{}\n{}\n{:?}\n", table.create, table.count_chunk, table.after);
                let mut rng = rng_of_chunk(42, number, 0);
                let mut out = Vec::new();
                let has = |row: &u64| data.rows_in(number, *row, *row) > 0;
                if let Some(first) = (1..=table.rows).find(has) {
                    data.part(number, first, 0, &mut rng, &mut out);
                }
                said += &format!("{}\n", out.escape_ascii());
            }
            said
        }
    }
    insta::assert_snapshot!(with("linkbench", json!({}), First).expect("the defaults"));
}
