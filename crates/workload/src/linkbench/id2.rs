//! The other end of a link.

use crate::Rng;

/// About which share of the links that an operation chooses there are already.
pub(crate) const EXIST_ADD: f64 = 0.05;
pub(crate) const EXIST_UPDATE: f64 = 0.9;
pub(crate) const EXIST_DELETE: f64 = 0.9;
pub(crate) const EXIST_GET: f64 = 0.5;

/// Tries to find an end that is not in the list yet.
const TRIES: u32 = 100;

/// First word of keys: these numbers are not those of chunks.
const ENDS: u64 = 0x69_6432;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    /// Ends are uniform below this; 0: they follow the id.
    pub(crate) random_below: u64,
    /// Each connection has ends of its own, by remainder.
    pub(crate) own: bool,
}

/// A connection, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Requester {
    pub(crate) number: u64,
    pub(crate) of: u64,
}

impl Ends {
    /// The end of link `number`, from 0, of an id and type: no two have the same.
    pub(crate) fn loaded(self, seed: u64, id1: u64, link_type: u64, number: u64) -> u64 {
        let n = self.random_below;
        if n == 0 {
            return id1 + number;
        }
        // Steps of a length that has no divisor in common with n come by every number once.
        let mut rng = Rng::keyed(&[ENDS, seed, id1, link_type]);
        let first = rng.range(0, n - 1);
        let mut step = rng.range(1, n);
        while common_divisor(step, n) > 1 {
            step = step % n + 1;
        }
        ((u128::from(first) + u128::from(number) * u128::from(step)) % u128::from(n)) as u64
    }

    /// An end for an operation on an id that was loaded with `links` of the type; with a chance of about `exist`
    /// there is such a link.
    pub(crate) fn chosen(self, id1: u64, links: u64, exist: f64, who: Requester, rng: &mut Rng) -> u64 {
        self.one(id1, range(links, exist), who, rng)
    }

    /// Several that differ; fewer than asked for where there are not as many.
    pub(crate) fn several(
        self,
        id1: u64,
        links: u64,
        count: u64,
        who: Requester,
        rng: &mut Rng,
        out: &mut Vec<u64>,
    ) {
        out.clear();
        let range = range(links, EXIST_GET);
        for number in 0..count {
            if range <= count && self.random_below == 0 {
                let end = self.owned(id1 + number, who);
                if !out.contains(&end) {
                    out.push(end);
                }
                continue;
            }
            let mut tries = (0..=TRIES).map(|_| self.one(id1, range, who, rng));
            if let Some(end) = tries.find(|end| !out.contains(end)) {
                out.push(end);
            }
        }
    }

    fn one(self, id1: u64, range: u64, who: Requester, rng: &mut Rng) -> u64 {
        let end = match self.random_below {
            0 => id1 + rng.range(0, range - 1),
            below => rng.range(0, below - 1),
        };
        self.owned(end, who)
    }

    /// The connection's own number nearest to it.
    fn owned(self, end: u64, who: Requester) -> u64 {
        if !self.own {
            return end;
        }
        let own = end - end % who.of + who.number;
        if self.random_below > 0 && own > self.random_below { own.saturating_sub(who.of) } else { own }
    }
}

fn range(links: u64, exist: f64) -> u64 {
    ((links as f64 / exist).ceil() as u64).max(1)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
