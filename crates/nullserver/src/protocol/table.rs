//! Small result sets of text, made when asked: settings, status.

use crate::protocol::packet::{Writer, put_integer, put_string};
use crate::protocol::reply::{TYPE_VAR_STRING, column, end_of_columns, end_of_rows};

/// Columns and rows, all text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// How a result set is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Encoding {
    pub(crate) binary: bool,
    pub(crate) deprecate_eof: bool,
}

impl Table {
    pub(crate) fn write(&self, out: &mut Vec<u8>, sequence: u8, encoding: Encoding, status: u16) {
        let mut writer = Writer::new(out, sequence);
        writer.packet(|body| put_integer(body, self.columns.len() as u64));
        self.write_columns(&mut writer);
        end_of_columns(&mut writer, encoding, status);
        for row in &self.rows {
            writer.packet(|body| {
                if encoding.binary {
                    // The row's mark, then the bit map of NULLs, shifted by two: none here.
                    body.push(0);
                    body.resize(body.len() + (row.len() + 9) / 8, 0);
                }
                for value in row {
                    put_string(body, value.as_bytes());
                }
            });
        }
        end_of_rows(&mut writer, encoding, status);
    }

    pub(crate) fn write_columns(&self, writer: &mut Writer<'_>) {
        for name in &self.columns {
            writer.packet(|body| column(body, name, TYPE_VAR_STRING, 1024));
        }
    }
}
