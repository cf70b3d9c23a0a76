//! The places of operations in their files.

use assay_chance::{Permutation, Rng, Zipf};
use serde::{Deserialize, Serialize};

use super::Sizes;
use crate::spec::{Access, Distribution, Order};

/// Files of one size; only bytes from `from` on are touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    pub files: u32,
    pub file_bytes: u64,
    pub from: u64,
}

impl Space {
    /// Bytes of a file that may be touched.
    pub fn usable(&self) -> u64 {
        self.file_bytes.saturating_sub(self.from)
    }

    pub fn total(&self) -> u64 {
        self.usable() * u64::from(self.files)
    }
}

#[derive(Debug, Clone)]
pub struct Offsets {
    space: Space,
    grain: u64,
    /// The number of grains of one file, and of all files.
    per_file: u64,
    grains: u64,
    way: Walk,
}

#[derive(Debug, Clone)]
enum Walk {
    /// A walk: the file and offset where the next write, and the next read, starts.
    Sequential {
        at: [(u32, u64); 2],
        in_turn: bool,
    },
    /// A walk of all workers together: the next block of this one, and the distance to the one after it.
    Shared {
        next: u64,
        stride: u64,
    },
    Once {
        order: Permutation,
        key: u64,
        pass: u64,
        next: u64,
    },
    Uniform,
    Zipf {
        law: Zipf,
        scatter: Permutation,
    },
    /// Zones: first grain, number of grains, share of all operations up to and with it.
    Zones(Vec<(u64, u64, f64)>),
}

impl Offsets {
    pub fn new(access: &Access, space: Space, sizes: &[Sizes; 2], key: u64, clone: (u64, u64)) -> Self {
        let grain = access.grain();
        let per_file = (space.usable() / grain).max(1);
        let grains = per_file * u64::from(space.files);
        let one_size = [access.read_share < 1.0, access.read_share > 0.0]
            .into_iter()
            .zip(sizes)
            .all(|(used, sizes)| !used || matches!(sizes, Sizes::One(bytes) if u64::from(*bytes) == grain));
        let way = match (&access.order, &access.distribution) {
            (Order::Sequential, _) => Walk::Sequential { at: [(0, 0); 2], in_turn: false },
            (Order::SequentialShared, _) => Walk::Shared { next: clone.0 % grains, stride: clone.1 },
            (Order::SequentialInTurn, _) => Walk::Sequential { at: [(0, 0); 2], in_turn: true },
            (Order::Random, Distribution::Once) if one_size => {
                Walk::Once { order: Permutation::new(grains, key), key, pass: 0, next: 0 }
            }
            (Order::Random, Distribution::Once | Distribution::Uniform) => Walk::Uniform,
            (Order::Random, Distribution::Zipf { theta }) => {
                Walk::Zipf { law: Zipf::new(grains, *theta), scatter: Permutation::new(grains, key) }
            }
            (Order::Random, Distribution::Zones { zones }) => {
                let share = |value: f64, total: f64| value / total;
                let operations: f64 = zones.iter().map(|zone| zone.operations).sum();
                let space: f64 = zones.iter().map(|zone| zone.space).sum();
                let (mut first, mut sum, mut part) = (0, 0.0, 0.0);
                let places = zones.iter().map(|zone| {
                    part += share(zone.space, space);
                    sum += share(zone.operations, operations);
                    let start = first;
                    first = ((grains as f64 * part).round() as u64).clamp(start, grains);
                    (start, (first - start).max(1), sum)
                });
                Walk::Zones(places.collect())
            }
        };
        Self { space, grain, per_file, grains, way }
    }

    /// The file, offset and size of the next operation; the size is only cut where a file ends.
    #[inline]
    pub fn place(&mut self, rng: &mut Rng, read: bool, bytes: u32) -> (u32, u64, u32) {
        let grain = match &mut self.way {
            Walk::Sequential { at, in_turn } => {
                let place = follow(&mut at[usize::from(read)], &self.space, *in_turn, bytes);
                return (place.0, self.space.from + place.1, place.2);
            }
            Walk::Shared { next, stride } => {
                let now = *next;
                *next = (now + *stride) % self.grains;
                now
            }
            Walk::Once { order, key, pass, next } => {
                if *next == self.grains {
                    (*next, *pass) = (0, *pass + 1);
                    *order = Permutation::new(self.grains, key.wrapping_add(*pass));
                }
                *next += 1;
                order.at(*next - 1)
            }
            Walk::Uniform => rng.below(self.grains),
            Walk::Zipf { law, scatter } => scatter.at(law.rank(rng)),
            Walk::Zones(zones) => {
                let unit = rng.unit();
                let zone = zones.iter().find(|zone| unit < zone.2).or(zones.last());
                zone.map_or(0, |(first, count, _)| (first + rng.below(*count)).min(self.grains - 1))
            }
        };
        let (file, index) = match self.space.files {
            1 => (0, grain),
            _ => ((grain / self.per_file) as u32, grain % self.per_file),
        };
        // A large operation near the end of a file begins before the drawn place.
        let usable = self.space.usable();
        let last = usable.saturating_sub(u64::from(bytes)) / self.grain * self.grain;
        let offset = (index * self.grain).min(last);
        (file, self.space.from + offset, bytes.min((usable - offset).min(u64::from(u32::MAX)) as u32))
    }
}

/// The next place of a sequential walk, cut at the end of the file. With files in turn, all are at the same byte and
/// the walk goes on when the last one was touched.
#[inline]
fn follow(at: &mut (u32, u64), space: &Space, in_turn: bool, bytes: u32) -> (u32, u64, u32) {
    let usable = space.usable();
    if at.1 >= usable {
        *at = (if in_turn { 0 } else { (at.0 + 1) % space.files }, 0);
    }
    let (file, offset) = *at;
    let bytes = u64::from(bytes).min(usable - offset);
    if !in_turn {
        at.1 += bytes;
    } else if file + 1 == space.files {
        *at = (0, offset + bytes);
    } else {
        at.0 += 1;
    }
    (file, offset, bytes as u32)
}
