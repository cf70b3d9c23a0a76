//! The names of what is tallied, in the order of its numbers.

use assay_tally::{Scheduled, Shape};
use assay_workload::Workload;

/// The label of whole transactions.
const WHOLE: &str = "transaction";
/// The label of connections opened anew, where the job wants that.
const CONNECT: &str = "connect";

/// Histograms are numbered so: whole transactions, statement labels, kinds of transactions, opening anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    labels: Vec<&'static str>,
    pub kinds: Vec<&'static str>,
    pub counters: Vec<&'static str>,
    reconnects: bool,
}

impl Names {
    pub fn of(workload: &impl Workload, reconnects: bool) -> Self {
        Self {
            labels: workload.labels().to_vec(),
            kinds: workload.kinds().to_vec(),
            counters: workload.counters().to_vec(),
            reconnects,
        }
    }

    pub fn first_kind(&self) -> usize {
        1 + self.labels.len()
    }

    pub fn shape(&self, scheduled: Scheduled, thinks: bool) -> Shape {
        let (first_kind, kinds) = (self.first_kind(), self.kinds.len());
        let labels = first_kind + kinds + usize::from(self.reconnects);
        Shape { labels, first_kind, kinds, counters: self.counters.len(), scheduled, thinks }
    }

    /// Names and histogram numbers of everything that is no kind.
    pub fn labels(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let last = self.first_kind() + self.kinds.len();
        let whole = std::iter::once((WHOLE, 0));
        let labels = self.labels.iter().enumerate().map(|(number, name)| (*name, number + 1));
        whole.chain(labels).chain(self.reconnects.then_some((CONNECT, last)))
    }
}
