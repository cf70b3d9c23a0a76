//! Reading blocks back, and what it comes to.

use assay_storage::{
    Account, Expected, Finding, Findings, Layout, Ledger, Origin, StorageError, StorageJob, Verify, read_back,
};

use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::process::usage::engine_use;
use crate::say::doubts::doubt;
use crate::say::emit::emit;
use crate::storage::DiskJob;
use assay_format::event::{ActionResult, ErrorKind, Event, Flawed, Phase, PhaseStart, Promised, Verified};

/// Reads one job's blocks back and says what was found; `None` when a signal came.
pub(super) fn verify(
    job: &StorageJob,
    layout: &Layout,
    expected: Option<&Expected>,
    promised: Option<Promised>,
) -> Result<Option<Verified>, Fatal> {
    let block = job.access.grain() as u32;
    match read_back(&layout.paths, layout.space, block, expected, signal::received) {
        Ok(found) => {
            let verified = Verified { name: job.name.clone(), promised, ..verified(found) };
            emit(&Event::Verified(Box::new(verified.clone())));
            Ok(Some(verified))
        }
        Err(StorageError::Interrupted) => Ok(None),
        Err(error) => Err(Fatal::storage(&error)),
    }
}

fn verified(found: Findings) -> Verified {
    let described = found.described.into_iter().map(|Finding { flaw, path, offset, what }| Flawed {
        flaw: flaw.name().into(),
        file: path.display().to_string(),
        offset,
        what,
    });
    Verified {
        name: String::new(),
        promised: None,
        blocks: found.blocks,
        whole: found.whole,
        blank: found.blank,
        stale: found.stale,
        torn: found.torn,
        lost: found.lost,
        lost_durable: found.lost_durable,
        misplaced: found.misplaced,
        damaged: found.damaged,
        bad: found.bad,
        described: described.collect(),
    }
}

/// The error that bad blocks are.
pub(super) fn complaint(verified: &[Verified]) -> Option<Fatal> {
    let sum = |count: fn(&Verified) -> u64| verified.iter().map(count).sum::<u64>();
    let first = verified.iter().filter(|one| one.bad > 0).flat_map(|one| &one.described).next()?;
    let (bad, blocks, lost) = (sum(|one| one.bad), sum(|one| one.blocks), sum(|one| one.lost_durable));
    let message = format!(
        "{bad} of {blocks} blocks read back are bad; the first: {} at byte {}: {}",
        first.file, first.offset, first.what
    );
    let hint = if lost > 0 {
        "a durable write is lost: look for a write cache that is not flushed (in the disk, a RAID controller or \
        the host of a virtual machine), for mount options such as nobarrier, and in the kernel log"
    } else {
        "the storage returned other data than was written: check the kernel log, cables and memory"
    };
    Some(Fatal::new(ErrorKind::Data, message).hint(hint))
}

/// The promises of a job's ledger, and the load that wrote them.
fn ledger(job: &StorageJob, layout: &Layout) -> Result<Option<(Origin, Account)>, Fatal> {
    let Some(path) = &job.ledger else { return Ok(None) };
    let (origin, account) = Ledger::load(path).map_err(|error| Fatal::storage(&error))?;
    let other = [
        ("files, sizes or offset", origin.space != layout.space),
        ("blocks, order or distribution", origin.access != job.access),
    ];
    match other.iter().find(|(_, differs)| *differs) {
        None => Ok(Some((origin, account))),
        Some((what, _)) => Err(Fatal::job(format!(
            "the ledger {} belongs to another load: its {what} are not those of job {}",
            path.display(),
            job.name
        ))
        .hint("read back with the job that wrote the blocks, unchanged")),
    }
}

/// Carries out a job that only reads back.
pub(super) fn only(job: &DiskJob, layouts: &[Layout], clock: Clock) -> Result<i32, Fatal> {
    emit(&Event::Phase(PhaseStart { phase: Phase::Check, start_ns: clock.now(), planned_ms: None }));
    let mut verified = Vec::new();
    for (one, layout) in job.storage.iter().zip(layouts) {
        debug_assert!(one.verify == Verify::Only);
        let known = ledger(one, layout)?;
        let expected = known.as_ref().map(|(origin, account)| Expected::new(origin, account, true));
        let promised = known.as_ref().map(|(origin, account)| promised(origin, account));
        match verify(one, layout, expected.as_ref(), promised)? {
            Some(found) => verified.push(found),
            None => return Ok(signal::INTERRUPTED),
        }
    }
    if let Some(fatal) = complaint(&verified) {
        return Err(fatal);
    }
    for one in &verified {
        if one.blank == one.blocks && one.promised.is_none() {
            let what = format!(
                "nothing to read back: none of the {} blocks of {} was ever written",
                one.blocks, one.name
            );
            return Err(
                Fatal::job(what).hint("give the file, the size and the block size of the job that wrote it")
            );
        }
        doubts(one);
    }
    emit(&Event::Done(ActionResult {
        rows: verified.iter().map(|one| one.blocks - one.blank).sum(),
        tables: layouts.iter().map(|layout| layout.paths.len() as u64).sum(),
        ..ActionResult::new("verify", clock.now() as f64 / 1e9, engine_use())
    }));
    Ok(0)
}

fn promised(origin: &Origin, account: &Account) -> Promised {
    let acknowledged = account.acknowledged + account.beyond.len() as u64;
    Promised {
        begun: account.begun,
        acknowledged,
        durable: if origin.durable_writes { acknowledged } else { account.durable },
        same_boot: origin.same_boot(),
    }
}

fn doubts(one: &Verified) {
    match one.promised {
        None if one.blank > 0 => {
            let message =
                format!("{} of the {} blocks of {} were never written", one.blank, one.blocks, one.name);
            emit(&Event::Doubt(doubt("blank-blocks", message, one.blank as f64, 0.0)));
        }
        Some(promised) if one.lost > 0 && promised.same_boot => {
            let message = format!(
                "{} blocks of {} lost writes that were not yet durable: a power cut may do that, but the machine \
                has not been restarted since, and a killed process alone loses none",
                one.lost, one.name
            );
            emit(&Event::Doubt(doubt("lost-without-restart", message, one.lost as f64, 0.0)));
        }
        Some(promised) if promised.durable == 0 => {
            let message = format!(
                "no write of {} was ever made durable: every loss is excused; fsync=…, or sync=dsync, tests the disk",
                one.name
            );
            emit(&Event::Doubt(doubt("nothing-durable", message, 0.0, 1.0)));
        }
        _ => {}
    }
}
