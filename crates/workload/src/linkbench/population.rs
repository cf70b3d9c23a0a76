//! The rows of a fresh graph.

use std::io::Write;

use crate::Rng;
use crate::linkbench::id2::Ends;
use crate::linkbench::links::{FIRST_TYPE, Links};
use crate::linkbench::literal::quoted;
use crate::linkbench::payload::Payload;

/// The time at which the graph was loaded, in ms since 1970: a fixed date, so that the same seed makes the same rows.
pub(crate) const LOADED_MS: u64 = 1_767_225_600_000;
/// Links of a fresh graph are no older than this: about 50 days.
const OLDEST_MS: u64 = 1 << 32;

pub(crate) const NODE_TYPE: u64 = 2048;

/// First word of keys: times are not drawn from the numbers of chunks, because counttable must find them again.
const TIME: u64 = 0x7469_6d65;

#[derive(Debug, Clone)]
pub(crate) struct Population {
    pub(crate) seed: u64,
    pub(crate) links: Links,
    pub(crate) ends: Ends,
    pub(crate) link: Payload,
    pub(crate) node: Payload,
}

impl Population {
    /// The time at which link `number`, from 0, of an id and type was made.
    fn time_ms(&self, id: u64, type_number: u64, number: u64) -> u64 {
        LOADED_MS - Rng::keyed(&[TIME, self.seed, type_number, id, number]).range(1, OLDEST_MS)
    }

    pub(crate) fn link(&self, id1: u64, type_number: u64, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let link_type = FIRST_TYPE + type_number;
        let id2 = self.ends.loaded(self.seed, id1, link_type, number);
        // Writing to a vector cannot fail.
        let _ = write!(out, "({id1},{id2},{link_type},1,");
        quoted(out, |out| self.link.put(rng, out));
        let _ = write!(out, ",{},0)", self.time_ms(id1, type_number, number));
    }

    /// Nothing where the id has no links of the type.
    pub(crate) fn count(&self, id: u64, type_number: u64, out: &mut Vec<u8>) {
        let count = self.links.of_type(id, type_number);
        let newest = (0..count).map(|number| self.time_ms(id, type_number, number)).max();
        if let Some(newest) = newest {
            let _ = write!(out, "({id},{},{count},{newest},0)", FIRST_TYPE + type_number);
        }
    }

    pub(crate) fn node(&self, id: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let _ = write!(out, "({id},{NODE_TYPE},1,{},", LOADED_MS / 1000);
        quoted(out, |out| self.node.put(rng, out));
        out.push(b')');
    }
}
