//! Statistics of tables, from which rows are made: the part of a job file that says what the rows are like.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tables to be generated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name of the profile in messages.
    pub name: String,
    /// What the numbers of rows are multiplied with.
    #[serde(default = "one")]
    pub scale: f64,
    pub tables: Vec<TableProfile>,
}

/// One table: how it is made, and what its rows are like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableProfile {
    pub name: String,
    /// The statement that makes it.
    pub create: String,
    /// Rows at scale 1.
    pub rows: u64,
    /// Whether the scale multiplies its rows.
    #[serde(default = "yes")]
    pub grows: bool,
    /// The columns that get values.
    pub columns: Vec<ColumnProfile>,
    /// What its columns refer to.
    #[serde(default)]
    pub references: Vec<ReferenceProfile>,
    /// Its unique keys, the primary one first.
    #[serde(default)]
    pub keys: Vec<KeyProfile>,
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnProfile {
    pub name: String,
    pub form: ValueForm,
    /// Share of rows without a value.
    #[serde(default)]
    pub nulls: f64,
    /// Rank correlation of the values with the order of the rows, from -1 to 1.
    #[serde(default)]
    pub order: f64,
    /// Whether there are more different values where there are more rows.
    #[serde(default)]
    pub grows: bool,
    /// Numbers and times: ranges of values; texts: ranges of lengths. Those of `top` are not among them.
    #[serde(default)]
    pub ranges: Vec<ValueRange>,
    /// Values that are frequent.
    #[serde(default)]
    pub top: Vec<TopValue>,
    /// Bytes of its texts after compression, as a share of those before.
    #[serde(default = "one")]
    pub compressed: f64,
}

/// The form of a column's values. Numbers and times are counted in whole units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum ValueForm {
    /// Whole numbers of a type that holds these.
    Whole { least: i64, most: u64 },
    /// Numbers in units of 10^-digits.
    Decimal { digits: u32 },
    /// Floating-point numbers in units of 10^-digits.
    Float { digits: i32 },
    /// Days since 1970-01-01.
    Date,
    /// Dates with a time, in units of 10^-digits seconds since 1970-01-01 00:00:00.
    Moment { digits: u32 },
    /// Times of day or lengths of time, in units of 10^-digits seconds.
    Time { digits: u32 },
    /// Texts; a range is of lengths in characters.
    Text,
    /// Bytes; a range is of lengths.
    Bytes,
    /// JSON documents; a range is of lengths.
    Json,
    /// UUIDs as text.
    Uuid,
    /// Points of a plane.
    Point,
}

/// A range of values, or of lengths of texts, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueRange {
    pub from: i128,
    pub to: i128,
    /// Share of the rows that have a value.
    pub share: f64,
    /// How many different values there are.
    pub distinct: u64,
}

/// A frequent value of a text column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopValue {
    /// Share of the rows that have a value.
    pub share: f64,
    /// The length of the value.
    pub length: u64,
    /// A hash of it: the same value of two columns has one, and is generated as the same text.
    pub hash: u64,
    /// The value itself, where it may be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Columns whose values are those of another table's columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceProfile {
    pub columns: Vec<String>,
    pub table: String,
    /// The columns there, in the same order.
    pub to: Vec<String>,
    /// Rows here for each row there.
    pub fan_out: Vec<FanOut>,
}

/// A number of rows that belong to one, both ends included, and how many have that.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FanOut {
    pub from: u64,
    pub to: u64,
    /// The mean between them.
    pub mean: f64,
    /// Share of those that rows belong to.
    pub share: f64,
}

/// A unique key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyProfile {
    pub columns: Vec<String>,
    /// Different values of the first column, of the first two together, and so on, but not of all.
    #[serde(default)]
    pub distinct: Vec<u64>,
    /// For each of these: how many longer ones begin with one of them.
    #[serde(default)]
    pub fan_outs: Vec<Vec<FanOut>>,
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}
