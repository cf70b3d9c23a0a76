//! Rows made of statistics of other rows: each value is a function of seed, table, row and column, so that any part of a
//! table can be made at any place, in any order, on any server. Nothing here knows of servers, files or jobs.

mod build;
mod fault;
mod keys;
mod links;
mod model;
mod numbers;
mod order;
mod spec;
mod spread;
#[cfg(test)]
mod tests;
mod texts;
mod values;

pub use crate::fault::Fault;
pub use crate::model::{Model, Table, quoted_name};
pub use crate::spec::{
    ColumnProfile, FanOut, KeyProfile, Profile, ReferenceProfile, TableProfile, TopValue, ValueForm,
    ValueRange,
};
