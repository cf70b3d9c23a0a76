//! Commands, one a file: each is a method of [`Connection`](crate::Connection).

pub(crate) mod bulk;
mod execute;
mod prepare;
mod query;
mod simple;
