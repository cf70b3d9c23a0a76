//! What the state of a script has answered: a table that is read as it lies there. Nothing of the script runs for it, and no
//! more of it is taken than a description of a script may have.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Table, Value};

use crate::error::ScriptError;

/// Bytes of all texts of an answer, and of one entry beside its texts.
const MOST_BYTES: usize = 8 << 20;
const ENTRY_BYTES: usize = 64;

/// A table of an answer.
pub(crate) struct Told {
    table: Table,
    /// Bytes of the whole answer that may still be taken.
    left: Rc<Cell<usize>>,
}

impl Told {
    /// # Errors
    /// The answer is no table.
    pub(crate) fn new(answer: &Value) -> Result<Self, ScriptError> {
        Self::part_of(answer, Rc::new(Cell::new(MOST_BYTES)))
    }

    fn part_of(answer: &Value, left: Rc<Cell<usize>>) -> Result<Self, ScriptError> {
        match answer {
            Value::Table(table) => Ok(Self { table: table.clone(), left }),
            other => Err(ScriptError::new(format!("a table expected, got {}", other.type_name()))),
        }
    }

    /// # Errors
    /// There is no memory for it.
    pub(crate) fn value(&self, name: &str) -> Result<Value, ScriptError> {
        Ok(self.table.raw_get(name)?)
    }

    /// # Errors
    /// There is something else.
    pub(crate) fn table(&self, name: &str) -> Result<Self, ScriptError> {
        Self::part_of(&self.value(name)?, self.left.clone())
    }

    /// Whether there is something, and it is not `false`.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, ScriptError> {
        Ok(!matches!(self.value(name)?, Value::Nil | Value::Boolean(false)))
    }

    /// A number of Lua.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, ScriptError> {
        self.value(name).map(|value| number(&value))
    }

    /// A text, also a number as one; `None`: there is neither.
    ///
    /// # Errors
    /// The answer is too long.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, ScriptError> {
        self.text_of(&self.value(name)?)
    }

    /// The texts of a list; other items are left out.
    ///
    /// # Errors
    /// The answer is too long.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, ScriptError> {
        let Value::Table(list) = self.value(name)? else { return Ok(Vec::new()) };
        let items = list.sequence_values::<Value>();
        items
            .filter_map(|item| {
                item.map_err(ScriptError::from).and_then(|item| self.text_of(&item)).transpose()
            })
            .collect()
    }

    /// Takes each of the tables of this one, with its name: Lua keeps but a few thousand of them for others at once.
    ///
    /// # Errors
    /// The answer is too long, or has something else.
    pub(crate) fn each<T>(
        &self,
        mut take: impl FnMut(String, Self) -> Result<T, ScriptError>,
    ) -> Result<Vec<T>, ScriptError> {
        let mut taken = Vec::new();
        for pair in self.table.pairs::<Value, Value>() {
            let (name, value) = pair?;
            let name = self.text_of(&name)?.unwrap_or_default();
            taken.push(take(name, Self::part_of(&value, self.left.clone())?)?);
        }
        Ok(taken)
    }

    fn text_of(&self, value: &Value) -> Result<Option<String>, ScriptError> {
        Ok(match value {
            Value::String(text) => {
                self.take(text.as_bytes().len())?;
                Some(text.to_string_lossy())
            }
            other => number(other).map(|number| number.to_string()),
        })
    }

    /// Takes an entry with so many bytes of text.
    fn take(&self, bytes: usize) -> Result<(), ScriptError> {
        let left = self.left.get().checked_sub(bytes.saturating_add(ENTRY_BYTES)).ok_or_else(|| {
            ScriptError::new(format!(
                "the script declares more than {} MB of options: give shorter texts, or fewer options",
                MOST_BYTES >> 20
            ))
        })?;
        self.left.set(left);
        Ok(())
    }
}

/// A value as a number, where it is one.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_i64().map(|whole| whole as f64))
}
