//! Rows of an answer, counted in bytes on their way to whoever takes them.

use assay_wire::{Column, Row, Rows};

pub(super) struct Weighed<'a, R> {
    to: &'a mut R,
    pub(super) bytes: u64,
}

impl<'a, R: Rows> Weighed<'a, R> {
    pub(super) fn new(to: &'a mut R) -> Self {
        Self { to, bytes: 0 }
    }
}

impl<R: Rows> Rows for Weighed<'_, R> {
    fn row(&mut self, row: &Row<'_>) {
        let bytes = |index| row.bytes(index).map_or(0, |field| field.len() as u64);
        self.bytes += (0..row.len()).map(bytes).sum::<u64>();
        if self.to.wanted() {
            self.to.row(row);
        }
    }

    fn columns(&mut self, columns: &[Column]) {
        if self.to.wanted() {
            self.to.columns(columns);
        }
    }

    fn refusal(&self) -> Option<String> {
        self.to.refusal()
    }
}
