//! The tables: purchases in the order of their key, what follows their rows, the conditions.

use std::io::Write;

use crate::insert_benchmark::options::Options;
use crate::{Check, Dataset, OptionError, Rng, Table};

/// Purchases of one second in the rows that a load makes; those that a run inserts have the server's time.
const ROWS_A_SECOND: u64 = 1000;

/// Six bits of a random byte of the column data; none of them needs an escape in SQL.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A secondary index.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static str,
    check: &'static str,
}

/// In the order in which an option adds them.
const INDEXES: [Index; 3] = [
    Index { name: "marketsegment", columns: "price, customerid", check: "index-marketsegment" },
    Index {
        name: "registersegment",
        columns: "cashregisterid, price, customerid",
        check: "index-registersegment",
    },
    Index { name: "pdc", columns: "price, dateandtime, customerid", check: "index-pdc" },
];

/// The indexes that the tables have with these options.
pub(crate) fn indexes(options: &Options) -> &'static [Index] {
    &INDEXES[..usize::from(options.secondary_indexes).min(INDEXES.len())]
}

/// Name of table `table` of `tables`, counted from 0: `purchases_index`, or `purchases_index1` and on.
pub(crate) fn table_name(table: u32, tables: u32) -> String {
    match tables {
        1 => "purchases_index".into(),
        _ => format!("purchases_index{}", u64::from(table) + 1),
    }
}

/// What all purchases are drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Purchase {
    cashregisters: u64,
    products: u64,
    customers: u64,
    max_price: u64,
    random_bytes: u16,
    same_bytes: u16,
}

impl Purchase {
    pub(crate) fn new(options: &Options) -> Self {
        let random = u32::from(options.data_length) * u32::from(options.data_random_pct.min(100));
        let random_bytes = random.div_ceil(100) as u16;
        Self {
            cashregisters: options.cashregisters.into(),
            products: options.products.into(),
            customers: options.customers.into(),
            max_price: options.max_price.into(),
            random_bytes,
            same_bytes: options.data_length - random_bytes,
        }
    }

    /// Appends what follows the time: `cashregisterid,customerid,productid,price,'data'`.
    pub(crate) fn append(&self, rng: &mut Rng, out: &mut Vec<u8>) {
        let register = self.cashregister(rng);
        let customer = rng.range(0, self.customers - 1);
        let product = rng.range(0, self.products - 1);
        let cents = rng.range(0, self.max_price - 1) + customer;
        // Writing to a vector cannot fail.
        let _ = write!(out, "{register},{customer},{product},{}.{:02},'", cents / 100, cents % 100);
        let mut bits = 0;
        for place in 0..self.random_bytes {
            if place % 10 == 0 {
                bits = rng.u64();
            }
            out.push(LETTERS[(bits & 63) as usize]);
            bits >>= 6;
        }
        out.resize(out.len() + usize::from(self.same_bytes), b'a');
        out.push(b'\'');
    }

    pub(crate) fn cashregister(&self, rng: &mut Rng) -> u64 {
        rng.range(0, self.cashregisters - 1)
    }

    /// A price as rows have it, in units.
    pub(crate) fn price(&self, rng: &mut Rng) -> f64 {
        (rng.range(0, self.max_price - 1) + rng.range(0, self.customers - 1)) as f64 / 100.0
    }
}

#[derive(Debug)]
pub(crate) struct Purchases {
    tables: Vec<Table>,
    purchase: Purchase,
    options: Options,
}

impl Purchases {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &Options) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        Ok(Self {
            tables: (0..options.tables).map(|number| table(number, options, &storage)).collect(),
            purchase: Purchase::new(options),
            options: options.clone(),
        })
    }
}

fn table(number: u32, options: &Options, storage: &str) -> Table {
    let name = table_name(number, options.tables);
    let index = |index: &Index| format!("CREATE INDEX {} ON {name} ({})", index.name, index.columns);
    Table {
        create: format!(
            "CREATE TABLE {name} (transactionid BIGINT NOT NULL AUTO_INCREMENT, dateandtime DATETIME NOT NULL, \
             cashregisterid INT NOT NULL, customerid INT NOT NULL, productid INT NOT NULL, price FLOAT NOT NULL, \
             data VARCHAR(4000) NOT NULL, PRIMARY KEY (transactionid)) {storage}"
        ),
        columns: "transactionid, dateandtime, cashregisterid, customerid, productid, price, data".into(),
        rows: options.rows,
        row_bytes: row_bytes(options),
        chunk_rows: (options.rows / 16).clamp(1_000, 20_000),
        count_chunk: format!("SELECT COUNT(*) FROM {name} WHERE transactionid BETWEEN ? AND ?"),
        after: indexes(options).iter().map(index).collect(),
        name,
    }
}

/// Fixed columns with header and page fill, the data, and entries of indexes whose pages are two thirds full after
/// insertions at random.
fn row_bytes(options: &Options) -> u32 {
    70 + u32::from(options.data_length) * 11 / 10 + 50 * u32::from(options.secondary_indexes)
}

impl Dataset for Purchases {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, _table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let time = Time::after(number / ROWS_A_SECOND);
        // Writing to a vector cannot fail.
        let _ = write!(
            out,
            "({number},'{}-{:02}-{:02} {:02}:{:02}:{:02}',",
            time.year, time.month, time.day, time.hour, time.minute, time.second
        );
        self.purchase.append(rng, out);
        out.push(b')');
    }

    fn checks(&self) -> Vec<Check> {
        let names = || self.tables.iter().map(|table| table.name.as_str());
        let whole =
            names().flat_map(|name| indexes(&self.options).iter().map(move |index| agrees(name, index)));
        whole.chain(names().map(|name| self.drawn(name))).collect()
    }
}

/// A change that an index missed, or one that it kept, is seen in either of two sums.
fn agrees(table: &str, index: &Index) -> Check {
    let sums = |by: &str| format!("SELECT COUNT(*) n, SUM(customerid) s FROM {table} FORCE INDEX ({by})");
    Check::new(
        index.check,
        "rows and their customers by the index = those by the primary key",
        format!(
            "SELECT '{table}' name, k.n rows_by_key, i.n rows_by_index, k.s sum_by_key, i.s sum_by_index \
             FROM ({}) k JOIN ({}) i ON k.n <> i.n OR NOT k.s <=> i.s",
            sums("PRIMARY"),
            sums(index.name)
        ),
    )
}

impl Purchases {
    fn drawn(&self, table: &str) -> Check {
        let Options { cashregisters, customers, products, data_length, .. } = self.options;
        Check::new(
            "values",
            "every value is one that the options draw",
            format!(
                "SELECT '{table}' name, transactionid FROM {table} \
                 WHERE cashregisterid NOT BETWEEN 0 AND {cashregisters} - 1 \
                 OR customerid NOT BETWEEN 0 AND {customers} - 1 OR productid NOT BETWEEN 0 AND {products} - 1 \
                 OR LENGTH(data) <> {data_length}"
            ),
        )
    }
}

/// A second of the calendar.
#[derive(Debug, PartialEq, Eq)]
struct Time {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Time {
    /// The instant that is `seconds` after the beginning of 2020.
    fn after(seconds: u64) -> Self {
        let (mut day, mut year) = (seconds / 86_400, 2020);
        let leap =
            |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days_of = |year| if leap(year) { 366 } else { 365 };
        while day >= days_of(year) {
            day -= days_of(year);
            year += 1;
        }
        let mut month = 1;
        for days in [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
            if day < days {
                break;
            }
            day -= days;
            month += 1;
        }
        let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
        Self { year, month, day: day + 1, hour, minute, second: seconds % 60 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_follows_the_calendar() {
        let time = |year, month, day, hour, minute, second| Time { year, month, day, hour, minute, second };
        assert_eq!(Time::after(0), time(2020, 1, 1, 0, 0, 0));
        assert_eq!(Time::after(86_399), time(2020, 1, 1, 23, 59, 59));
        assert_eq!(Time::after(59 * 86_400), time(2020, 2, 29, 0, 0, 0));
        assert_eq!(Time::after(366 * 86_400 + 58 * 86_400), time(2021, 2, 28, 0, 0, 0));
        assert_eq!(Time::after(366 * 86_400 + 59 * 86_400), time(2021, 3, 1, 0, 0, 0));
        assert_eq!(Time::after(366 * 86_400 - 1), time(2020, 12, 31, 23, 59, 59));
    }
}
