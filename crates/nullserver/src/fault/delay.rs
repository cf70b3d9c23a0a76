//! How long a reply is held back.

use std::str::FromStr;

use crate::fault::parse_duration_ns;

/// A distribution of delays, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delay {
    Constant {
        ns: u64,
    },
    Exponential {
        mean_ns: u64,
    },
    /// `second_ns` with this probability, else `first_ns`.
    Bimodal {
        first_ns: u64,
        second_ns: u64,
        probability: f64,
    },
}

impl Delay {
    /// The delay at a uniform number in `(0, 1]`.
    pub(crate) fn at(self, unit: f64) -> u64 {
        match self {
            Self::Constant { ns } => ns,
            Self::Exponential { mean_ns } => (-unit.ln() * mean_ns as f64).round() as u64,
            Self::Bimodal { first_ns, second_ns, probability } => {
                if unit <= probability {
                    second_ns
                } else {
                    first_ns
                }
            }
        }
    }
}

/// `constant:2ms`, `exponential:5ms` (the mean), `bimodal:1ms,50ms,0.05` (5 % take 50 ms).
impl FromStr for Delay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let complain = || {
            format!("`{text}` is not a delay; write constant:2ms, exponential:5ms or bimodal:1ms,50ms,0.05")
        };
        let (kind, rest) = text.split_once(':').ok_or_else(complain)?;
        let parts: Vec<&str> = rest.split(',').collect();
        match (kind, &*parts) {
            ("constant", [ns]) => Ok(Self::Constant { ns: parse_duration_ns(ns)? }),
            ("exponential", [mean]) => Ok(Self::Exponential { mean_ns: parse_duration_ns(mean)? }),
            ("bimodal", [first, second, probability]) => Ok(Self::Bimodal {
                first_ns: parse_duration_ns(first)?,
                second_ns: parse_duration_ns(second)?,
                probability: parse_probability(probability)?,
            }),
            _ => Err(complain()),
        }
    }
}

/// A number from 0 to 1.
///
/// # Errors
/// A message that says what is expected.
pub fn parse_probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a probability; write a number from 0 to 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read() {
        assert_eq!("constant:2ms".parse(), Ok(Delay::Constant { ns: 2_000_000 }));
        assert_eq!("exponential:5us".parse(), Ok(Delay::Exponential { mean_ns: 5_000 }));
        let bimodal = Delay::Bimodal { first_ns: 1_000_000, second_ns: 50_000_000, probability: 0.05 };
        assert_eq!("bimodal:1ms,50ms,0.05".parse(), Ok(bimodal));
        for text in ["", "2ms", "constant:", "normal:5ms", "bimodal:1ms,2ms", "bimodal:1ms,2ms,1.5"] {
            assert!(text.parse::<Delay>().is_err(), "{text}");
        }
    }
}
