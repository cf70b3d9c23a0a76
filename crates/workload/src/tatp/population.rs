//! The rows of a fresh database: the subscribers and what each of them has.

use std::io::Write;

use crate::{Rng, text};

/// Numbers of the tables.
pub(crate) const SUBSCRIBER: usize = 0;
pub(crate) const ACCESS_INFO: usize = 1;
pub(crate) const SPECIAL_FACILITY: usize = 2;
pub(crate) const CALL_FORWARDING: usize = 3;

/// Types of access infos and of facilities.
pub(crate) const TYPES: u64 = 4;
/// Hours at which a forwarding can start, one every eight.
pub(crate) const STARTS: u64 = 3;
pub(crate) const START_EVERY_HOURS: u64 = 8;
/// Digits of a subscriber's number.
pub(crate) const NUMBER_DIGITS: usize = 15;
/// Highest location.
pub(crate) const LOCATION_MOST: u64 = u32::MAX as u64;

/// First words of the keys of what several tables must agree on.
const ACCESS: u64 = 0x6169;
const FACILITIES: u64 = 0x7366;
const FORWARDINGS: u64 = 0x6366;

/// Slots of a subscriber in a table, those that it leaves out among them.
pub(crate) fn slots(table: usize) -> u64 {
    match table {
        SUBSCRIBER => 1,
        ACCESS_INFO | SPECIAL_FACILITY => TYPES,
        _ => TYPES * STARTS,
    }
}

/// `count` of the numbers `0..of`, each as likely as any other, as the bits of a word.
fn choose(rng: &mut Rng, of: u64, count: u64) -> u64 {
    let mut missing = count;
    (0..of).fold(0, |chosen, number| {
        let taken = rng.range(1, of - number) <= missing;
        missing -= u64::from(taken);
        chosen | u64::from(taken) << number
    })
}

/// What is there is a function of (seed, subscriber).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Population {
    pub(crate) seed: u64,
}

impl Population {
    /// The slots of a table that a subscriber has, as bits.
    pub(crate) fn has(self, table: usize, subscriber: u64) -> u64 {
        let one_to_four = |word| {
            let mut rng = Rng::keyed(&[word, self.seed, subscriber]);
            let count = rng.range(1, TYPES);
            choose(&mut rng, TYPES, count)
        };
        match table {
            SUBSCRIBER => 1,
            ACCESS_INFO => one_to_four(ACCESS),
            SPECIAL_FACILITY => one_to_four(FACILITIES),
            _ => {
                let facilities = one_to_four(FACILITIES);
                let mut rng = Rng::keyed(&[FORWARDINGS, self.seed, subscriber]);
                (0..TYPES).filter(|facility| facilities >> facility & 1 == 1).fold(0, |all, facility| {
                    let count = rng.range(0, STARTS);
                    all | choose(&mut rng, STARTS, count) << (facility * STARTS)
                })
            }
        }
    }

    /// Rows among the numbers `first..=last`, which begin and end with a subscriber.
    pub(crate) fn rows_in(self, table: usize, first: u64, last: u64) -> u64 {
        let slots = slots(table);
        let subscribers = (first - 1) / slots + 1..=last / slots;
        subscribers.map(|subscriber| u64::from(self.has(table, subscriber).count_ones())).sum()
    }

    /// Appends the row of a slot, where the subscriber has it.
    pub(crate) fn row(self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let (subscriber, slot) = ((number - 1) / slots(table) + 1, (number - 1) % slots(table));
        if self.has(table, subscriber) >> slot & 1 == 0 {
            return;
        }
        // Writing to a vector cannot fail.
        let _ = match table {
            SUBSCRIBER => self::subscriber(subscriber, rng, out),
            ACCESS_INFO => {
                let _ = write!(out, "({subscriber},{},{},{},'", slot + 1, byte(rng), byte(rng));
                text::capitals(rng, 3, out);
                out.extend_from_slice(b"','");
                text::capitals(rng, 5, out);
                out.write_all(b"')")
            }
            SPECIAL_FACILITY => {
                let active = u8::from(rng.range(1, 100) <= 85);
                let _ = write!(out, "({subscriber},{},{active},{},{},'", slot + 1, byte(rng), byte(rng));
                text::capitals(rng, 5, out);
                out.write_all(b"')")
            }
            _ => {
                let start = slot % STARTS * START_EVERY_HOURS;
                let end = start + rng.range(1, START_EVERY_HOURS);
                let _ = write!(out, "({subscriber},{},{start},{end},'", slot / STARTS + 1);
                text::digits(rng, NUMBER_DIGITS as u64, out);
                out.write_all(b"')")
            }
        };
    }
}

fn byte(rng: &mut Rng) -> u64 {
    rng.range(0, 255)
}

fn subscriber(id: u64, rng: &mut Rng, out: &mut Vec<u8>) -> std::io::Result<()> {
    write!(out, "({id},'{id:0NUMBER_DIGITS$}'")?;
    for most in [1, 15, 255] {
        for _ in 0..10 {
            write!(out, ",{}", rng.range(0, most))?;
        }
    }
    write!(out, ",{},{})", rng.range(1, LOCATION_MOST), rng.range(1, LOCATION_MOST))
}
