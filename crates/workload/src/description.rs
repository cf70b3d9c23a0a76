//! What everybody but the event loops knows of a workload: its names, its statements, its tables.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use assay_wire::Rows;
use serde::Serialize;

use crate::effect::reads;
use crate::own::{Account, ReadsSoFar};
use crate::statement::Statements;
use crate::{Dataset, Ledger, OptionError, Pause};

/// A workload with its options, as the plan of a run, its results and the work on its tables see it.
///
/// The engine asks once, before the load. A workload writes what it has: its statements and its tables, and of the rest
/// what differs from the defaults.
pub trait Description: Send + Sync {
    /// The statements that connections prepare, and the labels under which times are kept.
    fn statements(&self) -> &Statements;

    /// Whether the load with these options may change rows. Workloads that list no statement make texts with rows in them.
    fn writes(&self) -> bool {
        let list = self.statements().list();
        list.is_empty() || list.iter().any(|one| !reads(&one.sql))
    }

    /// The tables that the workload works on.
    fn data(&self) -> &dyn Dataset;

    /// Names of the kinds of transactions that there are with these options, each with counts and times of its own;
    /// [`KindId`](crate::KindId) indexes them. None: all transactions are alike.
    fn kinds(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// Names of what the workload counts beside transactions, at most [`COUNTERS_MAX`](crate::COUNTERS_MAX);
    /// [`CounterId`](crate::CounterId) indexes them.
    fn counters(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// Measures that the workload has by names of its own; each is of one of the [`kinds`](Self::kinds).
    fn measures(&self) -> Vec<Measure> {
        Vec::new()
    }

    /// What is worth knowing about a result of this workload, by name: what it found in the tables, what it drew.
    fn facts(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Whether the load adds rows beyond those of the data, or takes them away for good: tables of another size than a
    /// fresh load's are then its own work.
    fn resizes(&self) -> bool {
        false
    }

    /// How many of how many parts of the tables so many terminals work in, where each has its own: TPC-C's home
    /// warehouses. None: each terminal works in all of them.
    fn reach(&self, _terminals: u32) -> Option<(u64, u64)> {
        None
    }

    /// The workload's own pace, where it has one.
    fn pace(&self) -> Option<Arc<dyn Pace>> {
        None
    }

    /// The instant that statements take for the beginning of the load, in seconds since 1970; it advances with the load.
    /// None: that of the server's clock.
    fn pinned_time(&self) -> Option<i64> {
        None
    }

    /// Whether the load ends where all transactions of a kind have failed for a second: no workload that others have tried.
    fn gives_up(&self) -> bool {
        false
    }

    /// What the load has found and changed so far, where the workload is a person's own.
    fn account(&self) -> Option<Account> {
        None
    }

    /// What each statement that reads has found so far, where the workload is a person's own. Cheaper than the whole account.
    fn reads_so_far(&self) -> Vec<ReadsSoFar> {
        Vec::new()
    }

    /// Hears what the server answered in place of what was asked for and is not needed.
    fn unanswered(&mut self, _why: String) {}

    /// What becomes of work that transactions leave for later, where they leave any.
    fn deferral(&self) -> Option<Deferral> {
        None
    }

    /// What the transactions promise when their COMMIT is acknowledged; [`LedgerId`](crate::LedgerId) indexes it.
    fn ledgers(&self) -> Vec<Ledger> {
        Vec::new()
    }

    /// The reader of the notes that `prepare` has left in the tables, where the workload must know them.
    fn learner(&mut self) -> Option<&mut dyn Learner> {
        None
    }

    /// What the workload must know of the tables before the load: each is asked once, on one connection.
    fn questions(&mut self) -> Vec<Question<'_>> {
        Vec::new()
    }

    /// Hears that every question has its answer.
    ///
    /// # Errors
    /// The tables have not what the workload needs; the message names it.
    fn answered(&mut self) -> Result<(), OptionError> {
        Ok(())
    }
}

/// A query about the tables, and who takes its rows.
pub struct Question<'a> {
    pub sql: String,
    pub rows: &'a mut dyn Rows,
    /// What a person has written that asks it, `shop.sql:3:1`.
    pub place: Option<String>,
    /// Whether the load goes without an answer.
    pub optional: bool,
}

/// A measure that a workload has by a name of its own: how many transactions of one kind fell due and ended inside the
/// measured window, over its length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measure {
    pub name: Cow<'static, str>,
    /// What a figure of it is told in: `/min`.
    pub unit: Cow<'static, str>,
    /// The kind of transactions.
    pub kind: Cow<'static, str>,
    /// Seconds of the time in the unit: 60 of a minute.
    pub per_s: u32,
    /// Whether figures are cut to whole numbers.
    pub whole: bool,
}

/// A workload's own pace: how long its terminals wait, and how many of them it is meant for.
pub trait Pace: Send + Sync {
    /// The wait of a terminal before its operation `number`.
    fn pause(&self, terminal: u32, number: u64) -> Pause;

    /// The number of terminals that the pace is meant for on these tables: TPC-C's ten a warehouse. None: any number.
    fn terminals(&self) -> Option<u64> {
        None
    }
}

/// Work that transactions leave for later, [`Operation::defer`](crate::Operation::defer), and a driver's
/// [`deferred`](crate::Driver::deferred) does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deferral {
    /// Column names of what is written down of each piece of work.
    pub record: Vec<Arc<str>>,
}

/// The part of a workload that reads what `prepare` wrote down, [`Dataset::notes`], before `run` and `check`.
pub trait Learner {
    /// Takes the notes, by name; none where there is no table of notes.
    ///
    /// # Errors
    /// The tables are not those of the options; the message names both.
    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError>;
}

/// Names as a description gives them.
pub(crate) fn names(names: &[&str]) -> Vec<Arc<str>> {
    names.iter().map(|name| Arc::from(*name)).collect()
}
