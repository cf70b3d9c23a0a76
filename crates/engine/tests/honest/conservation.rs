//! Statements are neither lost nor counted twice: the server has its own count.

use serde_json::json;

use super::null::{Null, both, count, transactions};
use crate::drive::{finish, start, succeed};

#[test]
fn the_server_counts_what_was_sent() {
    let null = Null::quiet();
    let workloads = [("oltp_point_select", 1), ("oltp_read_write", 20)];
    for ((name, statements), ps_mode) in
        workloads.into_iter().flat_map(|one| [(one, "auto"), (one, "disable")])
    {
        let options = json!({"workload": {"name": name}, "target": {"ps_mode": ps_mode}});
        let said = succeed(&null.job(both(transactions(300), options)));
        let result = said.result();
        assert_eq!(count(result, "sent_statements"), 300 * statements, "{name} {ps_mode}");
        assert_eq!(count(result, "server_questions"), 300 * statements, "{name} {ps_mode}");
        assert!(!said.has_doubt("conservation"));
    }
}

#[test]
fn what_sets_a_reopened_connection_up_is_counted() {
    let null = Null::quiet();
    // One connection: of several, each would count its own transactions, and nobody knows how many it gets.
    let load = json!({"load": {"connections": 1, "reconnect_each": 5}});
    let mut job = null.job(both(transactions(1000), load));
    // Of TATP, whose connections say their isolation first, the transaction that an empty table will do for.
    let others = ["get_subscriber_data", "get_new_destination", "update_subscriber_data", "update_location"];
    let others = others.into_iter().chain(["insert_call_forwarding", "delete_call_forwarding"]);
    let options = others.map(|share| (share.to_owned(), json!(0))).collect::<serde_json::Map<_, _>>();
    job["workload"] = json!({"name": "tatp", "options": options});
    let said = succeed(&job);
    let result = said.result();
    assert_eq!(count(&result["labels"]["connect"], "count"), 200);
    assert_eq!(count(result, "sent_statements"), count(result, "server_questions"));
}

#[test]
fn somebody_else_on_the_server_is_noticed() {
    let null = Null::quiet();
    let long = start(&null.job(json!({"load": {"connections": 1}, "phases": {"measure_ms": 1500}})));
    let other = start(&null.job(json!({"load": {"connections": 8}, "phases": {"measure_ms": 900}})));
    let (long, other) = (finish(long), finish(other));
    assert!(long.has_doubt("conservation") || other.has_doubt("conservation"));
}
