//! The choice of the next row of a pool.

use assay_chance::{Permutation, Zipf};

use crate::Rng;
use crate::own::draw::How;
use crate::own::pool::Pool;

/// The choice of the next row of a pool.
#[derive(Debug)]
pub(super) enum Choice {
    Alike(u64),
    AsCounted(Alias),
    Ranked {
        law: Zipf,
        order: Vec<u32>,
    },
    Hot {
        hot: u64,
        all: u64,
        draws: f64,
    },
    InOrder {
        all: u64,
    },
    Shuffled {
        all: u64,
        order: Permutation,
    },
    /// Every so many rows, as many as there are terminals.
    Unique {
        all: u64,
    },
}

/// A draw of a terminal: its number, and how often it has drawn before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) terminal: u64,
    pub(super) of: u64,
    /// Values of this draw that the terminal has drawn, where they come one after the other.
    pub(super) drawn: u64,
}

impl Turn {
    /// The number of the draw among those of all terminals: each number once.
    #[inline]
    pub(super) fn index(self) -> u64 {
        self.drawn.wrapping_mul(self.of).wrapping_add(self.terminal)
    }
}

impl Choice {
    pub(super) fn new(how: How, pool: &Pool) -> Self {
        let all = pool.len() as u64;
        match how {
            How::Distinct => Self::Alike(all),
            How::Rows if pool.counts.iter().all(|count| *count == pool.counts[0]) => Self::Alike(all),
            How::Rows => Self::AsCounted(Alias::new(&pool.counts)),
            How::Zipf(theta) => Self::Ranked { law: Zipf::new(all, theta), order: pool.by_count() },
            How::Latest(theta) => Self::Ranked { law: Zipf::new(all, theta), order: pool.by_value() },
            How::Hot { values, draws } => {
                let hot = ((all as f64 * values).round() as u64).clamp(1, all);
                Self::Hot { hot, all, draws }
            }
            How::InOrder => Self::InOrder { all },
            How::Shuffled => Self::Shuffled { all, order: Permutation::new(all, pool.key()) },
            How::Unique => Self::Unique { all },
        }
    }

    /// The next row; none where a terminal has no row of its own.
    #[inline]
    pub(super) fn next(&self, rng: &mut Rng, turn: Turn) -> Option<usize> {
        let row = match self {
            Self::Alike(n) => rng.range(0, n - 1),
            Self::AsCounted(alias) => alias.next(rng),
            Self::Ranked { law, order } => u64::from(order[law.rank(rng) as usize]),
            Self::Hot { hot, all, draws } => {
                if hot == all || rng.unit() < *draws {
                    rng.range(0, hot - 1)
                } else {
                    rng.range(*hot, all - 1)
                }
            }
            Self::InOrder { all } => turn.index() % all,
            Self::Shuffled { all, order } => order.at(turn.index() % all),
            Self::Unique { all } => {
                let last = all.checked_sub(turn.terminal + 1)? / turn.of;
                turn.terminal + turn.of * rng.range(0, last)
            }
        };
        Some(row as usize)
    }
}

/// Numbers in proportion to weights, each in constant time (Walker 1977; built as Vose 1991 does).
#[derive(Debug)]
pub(super) struct Alias {
    /// The share of a number's own cell that is its own, and whose the rest is.
    cells: Vec<(f64, u32)>,
}

impl Alias {
    fn new(weights: &[u64]) -> Self {
        let sum: f64 = weights.iter().map(|weight| *weight as f64).sum();
        let scale = weights.len() as f64 / sum;
        let mut left: Vec<f64> = weights.iter().map(|weight| *weight as f64 * scale).collect();
        let mut cells: Vec<(f64, u32)> = (0..weights.len() as u32).map(|own| (1.0, own)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..left.len()).partition(|at| left[*at] < 1.0);
        while let (Some(poor), Some(rich)) = (small.pop(), large.last().copied()) {
            cells[poor] = (left[poor], rich as u32);
            left[rich] -= 1.0 - left[poor];
            if left[rich] < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        Self { cells }
    }

    #[inline]
    fn next(&self, rng: &mut Rng) -> u64 {
        let cell = rng.range(0, self.cells.len() as u64 - 1);
        let (own, other) = self.cells[cell as usize];
        if rng.unit() < own { cell } else { other.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::pool::Values;
    use crate::own::sampler::Sampler;

    const ALONE: Turn = Turn { terminal: 0, of: 1, drawn: 0 };

    fn sampled(most: usize, rows: impl Iterator<Item = u32>) -> Pool {
        let mut sampler = Sampler::keeping(most);
        rows.for_each(|row| sampler.add([row.to_string().as_bytes()].into_iter()));
        sampler.taken().pool().expect("rows")
    }

    fn texts(pool: &Pool) -> Vec<(String, u64)> {
        let Some(Values::Texts(values)) = pool.column(0) else { panic!("texts") };
        let texts = values.iter().map(|value| String::from_utf8_lossy(value).into_owned());
        texts.zip(pool.counts.iter().copied()).collect()
    }

    #[test]
    fn a_sample_does_not_depend_on_the_order_of_rows_and_its_counts_are_whole() {
        // Number n is there n % 7 + 1 times.
        let rows: Vec<u32> = (0..5_000).flat_map(|n| std::iter::repeat_n(n, n as usize % 7 + 1)).collect();
        let (there, back) = (sampled(100, rows.iter().copied()), sampled(100, rows.iter().rev().copied()));
        assert_eq!(texts(&there), texts(&back));
        assert_eq!(there.len(), 100);
        assert!(
            texts(&there)
                .iter()
                .all(|(text, count)| text.parse::<u64>().expect("a number") % 7 + 1 == *count)
        );
    }

    #[test]
    fn rows_come_as_often_as_they_are_in_the_table() {
        let rows = (0..10).flat_map(|n| std::iter::repeat_n(n, n as usize * n as usize + 1));
        let pool = sampled(1_000_000, rows);
        let choice = Choice::new(How::Rows, &pool);
        let (mut rng, mut seen) = (Rng::keyed(&[1]), vec![0_u64; pool.len()]);
        let (draws, sum) = (1_000_000, pool.counts.iter().sum::<u64>());
        (0..draws).for_each(|_| seen[choice.next(&mut rng, ALONE).expect("a row")] += 1);
        let square = |(seen, count): (&u64, &u64)| {
            let expected = (draws * count) as f64 / sum as f64;
            (*seen as f64 - expected).powi(2) / expected
        };
        // Chi-squared with nine degrees of freedom: 21.67 at one in a hundred.
        let chi_squared: f64 = seen.iter().zip(&pool.counts).map(square).sum();
        assert!(chi_squared < 21.67, "{chi_squared}");
    }

    #[test]
    fn shares_of_hot_values_are_kept() {
        let pool = sampled(1_000_000, 0..1_000);
        let choice = Choice::new(How::Hot { values: 0.2, draws: 0.8 }, &pool);
        let mut rng = Rng::keyed(&[2]);
        let hot = (0..100_000).filter(|_| choice.next(&mut rng, ALONE) < Some(200)).count();
        assert!(hot.abs_diff(80_000) < 700, "{hot}");
        let ranked = Choice::new(How::Latest(0.99), &pool);
        assert!((0..10_000).all(|_| ranked.next(&mut rng, ALONE) < Some(1_000)));
    }

    #[test]
    fn rows_come_in_order_once_before_any_comes_again_or_to_one_terminal_alone() {
        let pool = sampled(100, 0..10);
        let rows = |how: How, of: u64, turns: u64| {
            let choice = Choice::new(how, &pool);
            let draws = (0..of * turns).map(|draw| Turn { terminal: draw % of, of, drawn: draw / of });
            draws
                .map(|turn| choice.next(&mut Rng::keyed(&[turn.index()]), turn).expect("a row"))
                .collect::<Vec<_>>()
        };
        assert!(rows(How::InOrder, 4, 5).into_iter().eq((0..20).map(|draw| draw % 10)));
        let shuffled = rows(How::Shuffled, 4, 5);
        assert_ne!(shuffled[..10], (0..10).collect::<Vec<_>>()[..]);
        let sorted = |half: &[usize]| {
            let mut half = half.to_vec();
            half.sort_unstable();
            half
        };
        assert!(shuffled.chunks(10).all(|half| sorted(half).into_iter().eq(0..10)));
        let unique = rows(How::Unique, 4, 50);
        assert!(unique.iter().enumerate().all(|(draw, row)| row % 4 == draw % 4));
        assert_eq!(sorted(&unique).iter().collect::<std::collections::BTreeSet<_>>().len(), 10);
        let alone = Choice::new(How::Unique, &pool);
        let turn = |terminal| Turn { terminal, of: 11, drawn: 0 };
        assert_eq!(alone.next(&mut Rng::keyed(&[1]), turn(9)), Some(9));
        assert_eq!(alone.next(&mut Rng::keyed(&[1]), turn(10)), None);
    }

    #[test]
    fn ten_million_numbers_of_a_thousand_terminals_come_once_each() {
        let (of, draws) = (1_000_u64, 10_000_u64);
        let mut seen = vec![0_u64; (of * draws) as usize / 64];
        // Three generators have a part of the terminals each; a terminal's number is that of the whole load.
        for terminals in [0..334, 334..667, 667..of] {
            for terminal in terminals {
                for drawn in 0..draws {
                    let index = Turn { terminal, of, drawn }.index();
                    let (word, bit) = ((index / 64) as usize, 1 << (index % 64));
                    assert_eq!(seen[word] & bit, 0, "{index} comes twice");
                    seen[word] |= bit;
                }
            }
        }
        assert!(seen.iter().all(|word| *word == u64::MAX), "no number is left out");
    }
}
