//! Options of who is hit, for each kind of access.

use assay_chance::ApproximateZipf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::linkbench::access::{Access, Choice};
use crate::linkbench::distribution::{Arithmetic, Distribution, Section, Sections, Shape};
use crate::linkbench::shuffle::{Shuffle, Spread};

/// One kind of access, whatever its options are called.
#[derive(Debug, Clone)]
pub(crate) struct AccessWish {
    /// What the names of its options begin with: `read_`.
    pub(crate) prefix: &'static str,
    pub(crate) function: String,
    pub(crate) shape: f64,
    pub(crate) config: u64,
    pub(crate) prob: f64,
    pub(crate) median: f64,
    pub(crate) sigma: f64,
}

macro_rules! access_options {
    ($type:ident, $prefix:literal, $function:ident = $named:literal, $shape:ident = $theta:literal,
     $config:ident, $prob:ident, $median:ident, $sigma:ident, $what:literal) => {
        #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub(crate) struct $type {
            #[doc = concat!(
                "Which ids ", $what, " use: zipf, uniform, geometric, lognormal, real (as observed), round_robin, reciprocal, \
                 multiple, power or perfect_power. The original's class names are read as well."
            )]
            #[schemars(extend("x-shapes" = "load"))]
            pub(crate) $function: String,
            #[doc = concat!("Exponent of the zipf of ", $what, ".")]
            #[schemars(extend("x-shapes" = "load"), range(min = 0.0))]
            pub(crate) $shape: f64,
            #[doc = concat!("What multiple, power and perfect_power of ", $what, " are taken of.")]
            #[schemars(extend("x-shapes" = "load"), range(min = 1))]
            pub(crate) $config: u64,
            #[doc = concat!("Probability of the geometric distribution of ", $what, ".")]
            #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 1.0))]
            pub(crate) $prob: f64,
            #[doc = concat!("Median rank of the lognormal distribution of ", $what, ".")]
            #[schemars(extend("x-shapes" = "load"), range(min = 0.0))]
            pub(crate) $median: f64,
            #[doc = concat!("Standard deviation of the logarithm for the lognormal distribution of ", $what, ".")]
            #[schemars(extend("x-shapes" = "load"), range(min = 0.0))]
            pub(crate) $sigma: f64,
        }

        impl Default for $type {
            fn default() -> Self {
                Self { $function: $named.into(), $shape: $theta, $config: 1, $prob: 0.1, $median: 1000.0, $sigma: 1.0 }
            }
        }

        impl $type {
            pub(crate) fn wish(&self) -> AccessWish {
                AccessWish {
                    prefix: $prefix,
                    function: self.$function.clone(),
                    shape: self.$shape,
                    config: self.$config,
                    prob: self.$prob,
                    median: self.$median,
                    sigma: self.$sigma,
                }
            }
        }
    };
}

access_options!(
    ReadOptions,
    "read_",
    read_function = "zipf",
    read_shape = 0.8,
    read_config,
    read_prob,
    read_median,
    read_sigma,
    "reads of links, correlated with their number,"
);
access_options!(
    ReadUncorrOptions,
    "read_uncorr_",
    read_uncorr_function = "zipf",
    read_uncorr_shape = 0.8,
    read_uncorr_config,
    read_uncorr_prob,
    read_uncorr_median,
    read_uncorr_sigma,
    "reads of links, not correlated,"
);
access_options!(
    WriteOptions,
    "write_",
    write_function = "zipf",
    write_shape = 0.741,
    write_config,
    write_prob,
    write_median,
    write_sigma,
    "writes of links, correlated with their number,"
);
access_options!(
    WriteUncorrOptions,
    "write_uncorr_",
    write_uncorr_function = "zipf",
    write_uncorr_shape = 0.741,
    write_uncorr_config,
    write_uncorr_prob,
    write_uncorr_median,
    write_uncorr_sigma,
    "writes of links, not correlated,"
);
access_options!(
    NodeReadOptions,
    "node_read_",
    node_read_function = "zipf",
    node_read_shape = 0.625,
    node_read_config,
    node_read_prob,
    node_read_median,
    node_read_sigma,
    "reads of nodes"
);
access_options!(
    NodeUpdateOptions,
    "node_update_",
    node_update_function = "zipf",
    node_update_shape = 0.606,
    node_update_config,
    node_update_prob,
    node_update_median,
    node_update_sigma,
    "updates of nodes"
);
access_options!(
    NodeDeleteOptions,
    "node_delete_",
    node_delete_function = "uniform",
    node_delete_shape = 0.606,
    node_delete_config,
    node_delete_prob,
    node_delete_median,
    node_delete_sigma,
    "deletions of nodes"
);

/// A name as people and properties files write it: `com.facebook.LinkBench.distributions.ZipfDistribution`,
/// `ZipfDistribution`, `ZIPF` and `zipf` are one.
pub(crate) fn plain(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or_default().trim().to_lowercase();
    let short =
        ["distribution", "datagenerator"].iter().find_map(|end| last.strip_suffix(end)).unwrap_or(&last);
    short.trim_end_matches('_').to_owned()
}

impl AccessWish {
    fn refuse<T>(&self, option: &str, why: &str) -> Result<T, OptionError> {
        Err(OptionError(format!("{}{option} {why}", self.prefix)))
    }

    /// # Errors
    /// No such function, or a parameter that it cannot have.
    pub(crate) fn access(
        &self,
        start: u64,
        n: u64,
        section: Option<Section>,
        spread: Spread,
        sections: &Sections,
    ) -> Result<Access, OptionError> {
        let ranked = |shape| Choice::Ranked(Distribution { min: 0, max: n, shape }, Shuffle::new(spread, n));
        let name = plain(&self.function);
        let choice = match name.as_str() {
            "round_robin" => Choice::Direct(Arithmetic::RoundRobin),
            "reciprocal" => Choice::Direct(Arithmetic::Reciprocal),
            "multiple" => Choice::Direct(Arithmetic::Multiple(self.config)),
            "power" if self.config < 2 => return self.refuse("config", "must be at least 2 for power"),
            "power" => Choice::Direct(Arithmetic::Power(self.config)),
            "perfect_power" if self.config > 60 => {
                return self.refuse("config", "must be at most 60 for perfect_power");
            }
            "perfect_power" => Choice::Direct(Arithmetic::PerfectPower(self.config as u32)),
            "real" | "piecewiselinear" => match section {
                Some(section) => ranked(Shape::Observed(sections.get(section)?)),
                None => return self.refuse("function", "cannot be real: such accesses were not observed"),
            },
            name => match self.shape_of(name, n)? {
                Some(shape) => ranked(shape),
                None => {
                    let known = "zipf, uniform, geometric, lognormal, real, round_robin, reciprocal, multiple, power \
                                 and perfect_power";
                    let why = format!("is {:?}; there are {known}", self.function);
                    return self.refuse("function", &why);
                }
            },
        };
        Ok(Access { start, n, choice })
    }

    /// A distribution with this name, `None` for no such name.
    ///
    /// # Errors
    /// A parameter that it cannot have.
    pub(crate) fn shape_of(&self, name: &str, n: u64) -> Result<Option<Shape>, OptionError> {
        Ok(Some(match name {
            "uniform" => Shape::Uniform,
            "zipf" if self.shape <= 0.0 || (self.shape - 1.0).abs() < 1e-9 => {
                return self.refuse("shape", "must be above 0 and not 1 for zipf");
            }
            "zipf" => Shape::Zipf(ApproximateZipf::new(n, self.shape)),
            "geometric" if self.prob <= 0.0 || self.prob >= 1.0 => {
                return self.refuse("prob", "must be above 0 and below 1 for geometric");
            }
            "geometric" => Shape::Geometric { prob: self.prob, one_more: false },
            "lognormal" if self.median <= 0.0 => {
                return self.refuse("median", "must be above 0 for lognormal");
            }
            "lognormal" => Shape::LogNormal { median: self.median, sigma: self.sigma },
            _ => return Ok(None),
        }))
    }
}
