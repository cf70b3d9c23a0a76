//! What becomes of files: made, filled, kept, removed.

use super::*;

#[test]
fn files_that_were_made_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut made = Made::default();
    Layout::prepare(&job(folder.path(), IoKind::Psync, 1.0), 1, &mut made, &mut |_| true).unwrap();
    assert!(folder.path().join("data").is_file());
    assert!(made.remove().is_empty());
    assert!(!folder.path().join("data").exists());
    made.paths = vec![folder.path().to_owned(), folder.path().join("gone already")];
    let said = made.remove().iter().map(ToString::to_string).collect::<String>();
    assert!(said.starts_with("cannot remove") && !said.contains("gone"), "{said}");
}

#[test]
fn a_file_that_was_there_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), IoKind::Psync, 1.0);
    let short = vec![7; 40_000];
    std::fs::write(&job.files[0], &short).unwrap();
    let said = prepare(&job).unwrap_err().to_string();
    assert!(said.contains("40000 bytes") && said.contains("1048576"), "{said}");
    assert_eq!(std::fs::read(&job.files[0]).unwrap(), short);

    let sparse = std::fs::File::options().write(true).open(&job.files[0]).unwrap();
    sparse.set_len(job.file_bytes).unwrap();
    for create in [true, false] {
        let said = prepare(&StorageJob { create, ..job.clone() }).unwrap_err().to_string();
        assert!(said.contains("never written"), "{said}");
    }
    let whole = std::fs::read(&job.files[0]).unwrap();
    assert!(whole[..40_000] == short && whole[40_000..].iter().all(|byte| *byte == 0));
}

#[test]
fn a_job_that_fills_writes_only_where_nothing_was() {
    let folder = tempfile::tempdir().unwrap();
    let job = StorageJob { fill: true, ..job(folder.path(), IoKind::Psync, 1.0) };
    let short = vec![7; 40_960];
    std::fs::write(&job.files[0], &short).unwrap();
    prepare(&job).unwrap();
    let whole = std::fs::read(&job.files[0]).unwrap();
    assert_eq!((whole.len() as u64, &whole[..40_960]), (job.file_bytes, short.as_slice()));
    assert!(whole[40_960..].chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
    prepare(&StorageJob { fill: false, ..job }).expect("it has no holes now");
}

#[test]
fn room_that_was_reserved_is_not_read_as_data() {
    let folder = tempfile::tempdir().unwrap();
    let writes = job(folder.path(), IoKind::Psync, 0.0);
    let mut made = Made::default();
    let lay = |job: &StorageJob, made: &mut Made| Layout::prepare(job, 1, made, &mut |_| true);
    lay(&writes, &mut made).unwrap();
    let reads = job(folder.path(), IoKind::Psync, 1.0);
    assert!(lay(&reads, &mut Made::default()).is_err(), "another run's file");
    lay(&reads, &mut made).expect("our own file is filled");
    lay(&reads, &mut Made::default()).expect("and is whole then");
}

#[test]
fn a_file_is_made_anew_only_for_a_job_that_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let anew = StorageJob { anew: true, ..job(folder.path(), IoKind::Psync, 0.0) };
    std::fs::write(&anew.files[0], [1; 4096]).unwrap();
    let reads = StorageJob { access: Access { read_share: 0.5, ..anew.access.clone() }, ..anew.clone() };
    assert!(check(&reads).unwrap_err().to_string().contains("anew"));
    check(&anew).unwrap();
    prepare(&anew).unwrap();
    assert!(std::fs::read(&anew.files[0]).unwrap().iter().all(|byte| *byte == 0));
}

/// Cuts the files short when the worker has mapped them.
struct Cut<'a>(Ear, &'a Path);

impl Watch for Cut<'_> {
    fn now(&self) -> u64 {
        self.0.now()
    }
    fn gate(&mut self) -> Option<u64> {
        std::fs::File::options().write(true).open(self.1).unwrap().set_len(8192).unwrap();
        self.0.gate()
    }
    fn over(&self, now: u64) -> bool {
        self.0.over(now)
    }
    fn wanted(&self, _: u64) -> bool {
        false
    }
    fn give_up(&self, _: u64) -> bool {
        false
    }
    fn turn(&mut self, _: u64, _: u32, _: u32) {}
    fn done(&mut self, _: &TimedIo) {}
    fn submitted(&mut self, _: u32, _: u32) {}
    fn collected(&mut self, _: u32) {}
}

#[test]
fn a_page_that_cannot_be_had_is_an_error_and_not_the_end_of_the_process() {
    for read_share in [0.0, 1.0] {
        let folder = tempfile::tempdir().unwrap();
        let mut job = job(folder.path(), IoKind::Mmap, read_share);
        job.access.order = Order::Sequential;
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
        let broken =
            run_worker(&worker, &mut Cut(Ear::new(u64::MAX / 2_000_000), &job.files[0])).unwrap_err();
        let said = broken.to_string();
        assert!(said.contains("data at byte 8192: Input/output error"), "{said}");
    }
}
