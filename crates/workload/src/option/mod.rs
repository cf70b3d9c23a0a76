//! How options are read: forgiving in spelling, strict in names and ranges.

mod check;
mod engine;
mod isolation;
mod schema;
mod switch;

pub(crate) use self::check::read;
pub(crate) use self::engine::StorageOptions;
pub(crate) use self::isolation::Isolation;
pub use self::schema::{OptionSchema, nearest};
pub(crate) use self::switch::Switch;

/// An option that cannot be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct OptionError(pub String);
