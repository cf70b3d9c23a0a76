//! The table of YCSB's JDBC binding, its rows, and what a load leaves for the runs.

use crate::ycsb::keys::Keys;
use crate::ycsb::options::Options;
use crate::{Check, Dataset, Notes, OptionError, Rng, Table, text};

/// Where prepare writes down what it did, and a run the first number that it did not use.
pub(crate) const NOTES_NAME: &str = "assay_ycsb";
/// The name of that number.
pub(crate) const NEXT: &str = "next_record";

/// Key, fields with their lengths, header; keys in no order leave pages half empty.
fn row_bytes(options: &Options) -> u32 {
    (60 + options.fieldcount * (options.fieldlength + 2)) * 9 / 4
}

#[derive(Debug)]
pub(crate) struct YcsbData {
    tables: [Table; 2],
    keys: Keys,
    options: Options,
    pub(crate) records: u64,
}

impl YcsbData {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &Options) -> Result<Self, OptionError> {
        let (keys, records) = (Keys::new(options), options.records());
        let storage = options.storage.clause()?;
        let fields = |each: &str| -> String {
            (0..options.fieldcount).map(|field| format!(", FIELD{field}{each}")).collect()
        };
        let usertable = Table {
            name: "usertable".into(),
            create: format!(
                "CREATE TABLE usertable (YCSB_KEY VARCHAR(255) NOT NULL PRIMARY KEY{}) {storage}",
                fields(" TEXT")
            ),
            columns: format!("YCSB_KEY{}", fields("")),
            rows: records,
            row_bytes: row_bytes(options),
            chunk_rows: (records / 16).clamp(1_000, 10_000),
            // A chunk is there as a whole or not at all.
            count_chunk: format!(
                "SELECT COUNT(*) * MAX(z - a + 1) FROM (SELECT ? a, ? z) chunk JOIN usertable ON YCSB_KEY = {}",
                keys.sql("(a - 1)")
            ),
            after: Vec::new(),
        };
        let notes = Table {
            name: NOTES_NAME.into(),
            create: format!(
                "CREATE TABLE {NOTES_NAME} (name VARCHAR(32) NOT NULL, value VARCHAR(255) NOT NULL, \
                 PRIMARY KEY (name)) {storage}"
            ),
            columns: "name, value".into(),
            rows: 0,
            row_bytes: 100,
            chunk_rows: 1,
            count_chunk: format!("SELECT COUNT(*) FROM {NOTES_NAME} WHERE ? > ?"),
            after: Vec::new(),
        };
        Ok(Self { tables: [usertable, notes], keys, options: options.clone(), records })
    }

    /// Appends the value of a field.
    pub(crate) fn field(&self, rng: &mut Rng, out: &mut Vec<u8>) {
        let length = u64::from(self.options.fieldlength);
        text::a_string(rng, length, length, out);
    }
}

impl Dataset for YcsbData {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, _table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        out.extend_from_slice(b"('");
        self.keys.append(number - 1, out);
        for _ in 0..self.options.fieldcount {
            out.extend_from_slice(b"','");
            self.field(rng, out);
        }
        out.extend_from_slice(b"')");
    }

    fn notes(&self) -> Option<Notes> {
        let options = &self.options;
        let rows = [
            ("format", "1".into()),
            ("recordcount", self.records.to_string()),
            ("fieldcount", options.fieldcount.to_string()),
            ("insertorder", options.insertorder.name().into()),
            ("zeropadding", options.zeropadding.to_string()),
            (NEXT, self.records.to_string()),
        ];
        Some(Notes { moving: Some(NEXT.into()), ..Notes::new(NOTES_NAME, &rows) })
    }

    fn checks(&self) -> Vec<Check> {
        let records = self.records;
        let nulls: Vec<String> =
            (0..self.options.fieldcount).map(|field| format!("FIELD{field} IS NULL")).collect();
        vec![
            Check::new(
                "records-filled",
                "no record of the load is gone",
                format!("SELECT COUNT(*) found FROM usertable HAVING found < {records}"),
            ),
            Check::new(
                "fields-filled",
                "every field of every record has a value",
                format!("SELECT YCSB_KEY FROM usertable WHERE {}", nulls.join(" OR ")),
            ),
        ]
    }
}
