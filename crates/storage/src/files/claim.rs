//! Block devices that are written to: held for this run alone, and looked at first.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use crate::error::StorageError;

/// Opens a device so that nobody can mount it meanwhile; workers then open it as any file.
///
/// # Errors
/// The device is mounted, or part of another device.
pub(super) fn hold(path: &Path) -> Result<File, StorageError> {
    let opened = OpenOptions::new().read(true).write(true).custom_flags(libc::O_EXCL).open(path);
    opened.map_err(|error| StorageError::io("open", path, error))
}

/// Signatures of what a device may hold: byte, mark, name.
const MARKS: [(u64, &[u8], &str); 15] = [
    (1024 + 56, &[0x53, 0xef], "an ext file system"),
    (0, b"XFSB", "an XFS file system"),
    (65_536 + 64, b"_BHRfS_M", "a btrfs file system"),
    (1024, &[0x10, 0x20, 0xf5, 0xf2], "an F2FS file system"),
    (0, b"LABELONE", "a volume of LVM"),
    (512, b"LABELONE", "a volume of LVM"),
    (1024, b"LABELONE", "a volume of LVM"),
    (1536, b"LABELONE", "a volume of LVM"),
    (0, &MD, "a member of a RAID (md)"),
    (4096, &MD, "a member of a RAID (md)"),
    (0, b"LUKS\xba\xbe", "an encrypted volume (LUKS)"),
    (4096 - 10, b"SWAPSPACE2", "swap space"),
    (65_536 - 10, b"SWAPSPACE2", "swap space"),
    (512, b"EFI PART", "a partition table (GPT)"),
    (510, &[0x55, 0xaa], "a partition table or a boot sector"),
];
const MD: [u8; 4] = [0xfc, 0x4e, 0x2b, 0xa9];

/// The name of what lies on a device of `bytes`; `None` for nothing known.
///
/// # Errors
/// The device cannot be read.
pub(super) fn signature(
    device: &File,
    bytes: u64,
    path: &Path,
) -> Result<Option<&'static str>, StorageError> {
    // Older md superblocks lie at the end: 0.90 in the last whole 64 KiB but one, 1.0 8 KiB before it.
    let oldest = (bytes / 65_536 * 65_536).saturating_sub(65_536);
    let old = (bytes / 4096 * 4096).saturating_sub(8192);
    let ends = [(oldest, MD.as_slice(), "a member of a RAID (md)"), (old, &MD, "a member of a RAID (md)")];
    for (at, mark, name) in MARKS.into_iter().chain(ends) {
        let mut found = vec![0; mark.len()];
        if at + mark.len() as u64 > bytes {
            continue;
        }
        device.read_exact_at(&mut found, at).map_err(|error| StorageError::io("read", path, error))?;
        if found == mark {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_holds_is_seen() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 20).unwrap();
        let look = || signature(&file, 1 << 20, Path::new("device")).unwrap();
        assert_eq!(look(), None);
        for (at, mark, name) in MARKS.into_iter().chain([((1 << 20) - 65_536, MD.as_slice(), MARKS[8].2)]) {
            file.write_all_at(mark, at).unwrap();
            assert_eq!(look(), Some(name), "at byte {at}");
            file.write_all_at(&vec![0; mark.len()], at).unwrap();
        }
    }
}
