//! Rows that belong to others: which one each belongs to, and which of its own rows it is.

use assay_chance::Permutation;

use crate::spec::FanOut;

/// Owners between two kept sums. A walk of 8 in the mean costs less than a cache miss of a longer list.
const STEP: u64 = 16;

/// Owners that have about equally many rows.
#[derive(Debug, Clone, Copy)]
struct Class {
    first: u64,
    owners: u64,
    rows: u64,
}

impl Class {
    fn before(&self, owner: u64) -> u64 {
        (u128::from(owner) * u128::from(self.rows) / u128::from(self.owners)) as u64
    }
}

/// The rows of owners, which lie together in the order of their owners. How many each has is as frequent as was measured;
/// which owner has how many is random.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    classes: Vec<Class>,
    mixed: Permutation,
    /// Rows before every sixteenth owner; none where all owners have equally many.
    sums: Vec<u64>,
}

/// Where a row belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Belongs {
    pub owner: u64,
    /// The number of the row among the owner's, from 0, and how many these are.
    pub number: u64,
    pub of: u64,
}

impl Spread {
    /// Shares `rows` out among `owners`, of which there is one at least.
    pub(crate) fn new(owners: u64, rows: u64, fan_outs: &[FanOut], key: u64) -> Self {
        let classes = classes(owners, rows, fan_outs);
        let mut spread = Self { classes, mixed: Permutation::new(owners, key), sums: Vec::new() };
        if spread.equal().is_none() {
            let mut sum = 0;
            for owner in 0..owners {
                if owner.is_multiple_of(STEP) {
                    spread.sums.push(sum);
                }
                sum += spread.rows_of(owner);
            }
        }
        spread
    }

    /// How many rows each owner has, where all have equally many.
    fn equal(&self) -> Option<u64> {
        match self.classes[..] {
            [one] if one.rows.is_multiple_of(one.owners) => Some(one.rows / one.owners),
            _ => None,
        }
    }

    pub(crate) fn rows_of(&self, owner: u64) -> u64 {
        let place = self.mixed.at(owner);
        let at = self.classes.partition_point(|class| class.first <= place) - 1;
        let class = &self.classes[at];
        class.before(place - class.first + 1) - class.before(place - class.first)
    }

    /// The most rows that an owner has.
    pub(crate) fn most(&self) -> u64 {
        self.classes.iter().map(|class| class.rows.div_ceil(class.owners)).max().unwrap_or(0)
    }

    pub(crate) fn locate(&self, row: u64) -> Belongs {
        if let Some(each) = self.equal() {
            return Belongs { owner: row / each, number: row % each, of: each };
        }
        let kept = self.sums.partition_point(|sum| *sum <= row) - 1;
        let (mut owner, mut first) = (kept as u64 * STEP, self.sums[kept]);
        loop {
            let of = self.rows_of(owner);
            if row < first + of {
                return Belongs { owner, number: row - first, of };
            }
            first += of;
            owner += 1;
        }
    }
}

/// Classes with exactly so many owners and rows together, in the measured proportions.
fn classes(owners: u64, rows: u64, fan_outs: &[FanOut]) -> Vec<Class> {
    let even = [FanOut { from: 0, to: 0, mean: 1.0, share: 1.0 }];
    let usable = fan_outs.iter().any(|one| one.share > 0.0 && one.mean > 0.0);
    let given = if usable { fan_outs } else { &even };
    let counts = parts(owners, given.iter().map(|one| one.share));
    let weight = |(one, count): (&FanOut, &u64)| one.mean * *count as f64;
    let weights: Vec<f64> = given.iter().zip(&counts).map(weight).collect();
    let mut shares = if weights.iter().any(|weight| *weight > 0.0) {
        parts(rows, weights.into_iter())
    } else {
        parts(rows, counts.iter().map(|count| *count as f64))
    };
    // Whoever has no more than one row each must not get a second one by rounding: keys rely on it.
    let mut over = 0;
    for ((one, count), share) in given.iter().zip(&counts).zip(&mut shares) {
        let most = one.to.saturating_mul(*count);
        if usable && one.to > 0 && *share > most {
            over += *share - most;
            *share = most;
        }
    }
    if over > 0 {
        let last = (0..given.len()).rev().max_by_key(|at| (counts[*at] > 0, given[*at].to));
        shares[last.unwrap_or(0)] += over;
    }
    let mut found = Vec::new();
    let mut first = 0;
    for (owners, rows) in counts.into_iter().zip(shares) {
        if owners > 0 {
            found.push(Class { first, owners, rows });
            first += owners;
        }
    }
    found
}

/// A whole number in whole parts by these shares, which need not add up to 1: the largest remainders are rounded up.
pub(crate) fn parts(whole: u64, shares: impl Iterator<Item = f64>) -> Vec<u64> {
    let shares: Vec<f64> = shares.map(|share| if share > 0.0 { share } else { 0.0 }).collect();
    let sum: f64 = shares.iter().sum();
    if sum <= 0.0 {
        let mut found = vec![0; shares.len()];
        if let Some(first) = found.first_mut() {
            *first = whole;
        }
        return found;
    }
    let exact: Vec<f64> = shares.iter().map(|share| share / sum * whole as f64).collect();
    let mut found: Vec<u64> = exact.iter().map(|part| part.floor() as u64).collect();
    let mut by_rest: Vec<usize> = (0..exact.len()).filter(|at| shares[*at] > 0.0).collect();
    by_rest.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()).then(a.cmp(b)));
    let mut left = whole.saturating_sub(found.iter().sum());
    for at in by_rest.iter().cycle() {
        if left == 0 {
            break;
        }
        found[*at] += 1;
        left -= 1;
    }
    // Rounding of huge numbers may have given too much.
    let mut much = found.iter().sum::<u64>().saturating_sub(whole);
    for part in found.iter_mut().rev() {
        let taken = much.min(*part);
        *part -= taken;
        much -= taken;
    }
    found
}
