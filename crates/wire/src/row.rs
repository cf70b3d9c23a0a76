//! Rows of a result set, borrowed from the read buffer.

use std::marker::PhantomData;

/// One row.
#[derive(Debug)]
pub struct Row<'a> {
    _payload: PhantomData<&'a [u8]>,
}

/// Takes the rows of a result set one by one.
pub trait Rows {
    fn row(&mut self, row: &Row<'_>);
}

/// Takes nothing: rows are counted and skipped without being decoded.
#[derive(Debug, Default)]
pub struct Discard;

impl Rows for Discard {
    fn row(&mut self, _row: &Row<'_>) {}
}
