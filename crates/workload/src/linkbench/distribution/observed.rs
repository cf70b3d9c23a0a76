//! The distributions that were observed in a social graph: how many ids have how many links, reads, writes.
//!
//! `observed.txt` holds about 200 points of each of the five published curves, in the form of the original's data file:
//! a value, and the percentage of ids that have no more. A `~` says that values rise from the point before along a line,
//! with both axes, the share of ids above and the value, on logarithmic scales; other points are steps. The small values and the
//! 40 largest are the published ones, points between them were chosen where a line departs most.

use crate::{OptionError, Rng};

const SHIPPED: &str = include_str!("observed.txt");

/// One of the five curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Links,
    LinkReads,
    LinkWrites,
    NodeReads,
    NodeWrites,
}

const NAMES: [&str; 5] = ["nlinks", "link_nreads", "link_nwrites", "node_nreads", "node_nwrites"];

#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    value: u64,
    /// The share of ids with this value or less, of 1.
    below: f64,
    /// Whether values lie on a line from the point before.
    line: bool,
}

/// How a value is spread over ids.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    points: Vec<Point>,
    /// For each point: the most that ids up to it, from the point before, weigh together with all before them.
    weights: Vec<f64>,
}

/// What a file of curves holds.
#[derive(Debug, Clone)]
pub(crate) struct Sections {
    /// In the order of [`NAMES`].
    curves: [Option<Observed>; 5],
    digest: u64,
}

impl Sections {
    pub(crate) fn shipped() -> Result<Self, OptionError> {
        Self::parse(SHIPPED, "the curves that come with it")
    }

    /// Reads the original's form: names of sections, each followed by lines `value percent`, both rising to 100 %.
    ///
    /// # Errors
    /// The line at fault, by number.
    pub(crate) fn parse(text: &str, file: &str) -> Result<Self, OptionError> {
        let mut found: [Vec<Point>; 5] = Default::default();
        let mut current = None;
        for (number, line) in text.lines().enumerate() {
            let refuse = |what: &str| Err(OptionError(format!("{file}, line {}: {what}", number + 1)));
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] => {}
                [name] => match NAMES.iter().position(|known| *known == name) {
                    Some(section) => current = Some(section),
                    None => {
                        return refuse(&format!(
                            "no section is called {name:?}; there are {}",
                            NAMES.join(", ")
                        ));
                    }
                },
                [value, percent] | [value, percent, "~"] => {
                    let Some(section) = current else {
                        return refuse("a point before the name of a section");
                    };
                    let (Ok(value), Ok(percent)) = (value.parse(), percent.parse::<f64>()) else {
                        return refuse(&format!("a value and a percentage are numbers, not {line:?}"));
                    };
                    let point = Point { value, below: percent / 100.0, line: words.len() == 3 };
                    let before = found[section].last();
                    let rises = before.is_none_or(|it| it.value < point.value && it.below <= point.below);
                    if !rises || !(0.0..=1.0).contains(&point.below) {
                        return refuse("values and percentages rise from point to point, up to 100");
                    }
                    found[section].push(point);
                }
                _ => return refuse(&format!("a value and a percentage, not {line:?}")),
            }
        }
        let curves = found.map(|points| (!points.is_empty()).then(|| Observed::new(points)));
        if let Some((name, _)) =
            NAMES.iter().zip(&curves).find(|(_, it)| it.as_ref().is_some_and(|it| !it.is_whole()))
        {
            return Err(OptionError(format!("{file}: section {name} ends below 100 %")));
        }
        // FNV-1a.
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Ok(Self { curves, digest: text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) })
    }

    /// Tells files apart.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// # Errors
    /// The file has no such section.
    pub(crate) fn get(&self, section: Section) -> Result<Observed, OptionError> {
        let name = NAMES[section as usize];
        self.curves[section as usize].clone().ok_or_else(|| {
            OptionError(format!("data_file has no section {name}, which is asked for as real"))
        })
    }
}

impl Observed {
    fn new(points: Vec<Point>) -> Self {
        let mut total = 0.0;
        let mut before = 0.0;
        let weights = points
            .iter()
            .map(|point| {
                total += (point.below - before) * point.value as f64;
                before = point.below;
                total
            })
            .collect();
        Self { points, weights }
    }

    fn is_whole(&self) -> bool {
        self.points.last().is_some_and(|point| (point.below - 1.0).abs() < 1e-9)
    }

    /// The value of the id below which a share `u` of all lie, in (0, 1]: the first point that reaches it.
    pub(crate) fn value(&self, u: f64) -> u64 {
        let at = self.points.partition_point(|point| point.below < u).min(self.points.len() - 1);
        let point = self.points[at];
        match at.checked_sub(1).map(|before| self.points[before]) {
            Some(before) if point.line && before.value > 0 => {
                let above = |share: f64| (1.0 - share).max(f64::MIN_POSITIVE).ln();
                let part = (above(before.below) - above(u)) / (above(before.below) - above(point.below));
                let (low, high) = (before.value as f64, point.value as f64);
                // The last value below a step belongs to the step before.
                ((low * (high / low).powf(part) - 1e-9).ceil() as u64).clamp(before.value + 1, point.value)
            }
            _ => point.value,
        }
    }

    /// A rank out of `n`, in proportion to its value: a point by its weight, then a place in front of it that is thrown
    /// away in proportion to what its value lacks.
    pub(crate) fn draw(&self, n: u64, rng: &mut Rng) -> u64 {
        let total = self.weights.last().copied().unwrap_or(0.0);
        loop {
            let drawn = rng.unit() * total;
            let at = self.weights.partition_point(|weight| *weight <= drawn);
            let Some(point) = self.points.get(at) else { continue };
            let before = at.checked_sub(1).map_or(0.0, |before| self.points[before].below);
            let u = point.below - (point.below - before) * rng.unit();
            if !point.line || rng.unit() * (point.value as f64) < self.value(u) as f64 {
                return (((1.0 - u) * n as f64) as u64).min(n - 1);
            }
        }
    }
}
