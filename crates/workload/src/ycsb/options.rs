//! The options of `ycsb`, by the names of YCSB's core properties.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::option::StorageOptions;
use crate::option::Switch;
use crate::shares::Shares;

/// The core workloads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Letter {
    #[default]
    A,
    B,
    C,
    D,
    E,
    F,
}

/// The distribution of requests over records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Request {
    Uniform,
    Zipfian,
    Latest,
    Hotspot,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum ScanLength {
    #[default]
    Uniform,
    Zipfian,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum InsertOrder {
    #[default]
    Hashed,
    Ordered,
}

impl InsertOrder {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hashed => "hashed",
            Self::Ordered => "ordered",
        }
    }
}

/// Most fields of a record: the values of an INSERT stand on the stack.
pub(crate) const FIELDS_MOST: usize = 32;

/// Records where nothing says how many, as in the workload files of YCSB.
const RECORDS: u64 = 1_000;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// The mix: a 50 % read, 50 % update; b 95/5; c read only; d 95 % read, 5 % insert, the latest most; e 95 % scan, 5 %
    /// insert; f 50 % read, 50 % read-modify-write. The options below override it.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) workload: Letter,
    /// Records; 0: as many as were loaded, and 1000 in prepare.
    #[schemars(range(min = 0, max = 9_000_000_000_000_000_000_u64))]
    pub(crate) recordcount: u64,
    /// Fields of a record, columns FIELD0 and on.
    #[schemars(range(min = 1, max = 32))]
    pub(crate) fieldcount: u32,
    /// Bytes of a field.
    #[schemars(range(min = 1, max = 65_535))]
    pub(crate) fieldlength: u32,
    /// Keys are the FNV hash of the record's number, or the number itself.
    pub(crate) insertorder: InsertOrder,
    /// Digits of a key, filled up with zeros; 20 makes the order of keys that of their numbers.
    #[schemars(range(min = 1, max = 20))]
    pub(crate) zeropadding: u32,
    /// Share of reads (shares count in proportion to their sum).
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) readproportion: Option<f64>,
    /// Share of updates.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) updateproportion: Option<f64>,
    /// Share of inserts.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) insertproportion: Option<f64>,
    /// Share of scans.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) scanproportion: Option<f64>,
    /// Share of reads that are followed by an update of the same record, each committing by itself.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) readmodifywriteproportion: Option<f64>,
    /// The records that requests are for: all alike, by Zipf's law, the newest most, or a hot part.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) requestdistribution: Option<Request>,
    /// Zipfian and latest: rank i is drawn in proportion to 1 / i to the power of this.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) zipfianconstant: f64,
    /// Hotspot: share of the records that are hot (of 1).
    #[schemars(range(min = 0.0, max = 1.0), extend("x-shapes" = "load"))]
    pub(crate) hotspotdatafraction: f64,
    /// Hotspot: share of the requests for hot records (of 1).
    #[schemars(range(min = 0.0, max = 1.0), extend("x-shapes" = "load"))]
    pub(crate) hotspotopnfraction: f64,
    /// Fewest records of a scan.
    #[schemars(range(min = 1, max = 1_000_000_000), extend("x-shapes" = "load"))]
    pub(crate) minscanlength: u32,
    /// Most records of a scan.
    #[schemars(range(min = 1, max = 1_000_000_000), extend("x-shapes" = "load"))]
    pub(crate) maxscanlength: u32,
    /// How long scans are: all lengths alike, or short ones more often by Zipf's law.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) scanlengthdistribution: ScanLength,
    /// Reads and scans fetch all fields; off: one, drawn anew each time.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) readallfields: Switch,
    /// Updates write all fields; off: one, drawn anew each time.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) writeallfields: Switch,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            workload: Letter::default(),
            recordcount: 0,
            fieldcount: 10,
            fieldlength: 100,
            insertorder: InsertOrder::default(),
            zeropadding: 1,
            readproportion: None,
            updateproportion: None,
            insertproportion: None,
            scanproportion: None,
            readmodifywriteproportion: None,
            requestdistribution: None,
            zipfianconstant: 0.99,
            hotspotdatafraction: 0.2,
            hotspotopnfraction: 0.8,
            minscanlength: 1,
            maxscanlength: 100,
            scanlengthdistribution: ScanLength::default(),
            readallfields: Switch(true),
            writeallfields: Switch(false),
            storage: StorageOptions::default(),
        }
    }
}

/// The kinds of operations, in the order of [`Options::weights`].
pub(crate) const KINDS: [&str; 5] = ["read", "update", "insert", "scan", "read_modify_write"];
pub(crate) const READ: usize = 0;
pub(crate) const UPDATE: usize = 1;
pub(crate) const INSERT: usize = 2;
pub(crate) const SCAN: usize = 3;
pub(crate) const READ_MODIFY_WRITE: usize = 4;

impl Options {
    /// What each kind's share is: the workload's, and what was given before it.
    pub(crate) fn weights(&self) -> [f64; 5] {
        let [read, update, insert, scan, read_modify_write] = match self.workload {
            Letter::A => [0.5, 0.5, 0.0, 0.0, 0.0],
            Letter::B => [0.95, 0.05, 0.0, 0.0, 0.0],
            Letter::C => [1.0, 0.0, 0.0, 0.0, 0.0],
            Letter::D => [0.95, 0.0, 0.05, 0.0, 0.0],
            Letter::E => [0.0, 0.0, 0.05, 0.95, 0.0],
            Letter::F => [0.5, 0.0, 0.0, 0.0, 0.5],
        };
        [
            self.readproportion.unwrap_or(read),
            self.updateproportion.unwrap_or(update),
            self.insertproportion.unwrap_or(insert),
            self.scanproportion.unwrap_or(scan),
            self.readmodifywriteproportion.unwrap_or(read_modify_write),
        ]
    }

    /// # Errors
    /// All of them are 0.
    pub(crate) fn shares(&self) -> Result<Shares, OptionError> {
        Shares::new(&self.weights())
    }

    pub(crate) fn request(&self) -> Request {
        let usual = if self.workload == Letter::D { Request::Latest } else { Request::Zipfian };
        self.requestdistribution.unwrap_or(usual)
    }

    /// Records that `prepare` makes.
    pub(crate) fn records(&self) -> u64 {
        if self.recordcount == 0 { RECORDS } else { self.recordcount }
    }

    /// # Errors
    /// Options that exclude each other.
    pub(crate) fn validate(&self) -> Result<(), OptionError> {
        let (least, most) = (self.minscanlength, self.maxscanlength);
        if least > most {
            return Err(OptionError(format!("minscanlength = {least} is above maxscanlength = {most}")));
        }
        Ok(())
    }
}
