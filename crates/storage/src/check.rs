//! What the types of a job cannot say.

use crate::error::StorageError;
use crate::spec::{Access, Blocks, Distribution, IoKind, Order, StorageJob, Verify};

/// Sector that direct I/O is at least aligned to.
const SECTOR: u32 = 512;
const DEEPEST: u32 = 65_536;
/// Entries of a ring that the kernel takes.
const DEEPEST_RING: u32 = 32_768;
const MOST_CLONES: u32 = 65_536;

/// # Errors
/// A number out of range, or two settings that exclude each other; the message names them.
pub fn check(job: &StorageJob) -> Result<(), StorageError> {
    let wrong = |what: &str| Err(StorageError::Spec(format!("job {}: {what}", job.name)));
    if job.files.is_empty() {
        return wrong("files: needs at least one");
    }
    if job.clones == 0 || job.clones > MOST_CLONES {
        return wrong("clones must be from 1 to 65536");
    }
    if job.depth == 0 || job.depth > DEEPEST {
        return wrong("depth must be from 1 to 65536");
    }
    if job.io.kind == IoKind::IoUring && job.depth > DEEPEST_RING {
        return wrong(&format!("depth is {}, but io_uring allows at most {DEEPEST_RING}", job.depth));
    }
    if !(0.0..=1.0).contains(&job.access.read_share) {
        return wrong("access.read_share must be from 0 to 1");
    }
    if job.anew && (!job.create || job.fill || job.access.read_share > 0.0 || job.verify == Verify::Only) {
        return wrong("anew: files made anew can only be written: use `create`, without `fill` and reads");
    }
    let used = [
        ("read_blocks", &job.access.read_blocks, job.access.read_share > 0.0),
        ("write_blocks", &job.access.write_blocks, job.access.read_share < 1.0),
    ];
    for (name, blocks, used) in used {
        if let Err(what) = sizes(blocks, used && job.io.direct) {
            return wrong(&format!("access.{name}: {what}"));
        }
    }
    if job.access.order == Order::SequentialShared && !one_size(&job.access) {
        return wrong("access.order: workers that share one walk need blocks of one size");
    }
    if let Err(what) = distribution(&job.access) {
        return wrong(&what);
    }
    if job.io.direct && job.io.kind == IoKind::Mmap {
        return wrong("io: mmap and direct cannot be combined: a mapping goes through the page cache");
    }
    if job.io.direct && !job.offset.is_multiple_of(SECTOR.into()) {
        return wrong("offset: direct I/O needs a multiple of 512");
    }
    if job.io.kind != IoKind::IoUring && (job.io.fixed_buffers || job.io.registered_files || job.io.polled) {
        return wrong("io: fixed_buffers, registered_files and polled need io_uring");
    }
    if job.io.polled && !job.io.direct {
        return wrong("io.polled needs direct: the page cache completes nothing that could be polled for");
    }
    if job.io.fixed_buffers && job.depth > 16_384 {
        return wrong("io.fixed_buffers: io_uring allows at most 16384");
    }
    if job.arrivals.is_some() && job.think.is_some() {
        return wrong("think: cannot be combined with arrivals: leave one of them out");
    }
    if job.sync.is_some_and(|sync| sync.writes == 0) {
        return wrong("sync.writes: must be at least 1");
    }
    if job.think.is_some_and(|think| think.operations == 0) {
        return wrong("think.operations: must be at least 1");
    }
    verified(job)
}

fn sizes(blocks: &Blocks, direct: bool) -> Result<(), &'static str> {
    let all: Vec<u32> = match blocks {
        Blocks::One(bytes) => vec![*bytes],
        Blocks::Range(range) => vec![range.from, range.to],
        Blocks::Split(shares) => {
            if !shares.iter().all(|share| share.weight >= 0.0 && share.weight.is_finite())
                || !shares.iter().any(|share| share.weight > 0.0)
            {
                return Err("weights must be 0 or more, and one above it");
            }
            shares.iter().map(|share| share.bytes).collect()
        }
    };
    if all.is_empty() || all.contains(&0) {
        return Err("an operation must have at least 1 byte");
    }
    if all.iter().any(|bytes| *bytes > 1 << 30) {
        return Err("an operation must have at most 1 GiB");
    }
    if matches!(blocks, Blocks::Range(range) if range.to < range.from) {
        return Err("`to` is below `from`");
    }
    if direct && all.iter().any(|bytes| !bytes.is_multiple_of(SECTOR)) {
        return Err("direct I/O needs sizes in multiples of 512");
    }
    Ok(())
}

fn one_size(access: &Access) -> bool {
    let sizes = [&access.read_blocks, &access.write_blocks];
    let first = sizes[usize::from(access.read_share == 0.0)];
    matches!(first, Blocks::One(_)) && (matches!(access.read_share, 0.0 | 1.0) || sizes[0] == sizes[1])
}

fn distribution(access: &Access) -> Result<(), String> {
    match &access.distribution {
        Distribution::Zipf { theta } if !(*theta > 0.0 && *theta <= 10.0) => {
            Err(format!("access.distribution: theta is {theta}, but must be above 0 and at most 10"))
        }
        Distribution::Zones { zones } => {
            let fine = |value: f64| value.is_finite() && value >= 0.0;
            let all = zones.iter().all(|zone| fine(zone.operations) && fine(zone.space));
            let some = zones.iter().any(|zone| zone.operations > 0.0 && zone.space > 0.0);
            if all && some {
                Ok(())
            } else {
                Err("access.distribution: zones have shares of 0 or more, and one has both above 0".into())
            }
        }
        _ => Ok(()),
    }
}

fn verified(job: &StorageJob) -> Result<(), StorageError> {
    if job.verify == Verify::Off {
        return match job.ledger {
            None => Ok(()),
            Some(_) => {
                let what = "ledger: needs verify: a ledger is kept of verified blocks";
                Err(StorageError::Spec(format!("job {}: {what}", job.name)))
            }
        };
    }
    let wrong = |what: &str| Err(StorageError::Spec(format!("job {}: verify: {what}", job.name)));
    if job.access.read_share > 0.0 {
        return wrong("a verified job can only write: its blocks are read back after the load");
    }
    if !matches!(job.access.write_blocks, Blocks::One(bytes) if bytes.is_multiple_of(SECTOR)) {
        return wrong(
            "blocks must be of one size, a multiple of 512 bytes: each sector has its own checksum",
        );
    }
    if job.clones > 1 {
        return wrong("workers cannot share a file: they would overwrite each other's blocks");
    }
    if job.io.kind == IoKind::Null {
        return wrong("the null engine cannot verify: it stores nothing");
    }
    Ok(())
}
