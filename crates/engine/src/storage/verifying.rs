//! Reading blocks back, and what it comes to.

use std::collections::BTreeMap;

use assay_storage::{Layout, StorageJob, Verify, Written, read_back};

use crate::clock::Clock;
use crate::doubts::doubt;
use crate::emit::emit;
use crate::event::{Done, Event, Phase, PhaseStart};
use crate::failure::Fatal;
use crate::signal;
use crate::storage::DiskJob;
use crate::storage::report::Verified;
use crate::usage::engine_use;

/// Reads one job's blocks back; `None` when a signal came.
pub fn verify(
    job: &StorageJob,
    layout: &Layout,
    expected: Option<&Written>,
) -> Result<Option<Verified>, Fatal> {
    let block = job.access.grain() as u32;
    let space = layout.space;
    let found = read_back(&layout.paths, space.from, space.usable(), block, expected, signal::received);
    match found {
        Ok(found) => Ok(Some(Verified {
            name: job.name.clone(),
            blocks: found.blocks,
            blank: found.blank,
            bad: found.bad,
            described: found.described,
        })),
        Err(assay_storage::StorageError::Interrupted) => Ok(None),
        Err(error) => Err(Fatal::storage(&error)),
    }
}

/// The error that bad blocks are.
pub fn complaint(verified: &[Verified]) -> Option<Fatal> {
    let bad: u64 = verified.iter().map(|one| one.bad).sum();
    let first = verified.iter().flat_map(|one| &one.described).next()?;
    let blocks: u64 = verified.iter().map(|one| one.blocks).sum();
    Some(
        Fatal::host(format!("{bad} of {blocks} blocks that were read back are bad; the first: {first}"))
            .hint(
                "what was written is not what the storage gave back: look at the kernel log, cables, memory",
            ),
    )
}

/// A job that only reads back.
pub fn only(job: &DiskJob, layouts: &[Layout], clock: Clock) -> Result<i32, Fatal> {
    emit(&Event::Phase(PhaseStart { phase: Phase::Check, start_ns: clock.now(), planned_ms: None }));
    let mut verified = Vec::new();
    for (one, layout) in job.storage.iter().zip(layouts) {
        debug_assert!(one.verify == Verify::Only);
        match verify(one, layout, None)? {
            Some(found) => verified.push(found),
            None => return Ok(signal::INTERRUPTED),
        }
    }
    if let Some(fatal) = complaint(&verified) {
        return Err(fatal);
    }
    for one in &verified {
        if one.blank == one.blocks {
            let what = format!(
                "nothing to read back: none of the {} blocks of {} was ever written",
                one.blocks, one.name
            );
            return Err(Fatal::job(what)
                .hint("is it the file, the size and the block size of the job that wrote it?"));
        }
        if one.blank > 0 {
            let message =
                format!("{} of the {} blocks of {} were never written", one.blank, one.blocks, one.name);
            emit(&Event::Doubt(doubt("blank-blocks", message, one.blank as f64, 0.0)));
        }
    }
    emit(&Event::Done(Done {
        action: "verify".into(),
        elapsed_s: clock.now() as f64 / 1e9,
        rows: verified.iter().map(|one| one.blocks - one.blank).sum(),
        tables: layouts.iter().map(|layout| layout.paths.len() as u64).sum(),
        rows_by_table: BTreeMap::new(),
        loaded_as: None,
        load_statements: 0,
        engine: engine_use(),
    }));
    Ok(0)
}
