//! Commands, one a file: each is a method of [`Connection`](crate::Connection).

mod execute;
mod prepare;
mod query;
mod simple;
