//! The choice of LinkBench's next operation.

use crate::linkbench::options::MixOptions;
use crate::{KindId, OptionError};

/// The ten operations. The numbers are those of [`KindId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    AddLink,
    DeleteLink,
    UpdateLink,
    CountLink,
    MultigetLink,
    GetLinksList,
    AddNode,
    UpdateNode,
    DeleteNode,
    GetNode,
}

pub(crate) const NAMES: [&str; 10] = [
    "add_link",
    "delete_link",
    "update_link",
    "count_link",
    "multiget_link",
    "get_links_list",
    "add_node",
    "update_node",
    "delete_node",
    "get_node",
];

const ALL: [RequestKind; 10] = [
    RequestKind::AddLink,
    RequestKind::DeleteLink,
    RequestKind::UpdateLink,
    RequestKind::CountLink,
    RequestKind::MultigetLink,
    RequestKind::GetLinksList,
    RequestKind::AddNode,
    RequestKind::UpdateNode,
    RequestKind::DeleteNode,
    RequestKind::GetNode,
];

impl RequestKind {
    pub(crate) fn id(self) -> KindId {
        KindId(self as u8)
    }
}

/// How far from 100 the shares may be together: the original's own are rounded.
const TOLERANCE: f64 = 1e-5;

#[derive(Debug, Clone)]
pub(crate) struct Mix {
    /// Upper ends of the shares of 1.
    ends: [f64; 10],
    last: usize,
}

impl Mix {
    /// # Errors
    /// The shares are not 100 together.
    pub(crate) fn new(options: &MixOptions) -> Result<Self, OptionError> {
        let shares = [
            options.addlink,
            options.deletelink,
            options.updatelink,
            options.countlink,
            options.getlink,
            options.getlinklist,
            options.addnode,
            options.updatenode,
            options.deletenode,
            options.getnode,
        ];
        let sum: f64 = shares.iter().sum();
        if (sum - 100.0).abs() > TOLERANCE {
            return Err(OptionError(format!(
                "the shares addlink, deletelink, updatelink, countlink, getlink, getlinklist, addnode, updatenode, \
                 deletenode and getnode must add up to 100, not {sum}"
            )));
        }
        let mut end = 0.0;
        let ends = shares.map(|share| {
            end += share / 100.0;
            end
        });
        Ok(Self { ends, last: shares.iter().rposition(|share| *share > 0.0).unwrap_or(0) })
    }

    /// The kind for a number drawn from [0, 1).
    pub(crate) fn kind(&self, drawn: f64) -> RequestKind {
        ALL[self.ends.iter().position(|end| drawn < *end).unwrap_or(self.last)]
    }
}
