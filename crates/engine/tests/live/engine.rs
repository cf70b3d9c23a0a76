//! Jobs against a real MariaDB.

use assay_wire::{Row, block_on};
use serde_json::{Value, json};

use crate::drive::merge;
use crate::support::Server;

/// A job against database `name` of the server; `changes` are laid over it, objects merged.
pub(crate) fn job(server: &Server, name: &str, action: &str, changes: Value) -> Value {
    let mut job = json!({
        "version": 1,
        "action": action,
        "seed": 7,
        "target": {"socket": server.socket(), "user": "root", "database": name},
        "workload": {"name": "oltp_read_write", "options": {"tables": 2, "table_size": 1000}},
        "load": {"connections": 4},
        "phases": {"measure_ms": 400, "interval_ms": 100},
    });
    merge(&mut job, changes);
    job
}

/// One number from the server.
pub(crate) fn number(server: &Server, sql: &str) -> i64 {
    let mut connection = server.connect(&server.root());
    let mut found = None;
    let mut take = |row: &Row<'_>| found = row.int(row.len() - 1);
    block_on(connection.query(sql.as_bytes(), &mut take)).expect(sql);
    found.unwrap_or_else(|| panic!("no number from {sql}"))
}

/// An empty database.
pub(crate) fn database(server: &Server, name: &str) {
    drop(server.fresh(name));
}
