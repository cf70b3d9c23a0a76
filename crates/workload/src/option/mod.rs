//! How options are read: forgiving in spelling, strict in names and ranges.

mod check;
mod engine;
mod isolation;
mod switch;

pub use self::check::OptionError;
pub(crate) use self::check::{complete, read};
pub(crate) use self::engine::StorageOptions;
pub(crate) use self::isolation::Isolation;
pub(crate) use self::switch::Switch;
