//! The nine tables (clause 1.3), in either dialect, and what follows their rows.

use crate::tpcc::options::{Dialect, HistoryKey, Options};

/// Numbers of the tables.
pub(crate) const ITEM: usize = 0;
pub(crate) const WAREHOUSE: usize = 1;
pub(crate) const DISTRICT: usize = 2;
pub(crate) const STOCK: usize = 3;
pub(crate) const CUSTOMER: usize = 4;
pub(crate) const HISTORY: usize = 5;
pub(crate) const ORDERS: usize = 6;
pub(crate) const NEW_ORDERS: usize = 7;
pub(crate) const ORDER_LINE: usize = 8;
pub(crate) const NOTES: usize = 9;

/// Most lines of an order.
pub(crate) const LINES_MOST: u64 = 15;

/// The table in which prepare writes down what it did.
pub(crate) const NOTES_NAME: &str = "assay_tpcc";

pub(crate) const NAMES: [&str; 10] = [
    "item",
    "warehouse",
    "district",
    "stock",
    "customer",
    "history",
    "orders",
    "new_orders",
    "order_line",
    NOTES_NAME,
];

/// Street, city, state and zip of a table whose columns begin with `p`.
fn address(p: &str) -> String {
    format!(
        "{p}_street_1 VARCHAR(20) NOT NULL, {p}_street_2 VARCHAR(20) NOT NULL, {p}_city VARCHAR(20) NOT NULL, \
         {p}_state CHAR(2) NOT NULL, {p}_zip CHAR(9) NOT NULL"
    )
}

/// The column list of a table.
fn columns(table: usize, options: &Options) -> String {
    let legacy = options.dialect == Dialect::TpccMysql;
    // tpcc-mysql counts warehouses in SMALLINT and keeps two digits of taxes and discounts.
    let w = if legacy { "SMALLINT NOT NULL" } else { "INT NOT NULL" };
    let small = if legacy { "TINYINT NOT NULL" } else { "SMALLINT NOT NULL" };
    let share = if legacy { "DECIMAL(4,2) NOT NULL" } else { "DECIMAL(4,4) NOT NULL" };
    let money = "DECIMAL(12,2) NOT NULL";
    match table {
        ITEM => "i_id INT NOT NULL, i_im_id INT NOT NULL, i_name VARCHAR(24) NOT NULL, i_price DECIMAL(5,2) NOT NULL, \
                 i_data VARCHAR(50) NOT NULL, PRIMARY KEY (i_id)"
            .into(),
        WAREHOUSE => format!(
            "w_id {w}, w_name VARCHAR(10) NOT NULL, {}, w_tax {share}, w_ytd {money}, PRIMARY KEY (w_id)",
            address("w")
        ),
        DISTRICT => format!(
            "d_id {small}, d_w_id {w}, d_name VARCHAR(10) NOT NULL, {}, d_tax {share}, d_ytd {money}, \
             d_next_o_id INT NOT NULL, PRIMARY KEY (d_w_id, d_id)",
            address("d")
        ),
        STOCK => {
            let districts: String = (1..=10).map(|d| format!("s_dist_{d:02} CHAR(24) NOT NULL, ")).collect();
            format!(
                "s_i_id INT NOT NULL, s_w_id {w}, s_quantity SMALLINT NOT NULL, {districts}s_ytd DECIMAL(8,0) NOT NULL, \
                 s_order_cnt INT NOT NULL, s_remote_cnt INT NOT NULL, s_data VARCHAR(50) NOT NULL, \
                 PRIMARY KEY (s_w_id, s_i_id)"
            )
        }
        CUSTOMER => format!(
            "c_id INT NOT NULL, c_d_id {small}, c_w_id {w}, c_first VARCHAR(16) NOT NULL, c_middle CHAR(2) NOT NULL, \
             c_last VARCHAR(16) NOT NULL, {}, c_phone CHAR(16) NOT NULL, c_since DATETIME NOT NULL, \
             c_credit CHAR(2) NOT NULL, c_credit_lim {money}, c_discount {share}, c_balance {money}, \
             c_ytd_payment {money}, c_payment_cnt INT NOT NULL, c_delivery_cnt INT NOT NULL, c_data {} NOT NULL, \
             PRIMARY KEY (c_w_id, c_d_id, c_id)",
            address("c"),
            if legacy { "TEXT" } else { "VARCHAR(500)" }
        ),
        HISTORY => format!(
            "{}h_c_id INT NOT NULL, h_c_d_id {small}, h_c_w_id {w}, h_d_id {small}, h_w_id {w}, h_date DATETIME NOT NULL, \
             h_amount DECIMAL(6,2) NOT NULL, h_data VARCHAR(24) NOT NULL",
            history_key(options.history_key)
        ),
        ORDERS => format!(
            "o_id INT NOT NULL, o_d_id {small}, o_w_id {w}, o_c_id INT NOT NULL, o_entry_d DATETIME NOT NULL, \
             o_carrier_id TINYINT, o_ol_cnt TINYINT NOT NULL, o_all_local TINYINT NOT NULL, \
             PRIMARY KEY (o_w_id, o_d_id, o_id)"
        ),
        NEW_ORDERS => format!(
            "no_o_id INT NOT NULL, no_d_id {small}, no_w_id {w}, PRIMARY KEY (no_w_id, no_d_id, no_o_id)"
        ),
        ORDER_LINE => format!(
            "ol_o_id INT NOT NULL, ol_d_id {small}, ol_w_id {w}, ol_number TINYINT NOT NULL, ol_i_id INT NOT NULL, \
             ol_supply_w_id {w}, ol_delivery_d DATETIME, ol_quantity TINYINT NOT NULL, ol_amount DECIMAL(6,2) NOT NULL, \
             ol_dist_info CHAR(24) NOT NULL, PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)"
        ),
        _ => "name VARCHAR(32) NOT NULL, value VARCHAR(255) NOT NULL, PRIMARY KEY (name)".into(),
    }
}

/// The column in front of history's own, where it is to have a key.
fn history_key(key: HistoryKey) -> &'static str {
    match key {
        HistoryKey::None => "",
        HistoryKey::AutoInc => "h_id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, ",
        HistoryKey::Invisible => "h_id BIGINT NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY, ",
        HistoryKey::Uuid => "h_id CHAR(32) NOT NULL PRIMARY KEY, ",
    }
}

pub(crate) fn create(table: usize, options: &Options, storage: &str) -> String {
    format!("CREATE TABLE {} ({}) {storage}", NAMES[table], columns(table, options))
}

/// The columns that rows of the population fill.
pub(crate) fn filled(table: usize, key: HistoryKey) -> String {
    let list = match table {
        ITEM => "i_id, i_im_id, i_name, i_price, i_data",
        WAREHOUSE => "w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax, w_ytd",
        DISTRICT => {
            "d_w_id, d_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax, d_ytd, d_next_o_id"
        }
        STOCK => {
            "s_w_id, s_i_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, \
             s_dist_08, s_dist_09, s_dist_10, s_ytd, s_order_cnt, s_remote_cnt, s_data"
        }
        CUSTOMER => {
            "c_w_id, c_d_id, c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, \
             c_since, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt, c_data"
        }
        HISTORY if key == HistoryKey::Uuid => {
            "h_id, h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data"
        }
        HISTORY => "h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data",
        ORDERS => "o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local",
        NEW_ORDERS => "no_w_id, no_d_id, no_o_id",
        ORDER_LINE => {
            "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, \
             ol_dist_info"
        }
        _ => "name, value",
    };
    list.into()
}

/// Bytes on disk of a row with its indexes, rounded up from the files of two warehouses in InnoDB: 106 MB a warehouse,
/// with room for its first orders, and 18 MB of items.
pub(crate) fn row_bytes(table: usize) -> u32 {
    match table {
        ITEM => 180,
        DISTRICT | WAREHOUSE | HISTORY => 210,
        STOCK => 400,
        CUSTOMER => 770,
        ORDERS => 190,
        _ => 100,
    }
}

/// Secondary indexes of a table, by tpcc-mysql's names in both dialects.
pub(crate) fn indexes(table: usize, options: &Options) -> Vec<String> {
    if !options.create_secondary.0 {
        return Vec::new();
    }
    let legacy = options.dialect == Dialect::TpccMysql;
    let index = match table {
        CUSTOMER => "CREATE INDEX idx_customer ON customer (c_w_id, c_d_id, c_last, c_first)",
        ORDERS => "CREATE INDEX idx_orders ON orders (o_w_id, o_d_id, o_c_id, o_id)",
        STOCK if legacy => "CREATE INDEX fkey_stock_2 ON stock (s_i_id)",
        ORDER_LINE if legacy => "CREATE INDEX fkey_order_line_2 ON order_line (ol_supply_w_id, ol_i_id)",
        _ => return Vec::new(),
    };
    vec![index.into()]
}

/// The foreign keys: table, name, columns, and what they refer to.
const FOREIGN: [(&str, &str, &str, &str); 9] = [
    ("district", "fkey_district_1", "d_w_id", "warehouse (w_id)"),
    ("customer", "fkey_customer_1", "c_w_id, c_d_id", "district (d_w_id, d_id)"),
    ("history", "fkey_history_1", "h_c_w_id, h_c_d_id, h_c_id", "customer (c_w_id, c_d_id, c_id)"),
    ("history", "fkey_history_2", "h_w_id, h_d_id", "district (d_w_id, d_id)"),
    ("orders", "fkey_orders_1", "o_w_id, o_d_id, o_c_id", "customer (c_w_id, c_d_id, c_id)"),
    ("new_orders", "fkey_new_orders_1", "no_w_id, no_d_id, no_o_id", "orders (o_w_id, o_d_id, o_id)"),
    ("order_line", "fkey_order_line_1", "ol_w_id, ol_d_id, ol_o_id", "orders (o_w_id, o_d_id, o_id)"),
    ("order_line", "fkey_order_line_2", "ol_supply_w_id, ol_i_id", "stock (s_w_id, s_i_id)"),
    ("stock", "fkey_stock_2", "s_i_id", "item (i_id)"),
];

pub(crate) fn foreign_keys() -> impl Iterator<Item = String> {
    FOREIGN.iter().map(|(table, name, columns, parent)| {
        format!("ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({columns}) REFERENCES {parent}")
    })
}

/// SQL that counts the rows of a chunk: the chunks of the large tables lie within one warehouse, or one district, so
/// that the key finds them.
pub(crate) fn count_chunk(table: usize) -> String {
    let within = |w: &str, per_district: u64| format!("{w} = (a - 1) DIV {} + 1", per_district * 10);
    let district = |d: &str, per_district: u64| format!("{d} = (a - 1) DIV {per_district} % 10 + 1");
    let condition = match table {
        ITEM => "i_id BETWEEN a AND z".into(),
        WAREHOUSE => "w_id BETWEEN a AND z".into(),
        DISTRICT => "(d_w_id - 1) * 10 + d_id BETWEEN a AND z".into(),
        STOCK => format!(
            "{} AND s_i_id BETWEEN (a - 1) % 100000 + 1 AND (z - 1) % 100000 + 1",
            within("s_w_id", 10_000)
        ),
        CUSTOMER => format!("{} AND {}", within("c_w_id", 3_000), district("c_d_id", 3_000)),
        ORDERS => format!("{} AND {}", within("o_w_id", 3_000), district("o_d_id", 3_000)),
        ORDER_LINE => {
            let slots = 3_000 * LINES_MOST;
            format!("{} AND {}", within("ol_w_id", slots), district("ol_d_id", slots))
        }
        HISTORY => within("h_w_id", 3_000),
        NEW_ORDERS => within("no_w_id", 900),
        _ => "a > z".into(),
    };
    format!("SELECT COUNT(*) FROM (SELECT ? a, ? z) chunk JOIN {} ON {condition}", NAMES[table])
}
