//! The rows of a fresh database (clause 4.3.3).

use std::io::Write;

use crate::Rng;
use crate::tpcc::nurand::{CUSTOMERS, ITEMS, last_name};
use crate::tpcc::options::{Dialect, HistoryKey};
use crate::tpcc::permutation::Permutation;
use crate::tpcc::schema::{
    CUSTOMER, DISTRICT, HISTORY, ITEM, LINES_MOST, NEW_ORDERS, ORDER_LINE, ORDERS, STOCK, WAREHOUSE,
};
use crate::tpcc::text;

pub(crate) const DISTRICTS: u64 = 10;
/// Orders that a fresh district has, and the first of those that are not delivered yet.
pub(crate) const ORDERS_EACH: u64 = 3_000;
const UNDELIVERED: u64 = 2_101;
/// Slots of order_line: every order has room for the most lines, and leaves the rest out.
const SLOTS: u64 = ORDERS_EACH * LINES_MOST;

/// The time of the load. Not the clock's: the same seed makes the same rows.
const NOW: &[u8] = b"'2026-01-01 00:00:00'";
const NULL: &[u8] = b"NULL";

/// First word of the keys of what several tables must agree on.
const LINES: u64 = 0x6c69_6e65;

/// Rows of a table, and of one of its chunks, for so many warehouses.
pub(crate) fn sizes(table: usize, warehouses: u64) -> (u64, u64) {
    let (rows, chunk) = match table {
        ITEM => return (ITEMS, 10_000),
        WAREHOUSE => (1, 1_000),
        DISTRICT => (DISTRICTS, 1_000),
        STOCK => (ITEMS, 10_000),
        CUSTOMER | ORDERS => (DISTRICTS * CUSTOMERS, CUSTOMERS),
        HISTORY => (DISTRICTS * CUSTOMERS, DISTRICTS * CUSTOMERS),
        NEW_ORDERS => {
            let each = DISTRICTS * (ORDERS_EACH - UNDELIVERED + 1);
            (each, each)
        }
        ORDER_LINE => (DISTRICTS * SLOTS, SLOTS),
        _ => return (0, 1),
    };
    (rows * warehouses, chunk)
}

/// What the rows are a function of, beside their chunk's random numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Population {
    pub(crate) seed: u64,
    pub(crate) c_load: u64,
    pub(crate) dialect: Dialect,
    pub(crate) history_key: HistoryKey,
}

/// Where a row number lies: warehouse, district and place in it, all from 1.
fn place(number: u64, per_district: u64) -> (u64, u64, u64) {
    let index = number - 1;
    let (warehouse, rest) = (index / (per_district * DISTRICTS), index % (per_district * DISTRICTS));
    (warehouse + 1, rest / per_district + 1, rest % per_district + 1)
}

impl Population {
    /// Lines of an order: what `orders` says and `order_line` has.
    fn lines(&self, warehouse: u64, district: u64, order: u64) -> u64 {
        Rng::keyed(&[LINES, self.seed, warehouse, district, order]).range(5, LINES_MOST)
    }

    fn legacy(&self) -> bool {
        self.dialect == Dialect::TpccMysql
    }

    /// Whether order_line has the slot of this number.
    fn has_line(&self, number: u64) -> bool {
        let (warehouse, district, slot) = place(number, SLOTS);
        (slot - 1) % LINES_MOST < self.lines(warehouse, district, (slot - 1) / LINES_MOST + 1)
    }

    /// Rows among the numbers `first..=last` of order_line, which begin and end with an order or are a chunk.
    pub(crate) fn lines_in(&self, first: u64, last: u64) -> u64 {
        let orders = (first - 1) / LINES_MOST..last / LINES_MOST;
        let each = orders.map(|order| {
            let (warehouse, district, order) = place(order + 1, ORDERS_EACH);
            self.lines(warehouse, district, order)
        });
        each.sum()
    }

    /// Appends row `number` of a table.
    pub(crate) fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        if table == ORDER_LINE && !self.has_line(number) {
            return;
        }
        out.push(b'(');
        let mut row = Row { out, rng };
        match table {
            ITEM => self.item(number, &mut row),
            WAREHOUSE => self.warehouse(number, &mut row),
            DISTRICT => self.district(place(number, 1), &mut row),
            STOCK => stock(number, &mut row),
            CUSTOMER => self.customer(place(number, CUSTOMERS), &mut row),
            HISTORY => self.history(place(number, CUSTOMERS), &mut row),
            ORDERS => self.order(place(number, ORDERS_EACH), &mut row),
            NEW_ORDERS => {
                let (warehouse, district, at) = place(number, ORDERS_EACH - UNDELIVERED + 1);
                row.numbers(&[warehouse, district, at + UNDELIVERED - 1]);
            }
            _ => self.order_line(place(number, SLOTS), &mut row),
        }
        // The comma after the last value.
        if let Some(last) = out.last_mut() {
            *last = b')';
        }
    }

    #[expect(clippy::unused_self, reason = "one of the nine tables, each a method")]
    fn item(&self, number: u64, row: &mut Row<'_>) {
        row.numbers(&[number]);
        row.uniform(1, 10_000);
        row.text(|rng, out| text::a_string(rng, 14, 24, out));
        row.amount(100, 10_000, 2);
        row.text(text::data);
    }

    /// Name and address, as warehouses and districts have them, and the tax.
    fn name_and_tax(&self, row: &mut Row<'_>) {
        row.text(|rng, out| text::a_string(rng, 6, 10, out));
        row.address();
        if self.legacy() { row.amount(10, 20, 2) } else { row.amount(0, 2_000, 4) }
    }

    fn warehouse(&self, number: u64, row: &mut Row<'_>) {
        row.numbers(&[number]);
        self.name_and_tax(row);
        row.raw(b"300000.00");
    }

    fn district(&self, (warehouse, district, _): (u64, u64, u64), row: &mut Row<'_>) {
        row.numbers(&[warehouse, district]);
        self.name_and_tax(row);
        row.raw(b"30000.00");
        row.numbers(&[ORDERS_EACH + 1]);
    }

    fn customer(&self, (warehouse, district, customer): (u64, u64, u64), row: &mut Row<'_>) {
        row.numbers(&[warehouse, district, customer]);
        row.text(|rng, out| text::a_string(rng, 8, 16, out));
        row.raw(b"'OE'");
        let name = if customer <= 1_000 { customer - 1 } else { last_name(row.rng, self.c_load) };
        row.text(|_, out| text::last_name(name, out));
        row.address();
        row.text(|rng, out| text::digits(rng, 16, out));
        row.raw(NOW);
        // tpcc-mysql gives half of its customers bad credit.
        let bad = row.rng.range(1, 10) <= if self.legacy() { 5 } else { 1 };
        row.raw(if bad { b"'BC'" } else { b"'GC'" });
        row.raw(b"50000.00");
        if self.legacy() {
            row.amount(0, 50, 2);
        } else {
            row.amount(0, 5_000, 4);
        }
        row.raw(b"-10.00");
        row.raw(b"10.00");
        row.numbers(&[1, 0]);
        row.text(|rng, out| text::a_string(rng, 300, 500, out));
    }

    fn history(&self, (warehouse, district, customer): (u64, u64, u64), row: &mut Row<'_>) {
        if self.history_key == HistoryKey::Uuid {
            row.text(uuid);
        }
        row.numbers(&[customer, district, warehouse, district, warehouse]);
        row.raw(NOW);
        row.raw(b"10.00");
        row.text(|rng, out| text::a_string(rng, 12, 24, out));
    }

    fn order(&self, (warehouse, district, order): (u64, u64, u64), row: &mut Row<'_>) {
        let customer = Permutation::new(self.seed, warehouse, district).at(order);
        row.numbers(&[warehouse, district, order, customer]);
        row.raw(NOW);
        if order < UNDELIVERED {
            row.uniform(1, 10);
        } else {
            row.raw(NULL);
        }
        row.numbers(&[self.lines(warehouse, district, order), 1]);
    }

    fn order_line(&self, (warehouse, district, slot): (u64, u64, u64), row: &mut Row<'_>) {
        let (order, line) = ((slot - 1) / LINES_MOST + 1, (slot - 1) % LINES_MOST + 1);
        row.numbers(&[warehouse, district, order, line]);
        row.uniform(1, ITEMS);
        row.numbers(&[warehouse]);
        let delivered = order < UNDELIVERED;
        row.raw(if delivered { NOW } else { NULL });
        row.numbers(&[5]);
        match (delivered, self.legacy()) {
            (true, _) => row.raw(b"0.00"),
            (false, false) => row.amount(1, 999_999, 2),
            (false, true) => row.amount(10, 10_000, 2),
        }
        row.text(|rng, out| text::a_string(rng, 24, 24, out));
    }
}

fn stock(number: u64, row: &mut Row<'_>) {
    row.numbers(&[(number - 1) / ITEMS + 1, (number - 1) % ITEMS + 1]);
    row.uniform(10, 100);
    for _ in 0..DISTRICTS {
        row.text(|rng, out| text::a_string(rng, 24, 24, out));
    }
    row.numbers(&[0, 0, 0]);
    row.text(text::data);
}

/// 128 random bits in hexadecimal.
pub(crate) fn uuid(rng: &mut Rng, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{:016x}{:016x}", rng.u64(), rng.u64());
}

/// Values of a row, each with a comma after it.
struct Row<'a> {
    out: &'a mut Vec<u8>,
    rng: &'a mut Rng,
}

impl Row<'_> {
    fn raw(&mut self, value: &[u8]) {
        self.out.extend_from_slice(value);
        self.out.push(b',');
    }

    fn numbers(&mut self, values: &[u64]) {
        for value in values {
            let _ = write!(self.out, "{value},");
        }
    }

    fn uniform(&mut self, low: u64, high: u64) {
        let value = self.rng.range(low, high);
        self.numbers(&[value]);
    }

    /// A decimal, drawn in units of its last digit.
    fn amount(&mut self, low: u64, high: u64, scale: usize) {
        text::decimal(self.rng.range(low, high), scale, self.out);
        self.out.push(b',');
    }

    fn text(&mut self, write: impl FnOnce(&mut Rng, &mut Vec<u8>)) {
        self.out.push(b'\'');
        write(self.rng, self.out);
        self.out.extend_from_slice(b"',");
    }

    fn address(&mut self) {
        for _ in 0..3 {
            self.text(|rng, out| text::a_string(rng, 10, 20, out));
        }
        self.text(|rng, out| text::capitals(rng, 2, out));
        self.text(text::zip);
    }
}
