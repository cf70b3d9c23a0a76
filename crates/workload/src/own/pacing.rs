//! Think times: how long a terminal waits after each kind of transaction.

use crate::shares::Shares;
use crate::{Pace, Pause, Rng, rng_of_operation};

/// First word of the key: these numbers are not those of operations.
const THINK: u64 = 0x0073_716C_7468_696E;
/// The longest think time, a day.
const LONGEST_NS: f64 = 86_400e9;

/// The think time after a transaction, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Think {
    Nothing,
    /// Each alike between two ends, which may be the same.
    Between(u64, u64),
    /// By the exponential law, with this mean.
    Exponential(f64),
}

impl Think {
    /// Reads `10ms`, `5ms..15ms` or `exponential(10ms)`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let inside = text.strip_prefix("exponential(").and_then(|rest| rest.strip_suffix(')'));
        let (low, high) = match (inside, text.split_once("..")) {
            (Some(mean), _) => (time(mean, text)?, None),
            (None, Some((low, high))) => (time(low, text)?, Some(time(high, text)?)),
            (None, None) => (time(text, text)?, None),
        };
        match high {
            _ if inside.is_some() && low > 0.0 => Ok(Self::Exponential(low)),
            Some(high) if high < low => Err(format!("think={text}: the range ends before it begins")),
            None if low == 0.0 => Ok(Self::Nothing),
            high => Ok(Self::Between(low as u64, high.unwrap_or(low) as u64)),
        }
    }

    /// The next think time. The first is what is left of one that began before the load: a random part, except by the
    /// exponential law, which has no memory.
    fn next_ns(self, rng: &mut Rng, first: bool) -> u64 {
        let whole = match self {
            Self::Nothing => 0.0,
            Self::Between(low, high) => rng.range(low, high) as f64,
            Self::Exponential(mean) => return (-mean * (1.0 - rng.unit()).ln()) as u64,
        };
        if first { (whole * rng.unit()) as u64 } else { whole as u64 }
    }
}

/// A time with its unit, in nanoseconds.
fn time(text: &str, whole: &str) -> Result<f64, String> {
    let at = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit_ns = match unit {
        "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 60e9,
        _ => return Err(format!("think={whole}: a time has a number and a unit, us, ms, s or min: 10ms")),
    };
    let ns = number.parse::<f64>().ok().map(|number| number * unit_ns);
    ns.filter(|ns| (0.0..=LONGEST_NS).contains(ns))
        .ok_or_else(|| format!("think={whole}: {text:?} is no time from 0 to a day"))
}

/// The pace of a file's terminals: a function of (seed, terminal, number).
#[derive(Debug)]
pub(super) struct Pacing {
    seed: u64,
    shares: Shares,
    thinks: Vec<Think>,
}

impl Pacing {
    /// The pace of transactions with these think times, chosen by `shares`; none where nobody thinks.
    pub(super) fn new(seed: u64, shares: &Shares, thinks: &[Think]) -> Option<Self> {
        let pauses = thinks.iter().any(|think| *think != Think::Nothing);
        pauses.then(|| Self { seed, shares: shares.clone(), thinks: thinks.to_vec() })
    }
}

impl Pace for Pacing {
    fn pause(&self, terminal: u32, number: u64) -> Pause {
        let mut rng = Rng::keyed(&[THINK, self.seed, u64::from(terminal), number]);
        let kind = match number.checked_sub(1) {
            Some(before) => self.shares.draw(&mut rng_of_operation(self.seed, terminal, before)),
            None => self.shares.draw(&mut rng),
        };
        Pause { think_ns: self.thinks[kind].next_ns(&mut rng, number == 0), keying_ns: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn think_times_have_units_and_laws() {
        for (text, expected) in [
            ("10ms", Ok(Think::Between(10_000_000, 10_000_000))),
            ("0.5s..1min", Ok(Think::Between(500_000_000, 60_000_000_000))),
            ("exponential(200us)", Ok(Think::Exponential(200_000.0))),
            ("0ms", Ok(Think::Nothing)),
            ("10", Err("a number and a unit")),
            ("10 parsecs", Err("a number and a unit")),
            ("-1ms", Err("no time from 0 to a day")),
            ("2s..1s", Err("ends before it begins")),
            ("exponential(10ms", Err("a number and a unit")),
        ] {
            match (Think::parse(text), expected) {
                (Ok(think), Ok(wanted)) => assert_eq!(think, wanted, "{text}"),
                (Err(why), Err(words)) => assert!(why.contains(words), "{text}: {why}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_terminal_thinks_about_the_transaction_that_it_has_sent() {
        let shares = Shares::new(&[1.0, 1.0]).expect("shares");
        let thinks = [Think::Nothing, Think::Exponential(1e6)];
        let pacing = Pacing::new(3, &shares, &thinks).expect("a pace");
        let (mut sum, mut about) = (0, 0);
        for number in 1..20_000 {
            let sent = shares.draw(&mut rng_of_operation(3, 5, number - 1));
            let pause = pacing.pause(5, number).think_ns;
            assert!(sent == 1 || pause == 0);
            sum += pause;
            about += u64::from(sent == 1);
        }
        let mean = sum as f64 / about as f64;
        assert!((mean / 1e6 - 1.0).abs() < 0.05, "{mean}");
        assert!(Pacing::new(3, &shares, &[Think::Nothing; 2]).is_none());
    }
}
