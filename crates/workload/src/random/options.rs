//! The random options of sysbench 1.0.20, with the zipfian type of its master branch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The distribution from which ids are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum RandType {
    Uniform,
    #[default]
    Special,
    Gaussian,
    Pareto,
    Zipfian,
}

/// Options of the distribution of ids and of the column k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RandOptions {
    /// How ids are drawn: special sends most draws to a few rows in the middle (sysbench 1.0), uniform hits all alike.
    pub rand_type: RandType,
    /// Special and gaussian: uniform numbers whose mean is a draw; its standard deviation is table_size / sqrt(12 × this).
    #[schemars(range(min = 1, max = 1000))]
    pub rand_spec_iter: u32,
    /// Special: share of the rows, in the middle of the table, that are hot (%).
    #[schemars(range(min = 0, max = 100))]
    pub rand_spec_pct: u32,
    /// Special: share of the draws that go to the hot rows (%).
    #[schemars(range(min = 0, max = 100))]
    pub rand_spec_res: u32,
    /// Pareto: h of the draws leave the first h of the rows, 1 - h hit them (0.2: 80 % of the draws, 20 % of the rows).
    #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
    pub rand_pareto_h: f64,
    /// Zipfian: row i is drawn in proportion to 1 / i to the power of this; 0 is uniform.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub rand_zipfian_exp: f64,
}

impl Default for RandOptions {
    fn default() -> Self {
        Self {
            rand_type: RandType::default(),
            rand_spec_iter: 12,
            rand_spec_pct: 1,
            rand_spec_res: 75,
            rand_pareto_h: 0.2,
            rand_zipfian_exp: 0.8,
        }
    }
}
