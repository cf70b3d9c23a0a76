//! The block device beneath a file, and what it counts (Documentation/admin-guide/iostats.rst of Linux).

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// A block device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    pub name: String,
    folder: PathBuf,
}

/// Counters since the device exists; times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiskCounts {
    pub reads: u64,
    pub read_merges: u64,
    pub read_sectors: u64,
    pub read_ms: u64,
    pub writes: u64,
    pub write_merges: u64,
    pub write_sectors: u64,
    pub write_ms: u64,
    /// Milliseconds with anything in flight, and the sum of the milliseconds of all requests.
    pub busy_ms: u64,
    pub queue_ms: u64,
}

/// The block devices beneath some files, each once. File systems without one (tmpfs, overlay on the network) have none.
pub fn beneath<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<Disk> {
    let mut found: Vec<Disk> = Vec::new();
    for disk in paths.into_iter().filter_map(|path| disk_of(path)) {
        if !found.contains(&disk) {
            found.push(disk);
        }
    }
    found
}

fn disk_of(path: &Path) -> Option<Disk> {
    let meta = std::fs::metadata(path).ok()?;
    let number = if meta.file_type().is_block_device() { meta.rdev() } else { meta.dev() };
    let (major, minor) = (libc::major(number), libc::minor(number));
    let folder = std::fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    let name = folder.file_name()?.to_str()?.to_owned();
    Some(Disk { name, folder })
}

/// The counters of a device as they are now.
pub fn counts(disk: &Disk) -> DiskCounts {
    let text = std::fs::read_to_string(disk.folder.join("stat")).unwrap_or_default();
    let fields: Vec<u64> = text.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or(0);
    DiskCounts {
        reads: field(0),
        read_merges: field(1),
        read_sectors: field(2),
        read_ms: field(3),
        writes: field(4),
        write_merges: field(5),
        write_sectors: field(6),
        write_ms: field(7),
        busy_ms: field(9),
        queue_ms: field(10),
    }
}
