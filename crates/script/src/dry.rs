//! A host without a server: every statement succeeds and answers nothing, as `--mysql-dry-run` has it.

use assay_wire::{Outcome, Param};

use crate::{Counter, Host, Results, SqlError, Whereabouts};

/// A dry run of so many events.
#[derive(Default)]
pub struct DryRun {
    /// Events that may still begin.
    pub events: u64,
    /// Texts and prepared statements that were sent.
    pub statements: u64,
    /// Events that have succeeded.
    pub succeeded: u64,
    pub restarts: u64,
    /// The lines that the script's state had to say.
    pub log: Vec<String>,
    /// Hears when the script begins to compute, and when it has ended to.
    pub watch: Option<Watch>,
}

/// What hears of a script that computes, as [`Host::computes`] does.
pub type Watch = Box<dyn Fn(Option<&Whereabouts>)>;

impl DryRun {
    pub fn new(events: u64) -> Self {
        Self { events, ..Self::default() }
    }
}

impl Host for DryRun {
    type Connection = ();
    type Prepared = ();

    async fn connect(&mut self) -> Result<(), SqlError> {
        Ok(())
    }

    async fn query(&mut self, (): &mut (), _sql: &[u8], _results: &mut Results) -> Result<Outcome, SqlError> {
        self.statements += 1;
        Ok(Outcome::default())
    }

    async fn prepare(&mut self, (): &mut (), _sql: &str) -> Result<Option<()>, SqlError> {
        Ok(Some(()))
    }

    async fn execute(
        &mut self,
        (): &mut (),
        (): &mut (),
        _params: &[Param<'_>],
    ) -> Result<Outcome, SqlError> {
        self.statements += 1;
        Ok(Outcome::default())
    }

    fn parameters(&self, (): &()) -> Option<usize> {
        None
    }

    async fn close(&mut self, (): &mut (), (): ()) {}

    async fn disconnect(&mut self, (): ()) {}

    fn is_usable(&self, (): &()) -> bool {
        true
    }

    fn failed(&mut self, _error: &SqlError, _reconnected: bool) {}

    async fn ready(&mut self) {}

    async fn next(&mut self, ended: bool) -> bool {
        self.succeeded += u64::from(ended);
        let more = self.events > 0;
        self.events -= u64::from(more);
        more
    }

    fn over(&mut self, ended: bool) {
        self.succeeded += u64::from(ended);
    }

    fn restarts(&mut self) -> bool {
        self.restarts += 1;
        true
    }

    async fn sleep(&mut self, _ns: u64) {}

    async fn pause_between_tries(&mut self, _ns: u64) -> bool {
        true
    }

    fn count(&mut self, _counter: Counter, _amount: i64) {}

    fn log(&mut self, line: &str) {
        self.log.push(line.to_owned());
    }

    fn computes(&mut self, whereabouts: Option<&Whereabouts>) {
        if let Some(watch) = &self.watch {
            watch(whereabouts);
        }
    }
}
