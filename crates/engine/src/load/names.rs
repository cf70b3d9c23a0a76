//! The names of what is tallied, in the order of its numbers.

use std::sync::Arc;

use assay_tally::{Scheduled, Shape};
use assay_workload::{COUNTERS_MAX, Description};

use crate::process::failure::Fatal;

/// The label of whole transactions.
pub(crate) const WHOLE: &str = "transaction";
/// The label of connections opened anew, where the job wants that.
const CONNECT: &str = "connect";

/// Histograms that a record of 16 bits tells apart, one number being none of them.
const HISTOGRAMS_MOST: usize = u16::MAX as usize;

/// Histograms are numbered so: whole transactions, statement labels, kinds of transactions, opening anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    labels: Vec<Arc<str>>,
    pub kinds: Vec<Arc<str>>,
    pub counters: Vec<Arc<str>>,
    reconnects: bool,
}

impl Names {
    /// The names of a workload; `reconnects`: whether connections are opened anew.
    ///
    /// # Errors
    /// The workload has a label that is the engine's own, more counters than an operation counts, or more labels and
    /// kinds than there are numbers for.
    pub(crate) fn of(workload: &dyn Description, reconnects: bool) -> Result<Self, Fatal> {
        let (labels, counters) = (workload.statements().labels().to_vec(), workload.counters());
        if let Some(taken) = labels.iter().find(|label| [WHOLE, CONNECT].contains(&&***label)) {
            return Err(Fatal::job(format!(
                "workload: label {taken:?} is reserved for the engine: use another name"
            )));
        }
        let histograms = 2 + labels.len() + workload.kinds().len();
        if histograms > HISTOGRAMS_MOST {
            return Err(Fatal::job(format!(
                "workload: {} labels and {} kinds of transactions, together there can be {}",
                labels.len(),
                workload.kinds().len(),
                HISTOGRAMS_MOST - 2
            )));
        }
        if counters.len() > COUNTERS_MAX {
            let count = counters.len();
            return Err(Fatal::job(format!("workload: {count} counters, there can be {COUNTERS_MAX}")));
        }
        Ok(Self { labels, kinds: workload.kinds(), counters, reconnects })
    }

    pub(crate) fn first_kind(&self) -> usize {
        1 + self.labels.len()
    }

    pub(crate) fn shape(&self, scheduled: Scheduled, thinks: bool) -> Shape {
        let (first_kind, kinds) = (self.first_kind(), self.kinds.len());
        let labels = first_kind + kinds + usize::from(self.reconnects);
        Shape { labels, first_kind, kinds, counters: self.counters.len(), scheduled, thinks }
    }

    /// Names and histogram numbers of the statement labels.
    pub(crate) fn statements(&self) -> impl Iterator<Item = (&str, usize)> {
        self.labels.iter().enumerate().map(|(number, name)| (&**name, number + 1))
    }

    /// Names and histogram numbers of everything that is no kind.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (&str, usize)> {
        let last = self.first_kind() + self.kinds.len();
        let whole = std::iter::once((WHOLE, 0));
        whole.chain(self.statements()).chain(self.reconnects.then_some((CONNECT, last)))
    }
}
