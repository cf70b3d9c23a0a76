//! The tables of `tpcc` as a data set: rows, what follows them, the notes, the conditions.

use crate::tpcc::checks::checks;
use crate::tpcc::nurand::c_load;
use crate::tpcc::options::Options;
use crate::tpcc::population::{Population, sizes};
use crate::tpcc::schema::{
    NAMES, NOTES, NOTES_NAME, ORDER_LINE, count_chunk, create, filled, foreign_keys, indexes, row_bytes,
};
use crate::{Check, Dataset, Notes, OptionError, Rng, Table};

#[derive(Debug)]
pub(crate) struct TpccData {
    tables: Vec<Table>,
    population: Population,
    options: Options,
    pub(crate) warehouses: u64,
}

impl TpccData {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &Options, seed: u64) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let mut data = Self {
            tables: Vec::new(),
            population: Population {
                seed,
                c_load: c_load(seed),
                dialect: options.dialect,
                history_key: options.history_key,
            },
            options: options.clone(),
            warehouses: u64::from(options.warehouses.max(1)),
        };
        data.tables = (0..NAMES.len()).map(|number| data.table(number, &storage)).collect();
        Ok(data)
    }

    fn table(&self, number: usize, storage: &str) -> Table {
        let (rows, chunk_rows) = sizes(number, self.warehouses);
        Table {
            name: NAMES[number].into(),
            create: create(number, &self.options, storage),
            columns: filled(number, self.options.history_key),
            rows,
            row_bytes: row_bytes(number),
            chunk_rows,
            count_chunk: count_chunk(number),
            after: indexes(number, &self.options),
        }
    }
}

impl Dataset for TpccData {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        debug_assert!(table < NOTES);
        self.population.row(table, number, rng, out);
    }

    fn rows_in(&self, table: usize, first: u64, last: u64) -> u64 {
        if table == ORDER_LINE {
            self.population.lines_in(first, last)
        } else {
            (last + 1).saturating_sub(first)
        }
    }

    fn finally(&self) -> Vec<String> {
        // The rows are ours and fit; a server that looks at each of them again copies the tables for it.
        let trust = ["SET foreign_key_checks = 0".to_owned()];
        let keys = self
            .options
            .foreign_keys
            .0
            .then(|| trust.into_iter().chain(foreign_keys()))
            .into_iter()
            .flatten();
        keys.collect()
    }

    fn notes(&self) -> Option<Notes> {
        let options = &self.options;
        let rows = [
            ("format", "1".into()),
            ("dialect", options.dialect.name().into()),
            ("warehouses", self.warehouses.to_string()),
            ("c_load", self.population.c_load.to_string()),
            ("seed", self.population.seed.to_string()),
            ("history_key", options.history_key.name().into()),
            ("foreign_keys", if options.foreign_keys.0 { "on" } else { "off" }.into()),
        ];
        Some(Notes::new(NOTES_NAME, &rows))
    }

    fn linked(&self) -> bool {
        true
    }

    fn checks(&self) -> Vec<Check> {
        checks(self.options.dialect, self.warehouses)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::tpcc::options::Dialect;
    use crate::tpcc::schema;
    use crate::tpcc::text::is_original;

    /// The rows of a chunk, as a loader asks for them, split at commas: no value of ours holds one.
    fn chunk(data: &TpccData, table: usize, chunk: u64) -> Vec<Vec<String>> {
        let shape = &data.tables()[table];
        let mut rng = crate::rng_of_chunk(42, table, chunk);
        let first = chunk * shape.chunk_rows + 1;
        let last = ((chunk + 1) * shape.chunk_rows).min(shape.rows);
        let mut rows = Vec::new();
        for number in first..=last {
            let mut out = Vec::new();
            data.row(table, number, &mut rng, &mut out);
            let text = String::from_utf8(out).expect("ASCII");
            if let Some(tuple) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
                rows.push(
                    tuple.split(',').map(|value| value.trim_matches('\'').to_owned()).collect::<Vec<_>>(),
                );
            }
        }
        assert_eq!(rows.len() as u64, data.rows_in(table, first, last));
        let columns = shape.columns.split(',').count();
        assert!(rows.iter().all(|row| row.len() == columns), "{}: {:?}", shape.name, rows.first());
        rows
    }

    fn data(dialect: Dialect) -> TpccData {
        TpccData::new(&Options { warehouses: 2, dialect, ..Options::default() }, 42)
            .expect("options that can be")
    }

    #[test]
    fn orders_and_their_lines_agree() {
        let data = data(Dialect::Spec);
        // The third district of the second warehouse.
        let (orders, lines) = (chunk(&data, schema::ORDERS, 12), chunk(&data, schema::ORDER_LINE, 12));
        let mut counts: HashMap<&str, Vec<u64>> = HashMap::new();
        for line in &lines {
            assert_eq!((line[0].as_str(), line[1].as_str(), line[5].as_str()), ("2", "3", "2"));
            counts.entry(&line[2]).or_default().push(line[3].parse().expect("ol_number"));
        }
        for order in &orders {
            assert_eq!((order[0].as_str(), order[1].as_str()), ("2", "3"));
            let expected: Vec<u64> = (1..=order[6].parse().expect("o_ol_cnt")).collect();
            assert_eq!(counts[order[2].as_str()], expected);
            assert_eq!(order[5] == "NULL", order[2].parse::<u64>().expect("o_id") >= 2101);
        }
        assert_eq!(orders.len(), 3000);
        assert!((28_500..31_500).contains(&lines.len()), "{}", lines.len());
        let undelivered = |line: &Vec<String>| line[2].parse::<u64>().expect("o_id") >= 2101;
        assert!(lines.iter().all(|line| undelivered(line) == (line[6] == "NULL")));
        assert!(lines.iter().all(|line| undelivered(line) == (line[8] != "0.00")));
    }

    #[test]
    fn shares_of_the_population_are_those_of_the_specification() {
        for (dialect, bad) in [(Dialect::Spec, 300), (Dialect::TpccMysql, 1500)] {
            let customers = chunk(&data(dialect), schema::CUSTOMER, 0);
            let found = customers.iter().filter(|row| row[13] == "BC").count();
            // Deviation 16 and 27.
            assert!(usize::abs_diff(found, bad) < 120, "{dialect:?}: {found}");
            let discount: f64 = customers.iter().map(|row| row[15].parse::<f64>().expect("a number")).sum();
            assert!((discount / 3000.0 - 0.25).abs() < 0.02, "{dialect:?}: {discount}");
        }
        let stock = chunk(&data(Dialect::Spec), schema::STOCK, 10);
        assert_eq!(stock[0][..2], ["2", "1"]);
        let original = stock.iter().filter(|row| is_original(row[16].as_bytes())).count();
        assert!(original.abs_diff(1000) < 200, "{original}");
    }

    #[test]
    fn what_is_counted_of_a_chunk_is_what_is_cleared() {
        for table in data(Dialect::Spec).tables() {
            let of = table.count_chunk.strip_prefix("SELECT COUNT(*) FROM ").expect("a count");
            assert_eq!(table.clear_chunk(), format!("DELETE `{}` FROM {of}", table.name));
        }
    }

    #[test]
    fn history_has_a_key_where_it_is_asked_for() {
        let options = Options { history_key: crate::tpcc::options::HistoryKey::Uuid, ..Options::default() };
        let data = TpccData::new(&options, 42).expect("options that can be");
        let mut keys: Vec<String> =
            chunk(&data, schema::HISTORY, 0).into_iter().map(|row| row[0].clone()).collect();
        assert_eq!((keys.len(), keys[0].len()), (30_000, 32));
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 30_000);
    }

    #[test]
    fn the_first_rows_stay_what_they_are() {
        let data = data(Dialect::Spec);
        let first = |table| chunk(&data, table, 0)[0].join(",");
        let rows: Vec<String> = (0..NOTES)
            .map(|table| format!("{}: {}", NAMES[table], first(table).chars().take(200).collect::<String>()))
            .collect();
        insta::assert_snapshot!(rows.join("\n"));
    }
}
