//! The result sets of a text, kept until the script has read them: rows as text, in one piece of memory.

use assay_wire::{Column, Row, Rows};

/// Length that stands for NULL.
const NULL: u32 = u32::MAX;

/// One result set.
#[derive(Debug, Default)]
pub(crate) struct ResultSet {
    pub fields: usize,
    pub rows: u64,
    /// Where each field's text begins, and its length; row after row.
    spans: Vec<(usize, u32)>,
    data: Vec<u8>,
    /// The number of rows that were fetched.
    read: usize,
}

impl ResultSet {
    /// The fields of the next row; `None` after the last one.
    pub(crate) fn next_row(&mut self) -> Option<impl Iterator<Item = Option<&[u8]>>> {
        let first = self.read * self.fields;
        let spans = self.spans.get(first..first + self.fields).filter(|spans| !spans.is_empty())?;
        self.read += 1;
        let data = &self.data;
        let text = move |&(start, length): &(usize, u32)| {
            (length != NULL).then(|| &data[start..start + length as usize])
        };
        Some(spans.iter().map(text))
    }

    fn begin(&mut self, fields: usize) {
        self.fields = fields;
        self.rows = 0;
        self.read = 0;
        self.spans.clear();
        self.data.clear();
    }
}

/// Bytes that the results of all threads of a script may take together, and bounds of what each text of a connection may.
const OF_ALL_BYTES: usize = 4 << 30;
const LEAST_BYTES: usize = 16 << 20;
const MOST_BYTES: usize = 256 << 20;
/// Bytes that a result set or a field takes beside its text.
const SET_BYTES: usize = size_of::<ResultSet>();
const FIELD_BYTES: usize = size_of::<(usize, u32)>();

/// Bytes of one text's results in a script of so many threads.
pub(crate) fn most_bytes(threads: u32) -> usize {
    (OF_ALL_BYTES / threads.max(1) as usize).clamp(LEAST_BYTES, MOST_BYTES)
}

/// All result sets of one text; the memory is used again for the next text of the connection.
#[derive(Debug, Default)]
pub struct Results {
    sets: Vec<ResultSet>,
    /// Bytes that the last text's results take, and may take; 0: as many as they need.
    bytes: usize,
    most_bytes: usize,
    /// Result sets that the last text had.
    count: usize,
    /// The result set that is being read.
    current: usize,
}

impl Results {
    /// Forgets what the last text answered.
    pub fn clear(&mut self) {
        if self.bytes > LEAST_BYTES {
            // Few texts have such an answer: its memory is not kept for the next one.
            self.sets = Vec::new();
        }
        self.bytes = 0;
        self.count = 0;
        self.current = 0;
    }

    /// Takes no more than this from now on.
    pub(crate) fn limit_to(&mut self, bytes: usize) {
        self.most_bytes = bytes;
    }

    /// The result set that is being read.
    pub(crate) fn current(&mut self) -> Option<&mut ResultSet> {
        self.sets[..self.count].get_mut(self.current)
    }

    pub(crate) fn has_more(&self) -> bool {
        self.current + 1 < self.count
    }

    /// Goes on to the next result set.
    pub(crate) fn advance(&mut self) -> Option<&mut ResultSet> {
        self.current += 1;
        self.current()
    }
}

impl Rows for Results {
    fn columns(&mut self, columns: &[Column]) {
        if self.count == self.sets.len() {
            self.sets.push(ResultSet::default());
        }
        self.sets[self.count].begin(columns.len());
        self.count += 1;
        self.bytes += SET_BYTES;
    }

    fn refusal(&self) -> Option<String> {
        (self.most_bytes > 0 && self.bytes > self.most_bytes).then(|| {
            let mib = self.most_bytes >> 20;
            format!(
                "the result of the statement is larger than {mib} MiB, which a thread of a script may take"
            )
        })
    }

    fn row(&mut self, row: &Row<'_>) {
        let Some(set) = self.count.checked_sub(1).and_then(|last| self.sets.get_mut(last)) else { return };
        set.rows += 1;
        self.bytes += row.len() * FIELD_BYTES;
        for field in 0..row.len() {
            let start = set.data.len();
            match row.bytes(field) {
                Some(text) => {
                    set.data.extend_from_slice(&text);
                    self.bytes += text.len();
                    // A field is shorter than a packet, which has 4 GB at most.
                    set.spans.push((start, text.len() as u32));
                }
                None => set.spans.push((start, NULL)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields as texts, NULL as a dash.
    fn next(results: &mut Results) -> Option<Vec<String>> {
        let row = results.current()?.next_row()?;
        Some(row.map(|field| field.map_or("-".into(), |text| String::from_utf8_lossy(text).into())).collect())
    }

    #[test]
    fn rows_and_sets_without_an_end_are_refused_and_their_memory_is_given_back() {
        let big = "x".repeat(1 << 20);
        for of_rows in [true, false] {
            let mut results = Results::default();
            results.limit_to(LEAST_BYTES + 1);
            let taken = (0..1_000_000).position(|number| {
                Row::of_text(&[if of_rows { &*big } else { "a" }], |row| {
                    if !of_rows || number == 0 {
                        results.columns(row.columns());
                    }
                    if of_rows {
                        results.row(row);
                    }
                });
                results.refusal().is_some()
            });
            assert!(taken.is_some(), "{of_rows}");
            results.clear();
            assert!(results.refusal().is_none() && results.sets.capacity() == 0);
        }
        let most = [1, 16, 1024, 100_000].map(most_bytes);
        assert_eq!(most.map(|bytes| bytes >> 20), [256, 256, 16, 16]);
    }

    #[test]
    fn rows_are_read_in_order_and_once() {
        let mut results = Results::default();
        assert!(results.current().is_none());
        for round in 0..2 {
            results.clear();
            Row::of_text(&["a", "bc"], |row| {
                results.columns(row.columns());
                results.row(row);
                results.row(row);
            });
            assert_eq!(results.current().map(|set| (set.fields, set.rows)), Some((2, 2)), "{round}");
            assert_eq!(next(&mut results), Some(vec!["a".into(), "bc".into()]));
            assert!(next(&mut results).is_some() && next(&mut results).is_none());
            assert!(!results.has_more() && results.advance().is_none());
        }
    }
}
