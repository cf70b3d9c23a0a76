//! What clause 5.5.1.5 audits, counted as it happens.

use crate::CounterId;

pub(crate) const NAMES: [&str; 12] = [
    "orders",
    "orders_rolled_back",
    "order_lines",
    "remote_lines",
    "payments",
    "remote_payments",
    "payments_by_name",
    "status_queries",
    "status_queries_by_name",
    "deliveries",
    "districts_delivered",
    "districts_skipped",
];

pub(crate) const ORDERS: CounterId = CounterId(0);
pub(crate) const ROLLED_BACK: CounterId = CounterId(1);
pub(crate) const LINES: CounterId = CounterId(2);
pub(crate) const REMOTE_LINES: CounterId = CounterId(3);
pub(crate) const PAYMENTS: CounterId = CounterId(4);
pub(crate) const REMOTE_PAYMENTS: CounterId = CounterId(5);
pub(crate) const PAYMENTS_BY_NAME: CounterId = CounterId(6);
pub(crate) const STATUS: CounterId = CounterId(7);
pub(crate) const STATUS_BY_NAME: CounterId = CounterId(8);
pub(crate) const DELIVERIES: CounterId = CounterId(9);
pub(crate) const DELIVERED: CounterId = CounterId(10);
pub(crate) const SKIPPED: CounterId = CounterId(11);
