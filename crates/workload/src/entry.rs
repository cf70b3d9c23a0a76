//! One line of the list of workloads: a workload before it has options.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::option::{OptionError, OptionSchema, read};
use crate::{Description, Driver, Measure};

/// A workload that can be chosen: what people are told of it, and how it is made of its options.
pub trait Entry: Send + Sync {
    /// The name on the command line and in study files.
    fn name(&self) -> &str;

    /// What people and the lab are told.
    fn listing(&self) -> Listing;

    /// The workload with its options.
    ///
    /// # Errors
    /// An unknown option, a value of the wrong type or out of range, two options that exclude each other; the message
    /// names them.
    fn describe(&self, options: &Map<String, Value>, seed: u64) -> Result<Box<dyn Description>, OptionError>;
}

/// What people and the lab are told of a workload.
#[derive(Debug, Serialize)]
pub struct Listing {
    pub name: String,
    pub summary: String,
    /// Kinds of transactions that a claim can speak of; none: all are alike.
    pub kinds: Vec<String>,
    /// Measures that a claim can speak of, besides those of every workload.
    pub measures: Vec<Measure>,
    /// Whether `check` tries conditions that a load must not break.
    pub conditions: bool,
    /// Whether `run` can write a ledger of acknowledged commits, and `check` look for them.
    pub ledger: bool,
    /// Version of the rows: tables of two versions differ, although options and seed are the same.
    pub rows_version: u32,
    /// JSON Schema of the options, with defaults and help texts.
    pub options: OptionSchema,
}

/// A workload of this crate, as its line in the registry needs it.
pub(crate) trait Shipped: Driver {
    /// The options; unknown names are refused. Docs of the fields are the help texts.
    type Options: DeserializeOwned + JsonSchema;

    /// The name on the command line and in study files.
    const NAME: &'static str;
    /// One line for lists.
    const SUMMARY: &'static str;
    /// The kinds of transactions that there are with any options: [`Description::kinds`] gives the first of them.
    const KINDS: &'static [&'static str] = &[];
    /// The measures by names of its own, which [`Description::measures`] gives.
    const MEASURES: &'static [Measure] = &[];
    /// Whether the tables have conditions that a load must not break; see [`Dataset::checks`](crate::Dataset::checks).
    const CONDITIONS: bool = false;
    /// Whether there are [`Description::ledgers`].
    const KEEPS_LEDGER: bool = false;
    /// Version of the rows, which a change to them raises: the lab keeps tables, and those of another version are not these.
    const ROWS_VERSION: u32 = 1;

    /// Checks the options as a whole.
    ///
    /// # Errors
    /// An option out of range, or two that exclude each other; the message names them.
    fn new(options: Self::Options, seed: u64) -> Result<Self, OptionError>;
}

/// The workload with its options, each of them looked at.
///
/// # Errors
/// As those of [`Entry::describe`].
pub(crate) fn make<W: Shipped>(options: &Map<String, Value>, seed: u64) -> Result<W, OptionError> {
    W::new(read(W::NAME, options)?, seed)
        .map_err(|OptionError(message)| OptionError(format!("{}: {message}", W::NAME)))
}

/// The entry of a workload of this crate.
pub(crate) struct Listed<W>(PhantomData<fn() -> W>);

impl<W> Listed<W> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<W: Shipped> Entry for Listed<W> {
    fn name(&self) -> &str {
        W::NAME
    }

    fn listing(&self) -> Listing {
        Listing {
            name: W::NAME.into(),
            summary: W::SUMMARY.into(),
            kinds: W::KINDS.iter().map(|kind| (*kind).to_owned()).collect(),
            measures: W::MEASURES.to_vec(),
            conditions: W::CONDITIONS,
            ledger: W::KEEPS_LEDGER,
            rows_version: W::ROWS_VERSION,
            options: OptionSchema::of::<W::Options>(),
        }
    }

    fn describe(&self, options: &Map<String, Value>, seed: u64) -> Result<Box<dyn Description>, OptionError> {
        Ok(Box::new(make::<W>(options, seed)?))
    }
}
