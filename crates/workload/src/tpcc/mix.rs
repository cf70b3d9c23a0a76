//! The next transaction of a terminal, and its time (clauses 5.2.3 to 5.2.5).

use std::borrow::Cow;

use crate::tpcc::options::{MixKind, Options};
use crate::{KindId, Measure, Pause, Rng};

/// The five transactions. The numbers are those of [`KindId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionKind {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

/// The last is the work that queued Deliveries left (clause 2.7.2): no card of the deck, but measured apart.
pub(crate) const NAMES: [&str; 6] =
    ["new_order", "payment", "order_status", "delivery", "stock_level", "delivery_deferred"];
pub(crate) const DEFERRED: KindId = KindId(5);

/// tpmC (clause 5.1.1): New-Orders a minute, those rolled back too, as a whole number.
pub(crate) const MEASURES: [Measure; 1] = [Measure {
    name: Cow::Borrowed("tpmc"),
    unit: Cow::Borrowed("/min"),
    kind: Cow::Borrowed(NAMES[TransactionKind::NewOrder as usize]),
    per_s: 60,
    whole: true,
}];

const ALL: [TransactionKind; 5] = [
    TransactionKind::NewOrder,
    TransactionKind::Payment,
    TransactionKind::OrderStatus,
    TransactionKind::Delivery,
    TransactionKind::StockLevel,
];
/// Cards of each kind in a deck of 23.
const CARDS: [u8; 5] = [10, 10, 1, 1, 1];
const DECK: usize = 23;
/// Seconds of keying before, and on average of thinking after, each kind (clause 5.2.5.7).
const KEYING_S: [f64; 5] = [18.0, 3.0, 2.0, 2.0, 2.0];
const THINK_S: [f64; 5] = [12.0, 12.0, 10.0, 5.0, 5.0];
/// Longest think time, in means.
const LONGEST_THINK: f64 = 10.0;

/// First words of keys: these numbers are not those of operations.
const SHUFFLE: u64 = 0x6465_636b;
const PAUSE: u64 = 0x7470_6363;

impl TransactionKind {
    pub(crate) fn id(self) -> KindId {
        KindId(self as u8)
    }
}

/// The order of kinds of one terminal: a function of (seed, terminal, number).
#[derive(Debug, Clone)]
pub(crate) enum Mix {
    Deck,
    /// Upper ends of the shares of 1.
    Weights([f64; 5]),
}

impl Mix {
    pub(crate) fn new(options: &Options) -> Self {
        match options.mix {
            MixKind::Deck => Self::Deck,
            MixKind::Weights => {
                let mut sum = 0.0;
                Self::Weights(options.weights().map(|weight| {
                    sum += weight / 100.0;
                    sum
                }))
            }
        }
    }

    /// The kind of operation `number` of a terminal.
    pub(crate) fn kind(&self, seed: u64, terminal: u32, number: u64) -> TransactionKind {
        match self {
            Self::Deck => {
                let deck = deck(seed, terminal, number / DECK as u64);
                deck[(number % DECK as u64) as usize]
            }
            Self::Weights(ends) => {
                let drawn = Rng::keyed(&[SHUFFLE, seed, terminal.into(), number]).unit();
                let last = ends.iter().rposition(|end| *end > 0.0).unwrap_or(0);
                ALL[ends.iter().position(|end| drawn < *end).unwrap_or(last)]
            }
        }
    }

    /// Keying of operation `number`, after thinking about the one before it. The first comes at a random part of its
    /// keying and a mean think time, so that terminals do not start in step.
    pub(crate) fn pause(&self, seed: u64, terminal: u32, number: u64) -> Pause {
        let mut rng = Rng::keyed(&[PAUSE, seed, terminal.into(), number]);
        let keying = KEYING_S[self.kind(seed, terminal, number) as usize];
        let (think, keying) = match number.checked_sub(1) {
            None => (0.0, rng.unit() * (keying + THINK_S[0])),
            Some(before) => {
                let mean = THINK_S[self.kind(seed, terminal, before) as usize];
                ((-(1.0 - rng.unit()).ln()).min(LONGEST_THINK) * mean, keying)
            }
        };
        Pause { think_ns: (think * 1e9) as u64, keying_ns: (keying * 1e9) as u64 }
    }
}

/// A shuffled deck (Fisher and Yates).
fn deck(seed: u64, terminal: u32, pass: u64) -> [TransactionKind; DECK] {
    let mut cards = [TransactionKind::NewOrder; DECK];
    let each = ALL.iter().zip(CARDS).flat_map(|(kind, count)| std::iter::repeat_n(*kind, count.into()));
    cards.iter_mut().zip(each).for_each(|(card, kind)| *card = kind);
    let mut rng = Rng::keyed(&[SHUFFLE, seed, terminal.into(), pass]);
    for last in (1..DECK).rev() {
        cards.swap(last, rng.range(0, last as u64) as usize);
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(mix: &Mix, count: u64) -> [u64; 5] {
        let mut seen = [0; 5];
        (0..count).for_each(|number| seen[mix.kind(1, 3, number) as usize] += 1);
        seen
    }

    #[test]
    fn a_deck_has_its_cards_in_an_order_of_its_own() {
        for pass in 0..10 {
            let mut seen = [0; 5];
            for kind in deck(1, 2, pass) {
                seen[kind as usize] += 1;
            }
            assert_eq!(seen, CARDS);
        }
        assert_ne!(deck(1, 2, 0), deck(1, 2, 1));
        assert_ne!(deck(1, 2, 0), deck(1, 3, 0));
        assert_eq!(shares(&Mix::Deck, 2300), [1000, 1000, 100, 100, 100]);
    }

    #[test]
    fn weights_are_shares() {
        let options = Options { mix: MixKind::Weights, ..Options::default() };
        let seen = shares(&Mix::new(&options), 100_000);
        for (count, weight) in seen.iter().zip(options.weights()) {
            // Deviation at most 158.
            assert!((*count as f64 - weight * 1000.0).abs() < 900.0, "{seen:?}");
        }
        let only = Options { new_order: 100.0, payment: 0.0, order_status: 0.0, ..options };
        let only = Options { delivery: 0.0, stock_level: 0.0, ..only };
        assert_eq!(shares(&Mix::new(&only), 1000), [1000, 0, 0, 0, 0]);
    }

    #[test]
    fn a_terminal_has_the_pace_of_the_specification() {
        // Means of keying and thinking over a deck: 10/23 (18 + 12) + 10/23 (3 + 12) + (2 + 10 + 2 + 5 + 2 + 5) / 23.
        let mean = (10.0 * 30.0 + 10.0 * 15.0 + 26.0) / 23.0;
        let pauses = (1..=46_000).map(|number| Mix::Deck.pause(1, 0, number));
        let total: f64 = pauses.map(|pause| (pause.think_ns + pause.keying_ns) as f64 / 1e9).sum();
        assert!((total / 46_000.0 / mean - 1.0).abs() < 0.02, "{}", total / 46_000.0);
    }
}
