//! Prepared statements of one session.

use crate::protocol::packet::Writer;
use crate::protocol::reply::{TYPE_LONGLONG, TYPE_STRING, column, end_of_columns};
use crate::protocol::statement::{AnswerKind, Statement};
use crate::protocol::table::{Encoding, Table};

#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) statement: Statement,
    /// Kept only where the answer depends on it.
    pub(crate) sql: Option<Box<str>>,
}

/// Numbered from 1; the number of a closed statement is given out again.
#[derive(Debug, Default)]
pub(crate) struct PreparedStatements {
    /// Statement n + 1 in place n.
    places: Vec<Option<Prepared>>,
    free: Vec<u32>,
}

impl PreparedStatements {
    pub(crate) fn add(&mut self, prepared: Prepared) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() as u32 - 1
        });
        self.places[place as usize] = Some(prepared);
        place + 1
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<&Prepared> {
        self.places.get((id as usize).wrapping_sub(1))?.as_ref()
    }

    pub(crate) fn remove(&mut self, id: u32) {
        let place = id.wrapping_sub(1);
        if self.places.get_mut(place as usize).and_then(Option::take).is_some() {
            self.free.push(place);
        }
    }
}

/// The reply to PREPARE.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    pub(crate) id: u32,
    pub(crate) kind: AnswerKind,
    /// The answer's table, where it is made when asked.
    pub(crate) asked: Option<&'a Table>,
    pub(crate) parameters: u16,
}

impl Head<'_> {
    pub(crate) fn write(&self, out: &mut Vec<u8>, sequence: u8, encoding: Encoding, status: u16) {
        let columns = match (self.asked, self.kind) {
            (Some(table), _) => table.columns.len() as u16,
            (None, AnswerKind::Point | AnswerKind::Range | AnswerKind::Aggregate) => 1,
            (None, _) => 0,
        };
        let mut writer = Writer::new(out, sequence);
        writer.packet(|body| {
            body.push(0);
            body.extend_from_slice(&self.id.to_le_bytes());
            body.extend_from_slice(&columns.to_le_bytes());
            body.extend_from_slice(&self.parameters.to_le_bytes());
            body.extend_from_slice(&[0; 3]);
        });
        for _ in 0..self.parameters {
            writer.packet(|body| column(body, "?", TYPE_STRING, 0));
        }
        if self.parameters > 0 {
            end_of_columns(&mut writer, encoding, status);
        }
        match (self.asked, self.kind) {
            (Some(table), _) => table.write_columns(&mut writer),
            (None, AnswerKind::Point | AnswerKind::Range) => {
                writer.packet(|body| column(body, "c", TYPE_STRING, 480));
            }
            (None, AnswerKind::Aggregate) => writer.packet(|body| column(body, "n", TYPE_LONGLONG, 20)),
            (None, _) => {}
        }
        if columns > 0 {
            end_of_columns(&mut writer, encoding, status);
        }
    }
}
