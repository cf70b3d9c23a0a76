//! The file about work that was left for later: one CSV line each, as it is completed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use assay_tally::Times;
use assay_workload::Deferral;

use crate::process::clock::Clock;
use crate::process::failure::Fatal;

/// The columns that the engine fills in; the workload's own follow.
const COLUMNS: [&str; 5] = ["queued_s", "started_s", "completed_s", "terminal", "operation"];

/// The file of work that was left for later, with its heading written.
pub(crate) struct RecordFile {
    file: BufWriter<File>,
}

impl RecordFile {
    /// # Errors
    /// The file cannot be made; or the workload leaves no work for later that a file could be about.
    pub(crate) fn create(path: &Path, deferral: Option<&Deferral>) -> Result<Self, Fatal> {
        let refuse = |why: &dyn std::fmt::Display| {
            Fatal::job(format!("load.deferred_file: {}: {why}", path.display()))
        };
        let Some(deferral) = deferral else {
            return Err(refuse(&"this workload defers no work with these options"));
        };
        let mut file = BufWriter::new(File::create(path).map_err(|error| refuse(&error))?);
        let columns = COLUMNS.into_iter().chain(deferral.record.iter().map(|name| &**name));
        let names: Vec<&str> = columns.collect();
        writeln!(file, "{}", names.join(",")).map_err(|error| refuse(&error))?;
        Ok(Self { file })
    }

    /// Appends whole lines, and leaves none in memory.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub(crate) fn append(&mut self, lines: &str) -> std::io::Result<()> {
        self.file.write_all(lines.as_bytes())?;
        self.file.flush()
    }
}

/// Appends a line: instants in seconds since 1970, terminal and number of the operation that left the work, then the
/// workload's `values`, each after a comma.
pub(crate) fn line(
    text: &mut String,
    clock: Clock,
    times: &Times,
    (terminal, operation): (u32, u64),
    values: &str,
) {
    let [queued, started, ended] = [times.scheduled, times.started, times.ended]
        .map(|instant| (clock.epoch_wall_ns() + instant) / 1_000);
    let seconds = |text: &mut String, us: u64| {
        let _ = write!(text, "{}.{:06},", us / 1_000_000, us % 1_000_000);
    };
    for us in [queued, started, ended] {
        seconds(text, us);
    }
    let _ = writeln!(text, "{terminal},{operation}{values}");
}
