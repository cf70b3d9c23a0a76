//! What connections take at a time, gathered from statements one after the other.

use std::path::PathBuf;
use std::sync::Arc;

use assay_sql::Letters;

use crate::data::dump::cut::parts;
use crate::data::dump::queue::{Piece, Queue};
use crate::data::dump::refused::too_long;
use crate::process::failure::Fatal;

/// What a connection takes at a time.
pub(super) enum Batch {
    Statements {
        text: Vec<u8>,
        list: Vec<Part>,
    },
    /// A statement that has the client send a file.
    Local {
        sql: Vec<u8>,
        path: PathBuf,
        place: String,
    },
    Rows {
        sql: Arc<str>,
        table: Arc<str>,
        content: Vec<u8>,
        records: u64,
        place: String,
    },
}

impl Piece for Batch {
    fn bytes(&self) -> usize {
        match self {
            Self::Statements { text, .. } => text.len(),
            Self::Local { sql, .. } => sql.len(),
            Self::Rows { content, .. } => content.len(),
        }
    }
}

/// A statement of a batch.
pub(super) struct Part {
    pub from: usize,
    pub to: usize,
    pub file: Arc<str>,
    pub line: u64,
    /// The table that gets rows; empty: another statement.
    pub table: Arc<str>,
    /// Whether it may be refused for want of rows that were not sent.
    pub untried: bool,
}

/// Statements that are gathered for a connection.
#[derive(Default)]
pub(super) struct Filling {
    /// The longest statement that the server takes, in bytes.
    packet: usize,
    /// Whether statements that come later may ask what one has done.
    is_asked: bool,
    text: Vec<u8>,
    list: Vec<Part>,
    file: Option<Arc<str>>,
    table: Option<Arc<str>>,
}

/// What stands between the parts of a statement, and after them, where `LAST_INSERT_ID()` may be asked for: of several rows that
/// is the first one's.
const KEEPS_FIRST: [&[u8]; 2] =
    [b"SET @assay_first_id = LAST_INSERT_ID()", b"DO LAST_INSERT_ID(@assay_first_id)"];

impl Filling {
    /// For a server that takes so many bytes of a statement.
    pub(super) fn new(packet: usize) -> Self {
        Self { packet, ..Self::default() }
    }

    /// For statements that are sent as they stand.
    pub(super) fn in_order(packet: usize) -> Self {
        Self { is_asked: true, ..Self::new(packet) }
    }

    /// Adds a statement, in parts where it is longer than the server takes.
    ///
    /// # Errors
    /// The statement is longer than that, and cannot be cut.
    pub(super) fn add(
        &mut self,
        sql: &[u8],
        file: &str,
        line: u64,
        table: &str,
        letters: Letters,
    ) -> Result<(), Fatal> {
        let parts = parts(sql, letters, self.packet)
            .map_err(|long| too_long(&long, &format!("{file}:{line}"), sql, self.packet))?;
        let last = parts.len() - 1;
        for (index, part) in parts.iter().enumerate() {
            self.push(part, file, line, table);
            if self.is_asked && last > 0 && (index == 0 || index == last) {
                self.push(KEEPS_FIRST[usize::from(index > 0)], file, line, "");
            }
        }
        Ok(())
    }

    fn push(&mut self, sql: &[u8], file: &str, line: u64, table: &str) {
        let from = self.text.len();
        self.text.extend_from_slice(sql);
        let file = same(&mut self.file, file);
        let table = same(&mut self.table, table);
        self.list.push(Part { from, to: self.text.len(), file, line, table, untried: false });
    }

    /// Says of the last statement whether it may be refused for want of rows.
    pub(super) fn mark(&mut self, untried: bool) {
        if let Some(part) = self.list.last_mut() {
            part.untried = untried;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Hands on what there is; false: nobody takes it.
    pub(super) fn put(&mut self, queue: &Queue<Batch>) -> bool {
        if self.list.is_empty() {
            return true;
        }
        let (text, list) = (std::mem::take(&mut self.text), std::mem::take(&mut self.list));
        queue.put(Batch::Statements { text, list })
    }
}

/// The text that was kept, where it is this one.
fn same(kept: &mut Option<Arc<str>>, text: &str) -> Arc<str> {
    match kept {
        Some(one) if **one == *text => one.clone(),
        _ => kept.insert(text.into()).clone(),
    }
}
