//! Queued Deliveries, as the engine meets them.

use serde_json::{Value, json};

use crate::testing::{Transcript, now, operation, with};
use crate::tpcc::mix::{self, TransactionKind};
use crate::{Driver, KindId, Visitor};

/// The first Delivery of terminal 3 of three warehouses: what its transaction sends, what it leaves, what it writes down.
struct FirstDelivery;

impl Visitor for FirstDelivery {
    type Output = (usize, bool, Vec<String>, String);

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let mut recorder = Transcript::of(&workload);
        let mut state = workload.terminal(&workload.local(), 3, 30);
        for number in 0.. {
            let mut first = operation(42, 3, number);
            let mut alone = Transcript::of(&workload);
            // Order-Status and the like find nothing in the recorder's empty answers.
            let _ = now(workload.transaction(&mut state, &mut first, &mut alone));
            if first.kind != Some(TransactionKind::Delivery.id()) {
                continue;
            }
            let mut record = String::new();
            let mut later = operation(42, 3, number);
            now(workload.deferred(&mut later, &mut record, &mut recorder)).expect("nothing is refused");
            return (alone.lines.len(), first.deferred, recorder.lines, record);
        }
        unreachable!("a deck has a Delivery")
    }
}

fn first(options: Value) -> (usize, bool, Vec<String>, String) {
    with("tpcc", options, FirstDelivery).expect("options are right")
}

#[test]
fn a_queued_delivery_sends_nothing_and_its_work_is_the_same_later() {
    let (sent, deferred, later, record) = first(json!({"warehouses": 3}));
    assert_eq!((sent, deferred), (0, true));
    let values: Vec<_> = record.split(',').skip(1).collect();
    assert_eq!(values.len(), 2 + 10);
    assert_eq!((values[0], &values[2..]), ("1", &["1000"; 10][..]), "the order that every district had");

    let (sent, deferred, ..) = first(json!({"warehouses": 3, "delivery_mode": "inline"}));
    assert_eq!((sent, deferred), (later.len(), false));
    assert!(later[1].starts_with("lock_oldest_new_order") && later[1].contains("no_w_id = 1"), "{later:?}");
}

#[test]
fn the_other_tool_delivers_at_once() {
    struct Kinds;
    impl Visitor for Kinds {
        type Output = (usize, bool);
        fn visit<D: Driver>(self, workload: D) -> (usize, bool) {
            (workload.kinds().len(), workload.deferral().is_some())
        }
    }
    assert_eq!(with("tpcc", json!({}), Kinds).expect("defaults"), (6, true));
    assert_eq!(with("tpcc", json!({"delivery_mode": "inline"}), Kinds).expect("inline"), (5, false));
    assert_eq!(with("tpcc", json!({"dialect": "tpcc-mysql"}), Kinds).expect("the tool's"), (5, false));
    let wrong = json!({"dialect": "tpcc-mysql", "delivery_mode": "deferred"});
    assert!(with("tpcc", wrong, Kinds).expect_err("refused").0.contains("delivery_mode"));
    assert_eq!(mix::NAMES[usize::from(mix::DEFERRED.0)], "delivery_deferred");
    assert_eq!(TransactionKind::StockLevel.id(), KindId(4));
}
