//! The four tables, and what must hold in them.

use crate::tatp::options::Options;
use crate::tatp::population::{
    ACCESS_INFO, CALL_FORWARDING, Population, SPECIAL_FACILITY, SUBSCRIBER, slots,
};
use crate::{Check, Dataset, OptionError, Rng, Table};

/// Bytes on disk of a row, as InnoDB has it: of a subscriber with the index on its number, of the other tables.
const SUBSCRIBER_BYTES: u32 = 200;
const ROW_BYTES: u32 = 80;

#[derive(Debug)]
pub(crate) struct TatpData {
    tables: Vec<Table>,
    population: Population,
    subscribers: u64,
    foreign_keys: bool,
}

/// Ten columns `name_1` to `name_10`, each with `after`.
fn ten(name: &str, after: &str) -> String {
    let columns: Vec<String> = (1..=10).map(|number| format!("{name}_{number}{after}")).collect();
    columns.join(", ")
}

/// The columns of `subscriber`, as a query names them.
pub(crate) fn subscriber_columns() -> String {
    format!(
        "s_id, sub_nbr, {}, {}, {}, msc_location, vlr_location",
        ten("bit", ""),
        ten("hex", ""),
        ten("byte2", "")
    )
}

/// Name, columns as they are made, columns as they are filled.
fn shape(table: usize) -> (&'static str, String, String) {
    let byte = " TINYINT UNSIGNED NOT NULL";
    match table {
        SUBSCRIBER => (
            "subscriber",
            format!(
                "s_id INT UNSIGNED NOT NULL, sub_nbr VARCHAR(15) NOT NULL, {}, {}, {}, msc_location INT UNSIGNED NOT NULL, \
                 vlr_location INT UNSIGNED NOT NULL, PRIMARY KEY (s_id)",
                ten("bit", byte),
                ten("hex", byte),
                ten("byte2", byte)
            ),
            subscriber_columns(),
        ),
        ACCESS_INFO => (
            "access_info",
            format!(
                "s_id INT UNSIGNED NOT NULL, ai_type{byte}, data1{byte}, data2{byte}, data3 CHAR(3) NOT NULL, \
                 data4 CHAR(5) NOT NULL, PRIMARY KEY (s_id, ai_type)"
            ),
            "s_id, ai_type, data1, data2, data3, data4".into(),
        ),
        SPECIAL_FACILITY => (
            "special_facility",
            format!(
                "s_id INT UNSIGNED NOT NULL, sf_type{byte}, is_active{byte}, error_cntrl{byte}, data_a{byte}, \
                 data_b CHAR(5) NOT NULL, PRIMARY KEY (s_id, sf_type)"
            ),
            "s_id, sf_type, is_active, error_cntrl, data_a, data_b".into(),
        ),
        _ => (
            "call_forwarding",
            format!(
                "s_id INT UNSIGNED NOT NULL, sf_type{byte}, start_time{byte}, end_time{byte}, \
                 numberx VARCHAR(15) NOT NULL, PRIMARY KEY (s_id, sf_type, start_time)"
            ),
            "s_id, sf_type, start_time, end_time, numberx".into(),
        ),
    }
}

/// Child, name of the key, columns, parent.
const FOREIGN: [(&str, &str, &str, &str); 3] = [
    ("access_info", "fk_access_info", "s_id", "subscriber (s_id)"),
    ("special_facility", "fk_special_facility", "s_id", "subscriber (s_id)"),
    ("call_forwarding", "fk_call_forwarding", "s_id, sf_type", "special_facility (s_id, sf_type)"),
];

impl TatpData {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &Options, seed: u64) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let subscribers = options.subscribers;
        let table = |number: usize| {
            let (name, create, columns) = shape(number);
            let each = slots(number);
            let index = || format!("CREATE UNIQUE INDEX subscriber_sub_nbr ON {name} (sub_nbr)");
            Table {
                name: name.into(),
                create: format!("CREATE TABLE {name} ({create}) {storage}"),
                columns,
                rows: subscribers * each,
                row_bytes: if number == SUBSCRIBER { SUBSCRIBER_BYTES } else { ROW_BYTES },
                chunk_rows: each * (subscribers / 16).clamp(1_000, 10_000),
                count_chunk: format!(
                    "SELECT COUNT(*) FROM (SELECT ? a, ? z) chunk JOIN {name} \
                     ON s_id BETWEEN (a - 1) DIV {each} + 1 AND (z - 1) DIV {each} + 1"
                ),
                after: (number == SUBSCRIBER).then(index).into_iter().collect(),
            }
        };
        Ok(Self {
            tables: (SUBSCRIBER..=CALL_FORWARDING).map(table).collect(),
            population: Population { seed },
            subscribers,
            foreign_keys: options.foreign_keys.0,
        })
    }
}

impl Dataset for TatpData {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        self.population.row(table, number, rng, out);
    }

    fn rows_in(&self, table: usize, first: u64, last: u64) -> u64 {
        self.population.rows_in(table, first, last)
    }

    fn finally(&self) -> Vec<String> {
        if !self.foreign_keys {
            return Vec::new();
        }
        // The rows are ours and fit; a server that looks at each of them again copies the tables for it.
        let trust = ["SET foreign_key_checks = 0".to_owned()];
        let keys = FOREIGN.iter().map(|(table, name, columns, parent)| {
            format!("ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({columns}) REFERENCES {parent}")
        });
        trust.into_iter().chain(keys).collect()
    }

    fn linked(&self) -> bool {
        true
    }

    fn checks(&self) -> Vec<Check> {
        let asked = self.subscribers;
        let check = |name, title, sql: &str| Check::new(name, title, sql);
        let one_to_four = |name, title, table: &str| {
            Check::new(
                name,
                title,
                format!(
                    "SELECT s.s_id, COUNT(x.s_id) n FROM subscriber s LEFT JOIN {table} x ON x.s_id = s.s_id GROUP BY s.s_id \
                 HAVING n NOT BETWEEN 1 AND 4"
                ),
            )
        };
        vec![
            Check::new(
                "subscribers-filled",
                "S_ID has the numbers from 1 to what the option subscribers says",
                format!(
                    "SELECT COUNT(*) n, MIN(s_id) first, MAX(s_id) last, {asked} asked FROM subscriber \
                     HAVING NOT (n = {asked} AND first <=> 1 AND last <=> n)"
                ),
            ),
            check(
                "numbers-filled",
                "SUB_NBR is S_ID with 15 digits",
                "SELECT s_id, sub_nbr FROM subscriber WHERE sub_nbr <> LPAD(s_id, 15, '0')",
            ),
            one_to_four("access-infos-filled", "a subscriber has 1 to 4 access infos", "access_info"),
            one_to_four("facilities-filled", "a subscriber has 1 to 4 facilities", "special_facility"),
            check(
                "forwardings-belong",
                "a forwarding has its facility, and starts at 0, 8 or 16",
                "SELECT c.s_id, c.sf_type, c.start_time FROM call_forwarding c \
                 LEFT JOIN special_facility f ON f.s_id = c.s_id AND f.sf_type = c.sf_type \
                 WHERE f.s_id IS NULL OR c.start_time NOT IN (0, 8, 16)",
            ),
        ]
    }
}
