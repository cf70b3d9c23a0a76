//! The record that a request is for, drawn from a distribution over all.

use assay_chance::Zipf;

use crate::Rng;
use crate::ycsb::keys::fnv;
use crate::ycsb::options::{Options, Request};

/// Ranks of the scrambled Zipf's law: so many that the shares of the hottest do not depend on the number of records.
const RANKS: u64 = 10_000_000_000;

/// Numbers of records that a connection knows of: those of the load, from 0, and its own inserts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownRecords {
    pub(crate) records: u64,
    /// The first number that no run before has used.
    pub(crate) next: u64,
    pub(crate) terminal: u64,
    pub(crate) of: u64,
    /// Inserts of this connection before the operation.
    pub(crate) own: u64,
}

impl KnownRecords {
    /// The number of this connection's insert `index`, from 0.
    pub(crate) fn insert(&self, index: u64) -> u64 {
        self.next + index * self.of + self.terminal
    }
}

/// A distribution over the records, with its constants worked out.
#[derive(Debug, Clone)]
pub(crate) enum Requests {
    Uniform,
    Zipfian(Zipf),
    Latest { exponent: f64 },
    Hotspot { data: f64, requests: f64 },
}

impl Requests {
    pub(crate) fn new(options: &Options) -> Self {
        match options.request() {
            Request::Uniform => Self::Uniform,
            Request::Zipfian => Self::Zipfian(Zipf::new(RANKS, options.zipfianconstant)),
            Request::Latest => Self::Latest { exponent: options.zipfianconstant },
            Request::Hotspot => {
                Self::Hotspot { data: options.hotspotdatafraction, requests: options.hotspotopnfraction }
            }
        }
    }

    /// The number of a record.
    #[inline]
    pub(crate) fn draw(&self, known: &KnownRecords, latest: &mut Latest, rng: &mut Rng) -> u64 {
        let last = known.records - 1;
        match self {
            Self::Uniform => rng.range(0, last),
            Self::Zipfian(zipfian) => fnv(zipfian.rank(rng)) % known.records,
            Self::Latest { exponent } => {
                let back = latest.law(known.records + known.own, *exponent).rank(rng);
                if back < known.own { known.insert(known.own - 1 - back) } else { last - (back - known.own) }
            }
            Self::Hotspot { data, requests } => {
                let hot = ((known.records as f64 * data) as u64).min(known.records);
                let to_hot = rng.unit() < *requests;
                match (to_hot, hot) {
                    (true, 1..) => rng.range(0, hot - 1),
                    (false, _) if hot < known.records => rng.range(hot, last),
                    _ => rng.range(0, last),
                }
            }
        }
    }
}

/// Zipf's law over a number of records that grows: its constants, made again when it has grown.
#[derive(Debug, Clone, Default)]
pub(crate) struct Latest(Option<(u64, Zipf)>);

impl Latest {
    fn law(&mut self, n: u64, exponent: f64) -> &Zipf {
        if self.0.as_ref().is_none_or(|(made_for, _)| *made_for != n) {
            self.0 = None;
        }
        &self.0.get_or_insert_with(|| (n, Zipf::new(n, exponent))).1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    const KNOWN: KnownRecords = KnownRecords { records: 1_000, next: 5_000, terminal: 2, of: 4, own: 3 };

    fn shares(request: Request, draws: u32) -> HashMap<u64, f64> {
        let requests = Requests::new(&Options { requestdistribution: Some(request), ..Options::default() });
        let (mut rng, mut latest, mut seen) = (Rng::keyed(&[1]), Latest::default(), HashMap::new());
        for _ in 0..draws {
            *seen.entry(requests.draw(&KNOWN, &mut latest, &mut rng)).or_insert(0.0) +=
                1.0 / f64::from(draws);
        }
        seen
    }

    #[test]
    fn uniform_asks_for_all_alike() {
        let seen = shares(Request::Uniform, 1_000_000);
        assert_eq!(seen.len(), 1_000);
        assert!(seen.iter().all(|(number, share)| *number < 1_000 && (share * 1_000.0 - 1.0).abs() < 0.2));
    }

    #[test]
    fn zipfian_has_the_shares_of_ten_thousand_million_ranks() {
        let seen = shares(Request::Zipfian, 1_000_000);
        assert!(seen.keys().all(|number| *number < 1_000));
        // The sum of i^-0.99 to 10^10 is 26.469 (YCSB keeps it as a constant); what other ranks' hashes add to the hottest
        // records is spread over a thousand of them, about 0.0006 each.
        let zeta = 26.469_028_2;
        for rank in 1..=3_u64 {
            let expected = (rank as f64).powf(-0.99) / zeta;
            let found = seen[&(fnv(rank - 1) % 1_000)];
            assert!(
                (expected - 0.001..expected + 0.004).contains(&found),
                "rank {rank}: {found}, {expected}"
            );
        }
    }

    #[test]
    fn latest_goes_back_over_own_inserts_and_then_the_load() {
        let seen = shares(Request::Latest, 1_000_000);
        let zeta: f64 = (1..=1_003).map(|rank| f64::from(rank).powf(-0.99)).sum();
        let newest = [5_000 + 2 * 4 + 2, 5_000 + 4 + 2, 5_000 + 2, 999, 998];
        for (rank, number) in newest.iter().enumerate() {
            let expected = (rank as f64 + 1.0).powf(-0.99) / zeta;
            assert!((seen[number] / expected - 1.0).abs() < 0.03, "{number}: {}, {expected}", seen[number]);
        }
        assert!(seen.keys().all(|number| *number < 1_000 || newest.contains(number)));
        assert!(seen.contains_key(&0));
    }

    #[test]
    fn hotspot_keeps_to_its_two_shares() {
        let seen = shares(Request::Hotspot, 200_000);
        let hot: f64 = seen.iter().filter(|(number, _)| **number < 200).map(|(_, share)| share).sum();
        assert!((hot - 0.8).abs() < 0.01, "{hot}");
        for (data, requests) in [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
            let ends = Requests::Hotspot { data, requests };
            let (mut rng, mut latest) = (Rng::keyed(&[2]), Latest::default());
            assert!((0..1_000).all(|_| ends.draw(&KNOWN, &mut latest, &mut rng) < 1_000));
        }
    }
}
