//! Blocks that are read back: what is found, and what it is taken for.

use std::os::unix::fs::FileExt;

use assay_storage::{Account, Expected, Findings, Flaw, Origin, new_run, read_back};
use proptest::prelude::*;

use super::*;

const FOREVER: u64 = u64::MAX / 2_000_000;

/// A load that has ended: its files, and what it noted of them.
struct Load {
    _folder: tempfile::TempDir,
    job: StorageJob,
    origin: Origin,
    account: Account,
}

impl Load {
    fn of(change: impl FnOnce(StorageJob) -> StorageJob) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), IoKind::Psync, 0.0);
        Self::again(change(StorageJob { verify: Verify::After, ..job }), folder)
    }

    fn again(job: StorageJob, folder: tempfile::TempDir) -> Self {
        let origin = Origin::new(&job, lay_out(&job).space, new_run(), (7, 0, 0));
        let ledger = Ledger::new(origin.clone(), job.depth, job.ledger.as_deref()).unwrap();
        noted(&job, FOREVER, Some(&ledger));
        Self { _folder: folder, job, origin, account: ledger.account() }
    }

    fn found(&self, expected: Option<&Expected>) -> Findings {
        read_back(&self.job.files, self.origin.space, BLOCK, expected, || false).expect("readable files")
    }

    fn ended(&self) -> Findings {
        self.found(Some(&Expected::new(&self.origin, &self.account, false)))
    }

    fn crashed(&self) -> Findings {
        self.found(Some(&Expected::new(&self.origin, &self.account, true)))
    }

    fn file(&self) -> std::fs::File {
        std::fs::OpenOptions::new().read(true).write(true).open(&self.job.files[0]).unwrap()
    }

    fn block(&self, number: u64) -> Vec<u8> {
        let mut block = vec![0; BLOCK as usize];
        self.file().read_exact_at(&mut block, number * u64::from(BLOCK)).unwrap();
        block
    }

    fn put(&self, at: u64, bytes: &[u8]) {
        self.file().write_all_at(bytes, at).unwrap();
    }
}

/// Two passes over the file, an fsync after the first; what each block held between them.
fn two_passes(kind: IoKind) -> (Load, Vec<u8>) {
    let once = |job: StorageJob| StorageJob {
        io: Io { kind, ..job.io.clone() },
        sync: Some(SyncEach { writes: 256, ..SyncEach::default() }),
        ..job
    };
    let first = Load::of(once);
    // The same numbers once more: the first pass of the second load writes what the first load wrote.
    let folder = tempfile::tempdir().unwrap();
    let files = vec![folder.path().join("data")];
    let job = StorageJob { files, limit_bytes: 1 << 30, limit_operations: 511, ..first.job.clone() };
    let between = std::fs::read(&first.job.files[0]).unwrap();
    let Load { origin, .. } = first;
    let ledger = Ledger::new(origin.clone(), job.depth, None).unwrap();
    noted(&job, FOREVER, Some(&ledger));
    let load = Load { _folder: folder, job, origin, account: ledger.account() };
    (load, between)
}

const KINDS_THAT_WRITE: [IoKind; 4] = [IoKind::Psync, IoKind::Libaio, IoKind::IoUring, IoKind::Mmap];

#[test]
fn what_was_written_is_read_back_and_a_flipped_bit_is_named() {
    for kind in KINDS_THAT_WRITE.into_iter().filter(|kind| works_here(*kind)) {
        let load = Load::of(|job| StorageJob { io: Io { kind, ..job.io.clone() }, ..job });
        assert_eq!((load.account.acknowledged, load.account.begun), (256, 256), "{kind:?}");
        let whole = load.ended();
        assert_eq!((whole.blocks, whole.whole, whole.bad), (256, 256, 0), "{kind:?}");
        let mut byte = [load.block(17)[1234]];
        byte[0] ^= 1;
        load.put(17 * 4096 + 1234, &byte);
        for found in [load.ended(), load.crashed(), load.found(None)] {
            assert_eq!((found.whole, found.damaged, found.bad), (255, 1, 1));
            let one = &found.described[0];
            assert_eq!((one.flaw, one.offset, &one.path), (Flaw::Damaged, 69_632, &load.job.files[0]));
            let said = format!("its byte 1234 is {:#04x}, but write", byte[0]);
            assert!(
                one.what.contains(&said) && one.what.contains(&format!("put {:#04x}", byte[0] ^ 1)),
                "{}",
                one.what
            );
        }
    }
}

#[test]
fn a_block_of_another_place_is_misplaced_and_missing_where_it_belongs() {
    let load = Load::of(|job| job);
    let (lost, over) = (load.block(3), load.block(9));
    load.put(9 * 4096, &lost);
    let found = load.ended();
    assert_eq!((found.misplaced, found.bad), (1, 1));
    assert!(found.described[0].what.contains("of byte 12288 of file 0"), "{:?}", found.described);
    // Misdirected: what should lie at 3 went over 9.
    load.put(9 * 4096, &over);
    load.put(3 * 4096, &vec![0; 4096]);
    let found = load.ended();
    assert_eq!((found.lost_durable, found.misplaced), (1, 0));
    assert!(found.described[0].what.contains("it is empty"), "{:?}", found.described);
}

#[test]
fn an_older_write_is_an_error_only_where_a_later_one_was_durable() {
    for kind in KINDS_THAT_WRITE.into_iter().filter(|kind| works_here(*kind)) {
        let (load, between) = two_passes(kind);
        // What ended last was made durable with the second fsync only where that was reached: it was not.
        assert_eq!((load.account.acknowledged, load.account.durable), (511, 256), "{kind:?}");
        assert_eq!(load.crashed().whole, 256);
        load.put(0, &between);
        let found = load.crashed();
        assert_eq!((found.lost, found.lost_durable, found.bad), (255, 0, 0), "{kind:?}");
        assert_eq!((found.described.len(), found.described[0].flaw), (10, Flaw::Lost));
        load.put(40_960, &[0; 4096]);
        let found = load.crashed();
        assert_eq!((found.lost, found.lost_durable, found.bad), (254, 1, 1));
        // Bad blocks are described before the others.
        let one = &found.described[0];
        assert_eq!((one.flaw, one.offset), (Flaw::LostDurable, 40_960));
        assert!(one.what.contains("an fsync after it"), "{}", one.what);
        // A load that ended by itself has nothing to lose.
        assert_eq!(load.ended().lost_durable, 255);
    }
}

#[test]
fn a_torn_block_is_judged_by_its_oldest_part() {
    let (load, between) = two_passes(IoKind::Psync);
    let block = (0..256).find(|block| load.block(*block) != between[block_at(*block)]).unwrap();
    load.put(block * 4096 + 2048, &between[block_at(block)][2048..]);
    let found = load.crashed();
    assert_eq!((found.torn, found.lost_durable, found.bad), (1, 0, 0));
    assert!(found.described[0].what.contains("from its byte 2048 on write"), "{:?}", found.described);
    // In the middle of a sector, as a copy to a mapping is cut off.
    load.put(block * 4096, &between[block_at(block)][..104]);
    let found = load.crashed();
    assert_eq!(
        (found.torn, found.damaged, found.bad),
        (0, 1, 1),
        "its older part is nobody's now: {:?}",
        found.described
    );
    load.put(block * 4096, &[0; 4096]);
    load.put(block * 4096, &between[block_at(block)][..512]);
    let found = load.crashed();
    assert_eq!((found.torn, found.lost_durable), (0, 1), "{:?}", found.described);
    assert!(found.described[0].what.contains("on nothing"), "{:?}", found.described);
}

fn block_at(block: u64) -> std::ops::Range<usize> {
    block as usize * 4096..(block as usize + 1) * 4096
}

#[test]
fn a_write_that_was_under_way_may_be_there_in_part_or_not_at_all() {
    let mut load = Load::of(|job| job);
    // As if the last three had never ended.
    load.account.acknowledged = 253;
    let expected = Expected::new(&load.origin, &load.account, true);
    let open: Vec<u64> = (0..256).filter(|block| expected.open(*block).is_some()).collect();
    assert_eq!(open.len(), 3);
    assert_eq!(load.crashed().whole, 256);
    load.put(open[0] * 4096, &[0; 4096]);
    load.put(open[1] * 4096 + 1024, &[0; 3072]);
    load.put(open[2] * 4096 + 104, &[0; 3992]);
    let found = load.crashed();
    assert_eq!((found.whole, found.blank, found.torn, found.bad), (253, 1, 2, 0), "{:?}", found.described);
    assert_eq!(load.found(None).bad, 2, "without a ledger nobody knows that they may be");
}

#[test]
fn what_o_dsync_acknowledged_is_durable() {
    let open_sync = SyncOpen::Dsync;
    let load =
        Load::of(|job| StorageJob { io: Io { open_sync, ..job.io.clone() }, limit_operations: 9, ..job });
    let expected = Expected::new(&load.origin, &load.account, true);
    let block = (0..256).find(|block| expected.last(*block) == 5).unwrap();
    load.put(block * 4096, &[0; 4096]);
    let found = load.crashed();
    assert_eq!((found.whole, found.blank, found.lost_durable), (8, 247, 1));
    assert!(found.described[0].what.contains("O_DSYNC"), "{:?}", found.described);
    // A mapping knows nothing of how its file was opened.
    let load =
        Load::of(|job| StorageJob { io: Io { open_sync, kind: IoKind::Mmap, ..job.io.clone() }, ..job });
    load.put(0, &[0; 4096]);
    assert_eq!((load.crashed().lost, load.crashed().bad), (1, 0));
}

#[test]
fn a_file_that_became_shorter_lost_its_end() {
    let load = Load::of(|job| StorageJob { end_sync: true, ..job });
    load.file().set_len(100 * 4096 + 17).unwrap();
    let found = load.crashed();
    assert_eq!((found.whole, found.lost_durable), (100, 156));
}

#[test]
fn another_run_is_not_taken_for_this_one() {
    let first = Load::of(|job| job);
    let old = std::fs::read(&first.job.files[0]).unwrap();
    let Load { _folder: folder, job, origin, account } = first;
    let second = Load::again(job, folder);
    assert!(second.origin.run > origin.run);
    // A write of the second load that was lost leaves what the first one wrote.
    second.put(8192, &old[8192..12_288]);
    let found = second.ended();
    assert!(found.bad == 1 && found.described[0].what.contains("another run"), "{:?}", found.described);
    // The ledger of the first says nothing of what the second wrote.
    let outdated = Expected::new(&origin, &account, true);
    let said = read_back(&second.job.files, origin.space, BLOCK, Some(&outdated), || false).unwrap_err();
    assert!(said.to_string().contains("began after the one of the ledger"), "{said}");
}

#[test]
fn of_each_block_that_is_hit_again_the_last_write_counts() {
    let load = Load::of(|job| StorageJob {
        access: Access { distribution: Distribution::Uniform, ..job.access.clone() },
        io: Io { kind: IoKind::Libaio, ..job.io.clone() },
        depth: 64,
        limit_operations: 300,
        limit_bytes: 1 << 30,
        ..job
    });
    let found = load.ended();
    assert!(found.bad == 0 && found.blank > 0 && found.whole + found.blank == 256, "{found:?}");
}

#[test]
fn two_writes_to_one_block_are_never_in_flight() {
    let folder = tempfile::tempdir().unwrap();
    let one = StorageJob {
        file_bytes: u64::from(BLOCK),
        verify: Verify::After,
        limit_bytes: 1 << 30,
        limit_operations: 20,
        ..job(folder.path(), IoKind::Libaio, 0.0)
    };
    let origin = Origin::new(&one, lay_out(&one).space, new_run(), (7, 0, 0));
    let ledger = Ledger::new(origin, one.depth, None).unwrap();
    let (ear, _) = noted(&one, FOREVER, Some(&ledger));
    assert_eq!((ear.deepest, ledger.account().acknowledged), (1, 20));
}

#[test]
fn a_ledger_comes_back_from_its_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let load = Load::of(|job| StorageJob {
        ledger: Some(path.clone()),
        access: Access { distribution: Distribution::Zipf { theta: 1.1 }, ..job.access.clone() },
        sync: Some(SyncEach { writes: 100, kind: SyncKind::Fdatasync, ..SyncEach::default() }),
        ..job
    });
    assert_eq!(Ledger::load(&path).unwrap(), (load.origin.clone(), load.account.clone()));
    let whole = std::fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[4096 + 2 * 8..4096 + 3 * 8].copy_from_slice(&(1u64 << 60).to_ne_bytes()); // writes begun
    std::fs::write(&path, damaged).unwrap();
    assert!(Ledger::load(&path).unwrap_err().to_string().contains("it is damaged"));
    std::fs::write(&path, whole).unwrap();
    assert_eq!((load.account.durable, load.crashed().bad), (200, 0));
    std::fs::write(&path, "nothing of the kind").unwrap();
    assert!(Ledger::load(&path).unwrap_err().to_string().contains("not a ledger"));
}

#[test]
fn writes_whose_sync_a_limit_put_off_are_not_durable() {
    let durable = |limit_operations| {
        let each = SyncEach { writes: 100, in_limit: true, ..SyncEach::default() };
        Load::of(|job| StorageJob { sync: Some(each), limit_operations, ..job }).account.durable
    };
    assert_eq!([durable(100), durable(101), durable(202)], [0, 100, 200]);
}

#[test]
fn a_job_that_cannot_be_verified_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sound = job(folder.path(), IoKind::Psync, 0.0);
    let kept = StorageJob { ledger: Some("x".into()), ..sound.clone() };
    assert!(check(&kept).unwrap_err().to_string().contains("ledger"));
    let access = Access { write_blocks: Blocks::One(1000), ..sound.access.clone() };
    let odd = StorageJob { verify: Verify::After, access, ..sound };
    assert!(check(&odd).unwrap_err().to_string().contains("multiple of 512"));
}

proptest! {
    /// Whatever order writes end in, the ledger says exactly which have, and never forgets.
    #[test]
    fn the_ledger_knows_what_has_ended(order in proptest::collection::vec(0usize..64, 1..600), depth in 1u32..64) {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), IoKind::Psync, 0.0);
        let ledger = Ledger::new(Origin::new(&job, lay_out(&job).space, 1, (1, 0, 0)), depth, None).unwrap();
        let (mut open, mut ended, mut durable) = (Vec::new(), std::collections::BTreeSet::new(), 0);
        let mut next = 0;
        for pick in order {
            while open.len() < depth as usize && !ledger.full(next + 1) {
                next += 1;
                ledger.begin(next);
                open.push(next);
            }
            let number = open.swap_remove(pick % open.len());
            ledger.acknowledge(number);
            ended.insert(number);
            if open.is_empty() {
                durable = next;
                ledger.durable(next);
            }
            let account = ledger.account();
            prop_assert_eq!((account.begun, account.durable), (next, durable));
            prop_assert!(account.beyond.iter().all(|number| *number > account.acknowledged));
            prop_assert!((1..=next + 3).all(|number| account.has(number) == ended.contains(&number)));
        }
    }

    /// A ledger's file with older and newer pages claims nothing that was not so.
    #[test]
    fn a_ledger_that_is_partly_older_claims_nothing_that_is_not_so(
        writes in 1u64..3000, cut in 0usize..20, late in 0u64..3000, every in 1u64..300,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let job = job(folder.path(), IoKind::Psync, 0.0);
        let ledger = Ledger::new(Origin::new(&job, lay_out(&job).space, 1, (1, 0, 0)), 1, Some(&path)).unwrap();
        let mut older = std::fs::read(&path).unwrap();
        for number in 1..=writes {
            ledger.begin(number);
            // One never ends.
            if number != late {
                ledger.acknowledge(number);
            }
            if number % every == 0 && number < late {
                ledger.durable(number);
            }
            if number == writes / 2 {
                older = std::fs::read(&path).unwrap();
            }
        }
        let newer = std::fs::read(&path).unwrap();
        // The first page says whose it is, and lies there before the load begins.
        let cut = (4096 + cut * 2048).min(newer.len());
        for (first, rest) in [(&newer, &older), (&older, &newer)] {
            std::fs::write(&path, [&first[..cut], &rest[cut..]].concat()).unwrap();
            let (_, account) = Ledger::load(&path).unwrap();
            prop_assert!((1..=writes + 3).all(|number| !account.has(number) || number <= writes && number != late));
            prop_assert!(account.durable <= writes && (late == 0 || late > writes || account.durable < late));
        }
    }
}
