//! Options of the graph: ids and their links.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::linkbench::distribution::{Distribution, Section, Sections, Shape};
use crate::linkbench::id2::Ends;
use crate::linkbench::links::{Degrees, Links, More};
use crate::linkbench::options::access::{AccessWish, plain};
use crate::linkbench::shuffle::{Shuffle, Spread};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct GraphOptions {
    /// The first id of the graph.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    pub(crate) startid1: u64,
    /// Upper bound of the ids, exclusive; a million ids take about 1 GB. The original's 10000001 is 10 GB.
    #[schemars(range(min = 2, max = 1_099_511_627_776_u64))]
    pub(crate) maxid1: u64,
    /// Types that the links of an id are shared among.
    #[schemars(range(min = 1, max = 1000))]
    pub(crate) link_type_count: u32,
    /// How many links an id has: real (as observed), const, reciprocal, multiples, perfect_squares, exponential, or the
    /// counts of zipf, uniform, geometric. The original's class names are read as well.
    pub(crate) nlinks_func: String,
    /// Parameter of nlinks_func = multiples, perfect_squares (the exponent) and exponential (the base).
    #[schemars(range(min = 1))]
    pub(crate) nlinks_config: u64,
    /// Links of every id, for const, reciprocal, multiples, perfect_squares and exponential.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub(crate) nlinks_default: u64,
    /// Exponent of nlinks_func = zipf.
    #[schemars(range(min = 0.0))]
    pub(crate) nlinks_shape: f64,
    /// Probability of nlinks_func = geometric.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) nlinks_prob: f64,
    /// Links of an id on average, for nlinks_func = zipf, uniform and geometric.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub(crate) nlinks_mean: f64,
    /// Other ends of links are uniform below this number; 0: they follow the id.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub(crate) randomid2max: u64,
    /// 1: each connection chooses other ends of its own, by their remainder.
    #[schemars(extend("x-shapes" = "load"), range(min = 0, max = 1))]
    pub(crate) id2gen_config: u8,
    /// File with observed distributions in the original's form, Distribution.dat; empty: a fit of those that were published.
    pub(crate) data_file: String,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            startid1: 1,
            maxid1: 100_001,
            link_type_count: 2,
            nlinks_func: "real".into(),
            nlinks_config: 1,
            nlinks_default: 0,
            nlinks_shape: 0.8,
            nlinks_prob: 0.1,
            nlinks_mean: 4.0,
            randomid2max: 0,
            id2gen_config: 0,
            data_file: String::new(),
        }
    }
}

impl GraphOptions {
    pub(crate) fn ids(&self) -> u64 {
        self.maxid1.saturating_sub(self.startid1)
    }

    /// The function of links under one name, however it was written.
    pub(crate) fn nlinks_name(&self) -> String {
        plain(&self.nlinks_func)
    }

    pub(crate) fn ends(&self) -> Ends {
        Ends { random_below: self.randomid2max, own: self.id2gen_config == 1 }
    }

    /// The observed distributions.
    ///
    /// # Errors
    /// The file cannot be read, or has another form.
    pub(crate) fn sections(&self) -> Result<Sections, OptionError> {
        if self.data_file.is_empty() {
            return Sections::shipped();
        }
        let text = std::fs::read_to_string(&self.data_file)
            .map_err(|error| OptionError(format!("data_file: cannot read {}: {error}", self.data_file)))?;
        Sections::parse(&text, &format!("data_file: {}", self.data_file))
    }

    /// # Errors
    /// No such function, or a parameter that it cannot have.
    pub(crate) fn links(&self, sections: &Sections, java: bool) -> Result<Links, OptionError> {
        let refuse = |message: String| Err(OptionError(message));
        let (start, n) = (self.startid1, self.ids());
        if n == 0 {
            return refuse(format!(
                "maxid1 must be above startid1, but they are {} and {start}",
                self.maxid1
            ));
        }
        let more = |more| Degrees::Arithmetic { least: self.nlinks_default, more };
        let ranked = |shape, total| Degrees::Ranked {
            distribution: Distribution { min: 0, max: n, shape },
            total,
            shuffle: Shuffle::new(Spread::ByLinks, n),
        };
        let degrees = match plain(&self.nlinks_func).as_str() {
            "real" | "piecewiselinear" => ranked(Shape::Observed(sections.get(Section::Links)?), 0.0),
            "const" => more(More::None),
            "reciprocal" => more(More::Reciprocal),
            "multiples" => more(More::Multiples(self.nlinks_config)),
            "perfect_squares" if self.nlinks_config > 60 => {
                return refuse("nlinks_config must be at most 60 for perfect_squares".into());
            }
            "perfect_squares" => more(More::PerfectPowers(self.nlinks_config as u32)),
            "exponential" if self.nlinks_config < 2 => {
                return refuse("nlinks_config must be at least 2 for exponential".into());
            }
            "exponential" => more(More::Powers(self.nlinks_config)),
            "lognormal" => {
                return refuse("nlinks_func cannot be lognormal: it has no count for an id".into());
            }
            name => match self.class().shape_of(name, n)? {
                Some(shape) => ranked(shape, self.nlinks_mean * n as f64),
                None => {
                    return refuse(format!(
                        "nlinks_func is {:?}; there are real, const, reciprocal, multiples, perfect_squares, exponential, \
                         zipf, uniform and geometric",
                        self.nlinks_func
                    ));
                }
            },
        };
        let most = if self.randomid2max == 0 { u64::MAX } else { self.randomid2max };
        Ok(Links { start, n, types: self.link_type_count.into(), degrees, most, java })
    }

    fn class(&self) -> AccessWish {
        AccessWish {
            prefix: "nlinks_",
            function: self.nlinks_func.clone(),
            shape: self.nlinks_shape,
            config: self.nlinks_config,
            prob: self.nlinks_prob,
            median: 1.0,
            sigma: 1.0,
        }
    }
}
