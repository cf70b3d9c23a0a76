//! Rows that several generators load together: which chunks are whose.

use std::collections::BTreeMap;

use assay_workload::Dataset;

use crate::data::loader::Chunk;
use assay_format::job::Job;

/// The chunks that this engine loads: chunk n belongs to event loop n mod all, as arrival n of an open loop does. Chunks of
/// different tables stand side by side, so that every generator works in all of them.
pub(crate) fn share_of_chunks(chunks: Vec<Chunk>, job: &Job) -> Vec<Chunk> {
    let Some(part) = job.load.part else { return chunks };
    let (first, all) = (part.first_loop as usize, part.loops as usize);
    let own = first..first + job.engine.threads as usize;
    let is_own = |(number, chunk): (usize, Chunk)| own.contains(&(number % all)).then_some(chunk);
    chunks.into_iter().enumerate().filter_map(is_own).collect()
}

/// The rows of chunks by table.
pub(crate) fn rows_of(data: &dyn Dataset, chunks: &[Chunk]) -> BTreeMap<String, u64> {
    let mut rows: BTreeMap<String, u64> = BTreeMap::new();
    for Chunk { table, first, last, .. } in chunks {
        *rows.entry(data.tables()[*table].name.clone()).or_default() += data.rows_in(*table, *first, *last);
    }
    rows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn numbers(part: Option<(u32, u32)>, threads: u32) -> Vec<u64> {
        let chunks = (0..11).map(|number| Chunk { table: 0, number, first: 1, last: 1 }).collect();
        let load = match part {
            Some((first_loop, loops)) => json!({"part": {"first_loop": first_loop, "loops": loops}}),
            None => json!({}),
        };
        let job = json!({
            "version": 1, "action": "prepare", "target": {"user": "nobody", "database": "none"},
            "workload": {"name": "none"}, "load": load, "engine": {"threads": threads},
        });
        let job = serde_json::from_value(job).expect("a job");
        share_of_chunks(chunks, &job).iter().map(|chunk| chunk.number).collect()
    }

    #[test]
    fn every_chunk_is_loaded_by_one_generator() {
        assert_eq!(numbers(None, 2), (0..11).collect::<Vec<_>>());
        assert_eq!(numbers(Some((0, 4)), 1), [0, 4, 8]);
        assert_eq!(numbers(Some((1, 4)), 2), [1, 2, 5, 6, 9, 10]);
        assert_eq!(numbers(Some((3, 4)), 1), [3, 7]);
    }
}
