//! Workers on real files, with every engine.

mod files;
mod verified;

use std::path::Path;
use std::time::Instant;

use assay_pace::{Arrivals, Schedule, Share};
use assay_storage::{
    Access, Batch, Blocks, Distribution, Io, IoKind, Layout, Ledger, Made, Opened, OperationKind, Order,
    StorageError, StorageJob, SyncEach, SyncKind, SyncOpen, Think, TimedIo, Verify, Watch, Worker, WorkerEnd,
    check, run_worker,
};

/// Keeps everything it hears, and ends the load after some time.
struct Ear {
    epoch: Instant,
    end_ns: u64,
    began: u64,
    done: Vec<TimedIo>,
    depth_ns: u64,
    last: u64,
    deepest: u32,
}

impl Ear {
    fn new(end_ms: u64) -> Self {
        let end_ns = end_ms * 1_000_000;
        Self { epoch: Instant::now(), end_ns, began: 0, done: Vec::new(), depth_ns: 0, last: 0, deepest: 0 }
    }

    fn count(&self, kind: OperationKind) -> usize {
        self.done.iter().filter(|done| done.kind == kind).count()
    }
}

impl Watch for Ear {
    fn now(&self) -> u64 {
        self.epoch.elapsed().as_nanos() as u64
    }
    fn gate(&mut self) -> Option<u64> {
        self.last = self.now();
        self.began = self.last;
        Some(self.last)
    }
    fn over(&self, now: u64) -> bool {
        now >= self.end_ns
    }
    fn wanted(&self, instant: u64) -> bool {
        instant < self.end_ns
    }
    fn give_up(&self, _: u64) -> bool {
        false
    }
    fn turn(&mut self, now: u64, was: u32, _: u32) {
        self.depth_ns += (now - self.last) * u64::from(was);
        self.last = now;
    }
    fn done(&mut self, done: &TimedIo) {
        self.done.push(*done);
    }
    fn submitted(&mut self, _: u32, in_flight: u32) {
        self.deepest = self.deepest.max(in_flight);
    }
    fn collected(&mut self, _: u32) {}
}

const KINDS: [IoKind; 5] = [IoKind::Psync, IoKind::Libaio, IoKind::IoUring, IoKind::Mmap, IoKind::Null];
const BLOCK: u32 = 4096;

fn job(folder: &Path, kind: IoKind, read_share: f64) -> StorageJob {
    StorageJob {
        name: "test".into(),
        clones: 1,
        group: None,
        files: vec![folder.join("data")],
        file_bytes: 256 * u64::from(BLOCK),
        offset: 0,
        fill: false,
        create: true,
        anew: false,
        reserve: true,
        remove: false,
        access: Access {
            order: Order::Random,
            read_share,
            distribution: Distribution::Once,
            read_blocks: Blocks::One(BLOCK),
            write_blocks: Blocks::One(BLOCK),
        },
        io: Io {
            kind,
            direct: false,
            open_sync: SyncOpen::None,
            fixed_buffers: false,
            registered_files: false,
            polled: false,
        },
        depth: 8,
        batch: Batch::default(),
        sync: None,
        end_sync: false,
        arrivals: None,
        think: None,
        limit_bytes: 0,
        limit_operations: 0,
        limit_ms: 0,
        repeat: false,
        verify: Verify::Off,
        ledger: None,
        invalidate: true,
    }
}

fn prepare(job: &StorageJob) -> Result<Layout, StorageError> {
    Layout::prepare(job, 1, &mut Made::default(), &mut |_| true)
}

fn lay_out(job: &StorageJob) -> Layout {
    check(job).expect("a sound job");
    Layout::prepare(job, 1, &mut Made::default(), &mut |_| true).expect("a file in a temporary folder")
}

fn drive(job: &StorageJob, end_ms: u64) -> (Ear, WorkerEnd) {
    noted(job, end_ms, None)
}

fn noted(job: &StorageJob, end_ms: u64, ledger: Option<&Ledger>) -> (Ear, WorkerEnd) {
    let layout = lay_out(job);
    let schedule = job.arrivals.as_ref().map(|arrivals| Schedule::new(arrivals, 1, Share::WHOLE).unwrap());
    let opened = Opened::all(std::slice::from_ref(job)).expect("files that were made").remove(0);
    let worker =
        Worker { job, layout: &layout, opened: &opened, seed: 7, number: 0, clone: 0, schedule, ledger };
    let mut ear = Ear::new(end_ms);
    let ended = run_worker(&worker, &mut ear).expect("a run on a small file");
    (ear, ended)
}

/// `None` where the kernel does not have this engine (a container may forbid io_uring).
fn works_here(kind: IoKind) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), kind, 1.0);
    let layout = lay_out(&job);
    let opened = Opened::all(std::slice::from_ref(&job)).unwrap().remove(0);
    let worker = Worker {
        job: &job,
        layout: &layout,
        opened: &opened,
        seed: 7,
        number: 0,
        clone: 0,
        schedule: None,
        ledger: None,
    };
    !matches!(run_worker(&worker, &mut Ear::new(1)), Err(StorageError::Unsupported { .. }))
}

#[test]
fn every_engine_reads_and_writes_the_whole_file_once() {
    for kind in KINDS.into_iter().filter(|kind| works_here(*kind)) {
        for read_share in [0.0, 1.0, 0.5] {
            let folder = tempfile::tempdir().unwrap();
            let job = StorageJob { file_bytes: 1 << 20, ..job(folder.path(), kind, read_share) };
            let (ear, ended) = drive(&StorageJob { limit_bytes: 1 << 20, ..job }, u64::MAX / 2_000_000);
            assert_eq!(ear.done.len(), 256, "{kind:?} {read_share}");
            assert_eq!(ended.abandoned, 0);
            let bytes: u64 = ear.done.iter().map(|done| u64::from(done.bytes)).sum();
            assert_eq!(bytes, 1 << 20);
            let deepest = if kind.queued() { 8 } else { 0 };
            assert_eq!(ear.deepest, deepest, "{kind:?}");
            assert!(
                ear.done.iter().all(|done| done.started <= done.submitted && done.submitted <= done.ended)
            );
        }
    }
}

#[test]
fn times_and_depth_are_one_account() {
    for kind in KINDS.into_iter().filter(|kind| works_here(*kind)) {
        let folder = tempfile::tempdir().unwrap();
        let (ear, _) = drive(&StorageJob { repeat: true, ..job(folder.path(), kind, 1.0) }, 50);
        let busy: u64 = ear.done.iter().map(|done| done.ended - done.started).sum();
        assert!((busy as f64 / ear.depth_ns as f64 - 1.0).abs() < 0.02, "{kind:?}: {busy} {}", ear.depth_ns);
    }
}

#[test]
fn writes_are_made_durable_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, all_files, expected) in [(IoKind::Psync, false, 10), (IoKind::Libaio, true, 20)] {
        let job = StorageJob {
            files: vec![folder.path().join("a"), folder.path().join("b")],
            sync: Some(SyncEach { writes: 10, kind: SyncKind::Fdatasync, all_files, ..SyncEach::default() }),
            limit_operations: 100,
            access: Access { order: Order::Sequential, ..job(folder.path(), kind, 0.0).access },
            ..job(folder.path(), kind, 0.0)
        };
        let (ear, _) = drive(&job, u64::MAX / 2_000_000);
        assert_eq!((ear.count(OperationKind::Write), ear.count(OperationKind::Sync)), (100, expected));
    }
}

#[test]
fn the_end_makes_the_rest_durable_once() {
    let folder = tempfile::tempdir().unwrap();
    let job = StorageJob { end_sync: true, limit_operations: 5, ..job(folder.path(), IoKind::Psync, 0.0) };
    let (ear, ended) = drive(&job, u64::MAX / 2_000_000);
    assert_eq!((ear.count(OperationKind::Sync), ended.end_syncs), (0, 1));
}

#[test]
fn syncs_are_among_the_operations_of_a_limit_that_counts_them() {
    let each =
        SyncEach { writes: 100, all_files: true, count_reads: true, in_limit: true, ..SyncEach::default() };
    let expected =
        [(99, (99, 0, 4)), (100, (100, 0, 4)), (102, (100, 2, 4)), (104, (100, 4, 0)), (150, (146, 4, 4))];
    for (limit, counts) in expected {
        let folder = tempfile::tempdir().unwrap();
        let job = StorageJob {
            files: (0..4).map(|number| folder.path().join(format!("data.{number}"))).collect(),
            sync: Some(each),
            end_sync: true,
            repeat: true,
            limit_operations: limit,
            ..job(folder.path(), IoKind::Psync, 0.0)
        };
        let (ear, ended) = drive(&job, u64::MAX / 2_000_000);
        let counted = (ear.count(OperationKind::Write), ear.count(OperationKind::Sync), ended.end_syncs);
        assert_eq!(counted, counts, "{limit}");
    }
}

#[test]
fn a_schedule_is_kept_and_what_is_late_waits() {
    let folder = tempfile::tempdir().unwrap();
    let arrivals = Some(Arrivals::Constant { rate: 1000.0 });
    let job = StorageJob { arrivals, repeat: true, ..job(folder.path(), IoKind::Libaio, 1.0) };
    let began = Instant::now();
    let (ear, ended) = drive(&job, 200);
    let took_ms = began.elapsed().as_millis() as u64;
    let counted = ear.done.len() as u64 + ended.unserved;
    // The schedule begins when the worker is ready, however long that took.
    let least = (ear.end_ns.saturating_sub(ear.began) / 1_000_000).saturating_sub(10);
    assert!((least..=took_ms + 1).contains(&counted), "{counted} in {took_ms} ms, {least} at least");
    assert!(ear.done.iter().all(|done| done.scheduled <= done.started));
    let mut instants: Vec<_> = ear.done.iter().map(|done| done.scheduled).collect();
    instants.sort_unstable();
    let kept = instants.windows(2).all(|pair| pair[1] - pair[0] == 1_000_000);
    assert!(kept, "the schedule's instants are kept whatever happens");
}

#[test]
fn what_falls_due_within_an_fsync_is_not_the_pacers_lateness() {
    let folder = tempfile::tempdir().unwrap();
    let job = StorageJob {
        arrivals: Some(Arrivals::Constant { rate: 5000.0 }),
        sync: Some(SyncEach { writes: 4, ..SyncEach::default() }),
        repeat: true,
        depth: 64,
        ..job(folder.path(), IoKind::Libaio, 0.0)
    };
    let (ear, _) = drive(&job, 300);
    let syncs: Vec<_> = ear.done.iter().filter(|done| done.kind == OperationKind::Sync).collect();
    let within = |done: &&TimedIo| {
        let scheduled = done.scheduled;
        done.kind == OperationKind::Write
            && syncs.iter().any(|sync| (sync.started..sync.ended).contains(&scheduled))
    };
    let waited: Vec<_> = ear.done.iter().filter(within).collect();
    assert!(!waited.is_empty());
    assert!(waited.iter().all(|done| !done.prompt));
}

#[test]
fn thinking_leaves_room_between_operations() {
    let folder = tempfile::tempdir().unwrap();
    let think = Some(Think { us: 2000, operations: 5 });
    let job = StorageJob { think, limit_operations: 50, ..job(folder.path(), IoKind::Psync, 1.0) };
    let (ear, _) = drive(&job, u64::MAX / 2_000_000);
    assert!(ear.last >= 9 * 2_000_000, "{}", ear.last);
}

#[test]
fn a_job_that_cannot_be_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let sound = job(folder.path(), IoKind::Mmap, 1.0);
    let direct = StorageJob { io: Io { direct: true, ..sound.io.clone() }, ..sound.clone() };
    assert!(check(&direct).unwrap_err().to_string().contains("mmap and direct"));
    let huge = StorageJob { file_bytes: 1 << 50, ..sound.clone() };
    assert!(matches!(Layout::room_for(&[huge]), Err(StorageError::NoRoom { .. })));
    let absent = StorageJob { create: false, ..sound };
    let refused = Layout::prepare(&absent, 1, &mut Made::default(), &mut |_| true);
    assert!(matches!(refused, Err(StorageError::Io { .. })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn reading_back_alone_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let only = StorageJob { verify: Verify::Only, ..job(folder.path(), IoKind::Psync, 0.0) };
    assert!(prepare(&only).is_err());
    assert!(!only.files[0].exists());
    std::fs::write(&only.files[0], [1; 8192]).unwrap();
    assert!(prepare(&only).unwrap_err().to_string().contains("8192 bytes"));
    assert_eq!(std::fs::read(&only.files[0]).unwrap(), [1; 8192]);
}

#[test]
fn sizes_and_depths_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sound = job(folder.path(), IoKind::IoUring, 0.0);
    let none = Blocks::Range(assay_storage::Range { from: 0, to: 4096 });
    let unused = StorageJob { access: Access { read_blocks: none, ..sound.access.clone() }, ..sound.clone() };
    assert!(check(&unused).unwrap_err().to_string().contains("read_blocks"));
    let deep = StorageJob { depth: 40_000, ..sound };
    assert!(check(&deep).unwrap_err().to_string().contains("32768"));
}
