//! The conditions of consistency (clause 3.3.2), and some of our own that find what those do not see.
//!
//! Outer joins on purpose: an inner join hides the row that is missing.

use crate::Check;
use crate::tpcc::options::Dialect;

/// Parts that a check is cut into, by warehouse. More would read tables without a fitting key more often.
const PARTS: u64 = 8;

/// How a check is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// `[column]` stands for a range of warehouses.
    ByWarehouse,
    /// A check that must see all warehouses at once.
    Whole,
}

struct Condition {
    name: &'static str,
    title: &'static str,
    cut: Cut,
    /// Whether it holds after a run of tpcc-mysql, which counts neither payments nor sales, and delivers twice.
    legacy: bool,
    sql: &'static str,
}

const CONDITIONS: [Condition; 18] = [
    Condition {
        name: "consistency-1",
        title: "W_YTD = sum(D_YTD)",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT w_id, w_ytd, s sum_d_ytd FROM warehouse \
              LEFT JOIN (SELECT d_w_id, SUM(d_ytd) s FROM district WHERE [d_w_id] GROUP BY d_w_id) x ON d_w_id = w_id \
              WHERE [w_id] AND (s IS NULL OR w_ytd <> s)",
    },
    Condition {
        name: "consistency-2",
        title: "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT d_w_id, d_id, d_next_o_id, max_o, max_no FROM district \
              LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) max_o FROM orders WHERE [o_w_id] GROUP BY o_w_id, o_d_id) o \
              ON o_w_id = d_w_id AND o_d_id = d_id \
              LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) max_no FROM new_orders WHERE [no_w_id] \
              GROUP BY no_w_id, no_d_id) n ON no_w_id = d_w_id AND no_d_id = d_id \
              WHERE [d_w_id] AND (max_o IS NULL OR d_next_o_id - 1 <> max_o OR d_next_o_id - 1 <> max_no)",
    },
    Condition {
        name: "consistency-3",
        title: "max(NO_O_ID) - min(NO_O_ID) + 1 = rows of NEW_ORDER",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT no_w_id, no_d_id, MIN(no_o_id) first, MAX(no_o_id) last, COUNT(*) n FROM new_orders \
              WHERE [no_w_id] GROUP BY no_w_id, no_d_id HAVING last - first + 1 <> n",
    },
    Condition {
        name: "consistency-4",
        title: "sum(O_OL_CNT) = rows of ORDER_LINE, by district",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT d_w_id, d_id, told, found FROM district \
              LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) told FROM orders WHERE [o_w_id] GROUP BY o_w_id, o_d_id) o \
              ON o_w_id = d_w_id AND o_d_id = d_id \
              LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) found FROM order_line WHERE [ol_w_id] \
              GROUP BY ol_w_id, ol_d_id) l ON ol_w_id = d_w_id AND ol_d_id = d_id \
              WHERE [d_w_id] AND COALESCE(told, -1) <> COALESCE(found, -2)",
    },
    Condition {
        name: "consistency-5",
        title: "O_CARRIER_ID is null exactly where NEW_ORDER has the order",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT o_w_id w, o_d_id d, o_id o, o_carrier_id carrier, no_o_id FROM orders \
              LEFT JOIN new_orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id \
              WHERE [o_w_id] AND (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL) \
              UNION ALL SELECT no_w_id, no_d_id, o_id, NULL, no_o_id FROM new_orders \
              LEFT JOIN orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id \
              WHERE [no_w_id] AND o_id IS NULL",
    },
    Condition {
        name: "consistency-6",
        title: "O_OL_CNT = rows of ORDER_LINE, by order",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT o_w_id, o_d_id, o_id, o_ol_cnt FROM orders WHERE [o_w_id] AND o_ol_cnt <> \
              (SELECT COUNT(*) FROM order_line WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id)",
    },
    Condition {
        name: "consistency-7",
        title: "OL_DELIVERY_D is null exactly where O_CARRIER_ID is",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_delivery_d, o_carrier_id FROM order_line \
              LEFT JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id \
              WHERE [ol_w_id] AND (o_id IS NULL OR (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL))",
    },
    Condition {
        name: "consistency-8",
        title: "W_YTD = sum(H_AMOUNT)",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT w_id, w_ytd, s sum_h_amount FROM warehouse \
              LEFT JOIN (SELECT h_w_id, SUM(h_amount) s FROM history WHERE [h_w_id] GROUP BY h_w_id) x ON h_w_id = w_id \
              WHERE [w_id] AND w_ytd <> COALESCE(s, 0)",
    },
    Condition {
        name: "consistency-9",
        title: "D_YTD = sum(H_AMOUNT)",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT d_w_id, d_id, d_ytd, s sum_h_amount FROM district \
              LEFT JOIN (SELECT h_w_id, h_d_id, SUM(h_amount) s FROM history WHERE [h_w_id] GROUP BY h_w_id, h_d_id) x \
              ON h_w_id = d_w_id AND h_d_id = d_id WHERE [d_w_id] AND d_ytd <> COALESCE(s, 0)",
    },
    Condition {
        name: "consistency-10",
        title: "C_BALANCE = delivered OL_AMOUNT - H_AMOUNT",
        cut: Cut::ByWarehouse,
        legacy: false,
        sql: "SELECT c_w_id, c_d_id, c_id, c_balance, delivered, paid FROM customer \
              LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) delivered FROM orders \
              JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
              WHERE [o_w_id] AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) a \
              ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
              LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) paid FROM history WHERE [h_c_w_id] \
              GROUP BY h_c_w_id, h_c_d_id, h_c_id) h ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id \
              WHERE [c_w_id] AND c_balance <> COALESCE(delivered, 0) - COALESCE(paid, 0)",
    },
    Condition {
        name: "consistency-11",
        title: "rows of ORDER - rows of NEW_ORDER = 2100 + sum(C_DELIVERY_CNT)",
        cut: Cut::ByWarehouse,
        legacy: false,
        sql: "SELECT d_w_id, d_id, orders_n, COALESCE(new_n, 0) new_n, delivered FROM district \
              LEFT JOIN (SELECT o_w_id, o_d_id, COUNT(*) orders_n FROM orders WHERE [o_w_id] GROUP BY o_w_id, o_d_id) o \
              ON o_w_id = d_w_id AND o_d_id = d_id \
              LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) new_n FROM new_orders WHERE [no_w_id] \
              GROUP BY no_w_id, no_d_id) n ON no_w_id = d_w_id AND no_d_id = d_id \
              LEFT JOIN (SELECT c_w_id, c_d_id, SUM(c_delivery_cnt) delivered FROM customer WHERE [c_w_id] \
              GROUP BY c_w_id, c_d_id) c ON c_w_id = d_w_id AND c_d_id = d_id \
              WHERE [d_w_id] AND COALESCE(orders_n, 0) - COALESCE(new_n, 0) <> 2100 + COALESCE(delivered, -1)",
    },
    Condition {
        name: "consistency-12",
        title: "C_BALANCE + C_YTD_PAYMENT = delivered OL_AMOUNT",
        cut: Cut::ByWarehouse,
        legacy: false,
        sql: "SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, delivered FROM customer \
              LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) delivered FROM orders \
              JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
              WHERE [o_w_id] AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) a \
              ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
              WHERE [c_w_id] AND c_balance + c_ytd_payment <> COALESCE(delivered, 0)",
    },
    Condition {
        name: "payments-counted",
        title: "C_PAYMENT_CNT = rows of HISTORY, by customer",
        cut: Cut::ByWarehouse,
        legacy: false,
        sql: "SELECT c_w_id, c_d_id, c_id, c_payment_cnt, n FROM customer \
              LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, COUNT(*) n FROM history WHERE [h_c_w_id] \
              GROUP BY h_c_w_id, h_c_d_id, h_c_id) h ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id \
              WHERE [c_w_id] AND c_payment_cnt <> COALESCE(n, 0)",
    },
    Condition {
        name: "stock-in-range",
        title: "S_QUANTITY is 10 to 100",
        cut: Cut::ByWarehouse,
        legacy: false,
        sql: "SELECT s_w_id, s_i_id, s_quantity FROM stock WHERE [s_w_id] AND s_quantity NOT BETWEEN 10 AND 100",
    },
    Condition {
        name: "sales-counted",
        title: "S_YTD, S_ORDER_CNT, S_REMOTE_CNT = the new lines of ORDER_LINE, by supplying warehouse",
        cut: Cut::Whole,
        legacy: false,
        sql: "SELECT s_w_id, ytd, sold, orders_n, lines_n, remote, remote_n FROM \
              (SELECT s_w_id, SUM(s_ytd) ytd, SUM(s_order_cnt) orders_n, SUM(s_remote_cnt) remote FROM stock \
              GROUP BY s_w_id) s LEFT JOIN \
              (SELECT ol_supply_w_id, SUM(ol_quantity) sold, COUNT(*) lines_n, SUM(ol_w_id <> ol_supply_w_id) remote_n \
              FROM order_line WHERE ol_o_id > 3000 GROUP BY ol_supply_w_id) l ON ol_supply_w_id = s_w_id \
              WHERE ytd <> COALESCE(sold, 0) OR orders_n <> COALESCE(lines_n, 0) OR remote <> COALESCE(remote_n, 0)",
    },
    Condition {
        name: "warehouse-filled",
        title: "a warehouse has 10 districts, 30000 customers, 100000 rows of stock",
        cut: Cut::ByWarehouse,
        legacy: true,
        sql: "SELECT w_id, districts, customers, stocks FROM warehouse \
              LEFT JOIN (SELECT d_w_id, COUNT(*) districts FROM district WHERE [d_w_id] GROUP BY d_w_id) d ON d_w_id = w_id \
              LEFT JOIN (SELECT c_w_id, COUNT(*) customers FROM customer WHERE [c_w_id] GROUP BY c_w_id) c ON c_w_id = w_id \
              LEFT JOIN (SELECT s_w_id, COUNT(*) stocks FROM stock WHERE [s_w_id] GROUP BY s_w_id) s ON s_w_id = w_id \
              WHERE [w_id] AND NOT (districts <=> 10 AND customers <=> 30000 AND stocks <=> 100000)",
    },
    Condition {
        name: "items-filled",
        title: "ITEM has the numbers 1 to 100000",
        cut: Cut::Whole,
        legacy: true,
        sql: "SELECT COUNT(*) n, MIN(i_id) first, MAX(i_id) last FROM item \
              HAVING NOT (n = 100000 AND first <=> 1 AND last <=> 100000)",
    },
    Condition {
        name: "warehouses-filled",
        title: "there are as many warehouses as were loaded",
        cut: Cut::Whole,
        legacy: true,
        sql: "SELECT COUNT(*) n, MIN(w_id) first, MAX(w_id) last FROM warehouse \
              HAVING NOT (n = {warehouses} AND first <=> 1 AND last <=> {warehouses})",
    },
];

/// The checks of tables with so many warehouses.
pub(crate) fn checks(dialect: Dialect, warehouses: u64) -> Vec<Check> {
    let kept = CONDITIONS.iter().filter(|condition| condition.legacy || dialect == Dialect::Spec);
    kept.flat_map(|condition| parts(condition, warehouses)).collect()
}

fn parts(condition: &Condition, warehouses: u64) -> Vec<Check> {
    let each = match condition.cut {
        Cut::Whole => warehouses,
        Cut::ByWarehouse => warehouses.div_ceil(PARTS),
    };
    let first = (1..=warehouses).step_by(each as usize);
    let sql = |first| {
        let sql = condition.sql.replace("{warehouses}", &warehouses.to_string());
        ranged(&sql, first, (first + each - 1).min(warehouses))
    };
    let check = |first| Check::new(condition.name, condition.title, sql(first));
    first.map(check).collect()
}

/// `[column]` written out as a range.
fn ranged(sql: &str, first: u64, last: u64) -> String {
    let mut parts = sql.split(['[', ']']);
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let (Some(column), Some(rest)) = (parts.next(), parts.next()) {
        out += &format!("{column} BETWEEN {first} AND {last}{rest}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_every_warehouse_once() {
        for warehouses in [1, 2, 7, 8, 9, 100] {
            let checks = checks(Dialect::Spec, warehouses);
            let ranges = checks.iter().filter(|check| &*check.name == "stock-in-range").map(|check| {
                let words: Vec<&str> = check.sql.split_whitespace().collect();
                let at = words.iter().position(|word| *word == "BETWEEN").expect("a range");
                let number = |word: &str| word.parse::<u64>().expect("a number");
                number(words[at + 1])..=number(words[at + 3])
            });
            assert!(ranges.flatten().eq(1..=warehouses), "{warehouses}");
            assert!(checks.iter().all(|check| !check.sql.contains(['[', ']', '{'])));
        }
    }

    #[test]
    fn all_twelve_are_there_and_the_tool_has_fewer() {
        let names = |dialect| -> Vec<String> {
            checks(dialect, 1).iter().map(|check| check.name.to_string()).collect()
        };
        let spec = names(Dialect::Spec);
        assert!((1..=12).all(|number| spec.contains(&format!("consistency-{number}"))));
        assert!(!names(Dialect::TpccMysql).contains(&"consistency-12".to_owned()));
    }
}
