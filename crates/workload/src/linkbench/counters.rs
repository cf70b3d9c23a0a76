//! What operations found, counted as it happens.

use crate::CounterId;

pub(crate) const NAMES: [&str; 14] = [
    "links_added",
    "links_rewritten",
    "links_restored",
    "links_hidden",
    "links_not_there",
    "lists",
    "lists_continued",
    "links_listed",
    "links_asked",
    "links_found",
    "nodes_read",
    "nodes_found",
    "nodes_updated",
    "nodes_deleted",
];

/// A row that was not there before.
pub(crate) const ADDED: CounterId = CounterId(0);
/// A visible link that was added again, or updated.
pub(crate) const REWRITTEN: CounterId = CounterId(1);
/// A hidden link that was added again, or updated.
pub(crate) const RESTORED: CounterId = CounterId(2);
pub(crate) const HIDDEN: CounterId = CounterId(3);
/// A deletion that found no visible link.
pub(crate) const NOT_THERE: CounterId = CounterId(4);
pub(crate) const LISTS: CounterId = CounterId(5);
pub(crate) const CONTINUED: CounterId = CounterId(6);
pub(crate) const LISTED: CounterId = CounterId(7);
/// Links that multigets asked for.
pub(crate) const ASKED: CounterId = CounterId(8);
pub(crate) const FOUND: CounterId = CounterId(9);
pub(crate) const NODES_READ: CounterId = CounterId(10);
pub(crate) const NODES_FOUND: CounterId = CounterId(11);
/// Updates and deletions that found their node.
pub(crate) const NODES_UPDATED: CounterId = CounterId(12);
pub(crate) const NODES_DELETED: CounterId = CounterId(13);
