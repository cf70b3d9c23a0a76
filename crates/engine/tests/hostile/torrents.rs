//! Answers without end: they end by a limit of size or of time, in little memory.

use assay_nullserver::fault::{Deed, Stage};
use serde_json::{Value, json};

use super::server::{Hostile, Way, refusal};
use crate::drive::{finish_in_memory, start};

/// A debug build with its tables, and a row of 64 MiB that grows by doubling.
const MOST_MB: i64 = 256;

fn torrent(deed: Deed, stage: Stage, changes: Value, exit_code: i32, reason: &str) {
    for way in [Way::Unix, Way::Tcp] {
        let hostile = Hostile::new(deed, stage, 0, way);
        let (said, resident_mb) = finish_in_memory(start(&hostile.job("run", changes.clone())));
        let message = refusal(&said, exit_code);
        assert!(message.contains(reason), "{deed:?} {stage:?} {way:?}: {message}");
        assert!(resident_mb < MOST_MB, "{deed:?} {stage:?} {way:?}: {resident_mb} MB");
    }
}

#[test]
fn rows_end_by_the_limit_of_time() {
    let short = json!({"errors": {"operation_timeout_ms": 300}});
    torrent(Deed::EndlessRows, Stage::Statement, short, 5, "within 300 ms");
    let short = json!({"target": {"connect_timeout_ms": 500}});
    torrent(Deed::EndlessRows, Stage::Question, short, 5, "did not answer");
}

#[test]
fn a_row_ends_by_its_size() {
    for stage in [Stage::Question, Stage::Statement] {
        torrent(Deed::EndlessRow, stage, json!({}), 5, "more than 67108864 bytes");
    }
}

#[test]
fn a_packet_ends_by_its_size_wherever_it_comes() {
    for (stage, exit_code, most) in [
        (Stage::Greeting, 3, "65536"),
        (Stage::Login, 3, "1048576"),
        (Stage::Question, 5, "1048576"),
        (Stage::Prepare, 5, "1048576"),
        (Stage::Statement, 5, "1048576"),
    ] {
        torrent(Deed::EndlessChain, stage, json!({}), exit_code, &format!("more than {most} bytes"));
    }
}

#[test]
fn columns_are_as_many_as_a_result_can_have() {
    for deed in [Deed::EndlessColumns, Deed::NoColumns] {
        for stage in [Stage::Question, Stage::Prepare, Stage::Statement] {
            torrent(deed, stage, json!({}), 5, "malformed");
        }
    }
}

#[test]
fn an_interrupt_is_heard_while_rows_keep_coming() {
    for way in [Way::Unix, Way::Tcp] {
        let hostile = Hostile::new(Deed::EndlessRows, Stage::Statement, 0, way);
        let changes = json!({
            "phases": {"drain_ms": 100},
            "errors": {"operation_timeout_ms": 0},
        });
        let child = start(&hostile.job("run", changes));
        while hostile.null.count("Assay_misdeeds") < 2 {
            std::thread::yield_now();
        }
        // SAFETY: the child is ours and has not been waited for.
        unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
        let (said, resident_mb) = finish_in_memory(child);
        assert_eq!(said.exit_code, 130, "{way:?}: {:#?}", said.events);
        assert!(resident_mb < MOST_MB, "{way:?}: {resident_mb} MB");
    }
}
