//! A workload that is known only at run time, through the machinery of every other: names, labels, kinds and the schema of
//! its options are read from JSON here.

use std::cell::Cell;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use assay_format::job::Job;
use assay_nullserver::{Options as NullOptions, Server};
use assay_wire::Param;
use assay_workload::{
    CounterId, Dataset, Description, Driver, Entry, Failure, KindId, LabelId, Listing, Operation,
    OptionError, OptionSchema, Rng, Session, StatementId, Statements, Table,
};
use serde_json::{Map, Value, json};

use crate::course::orders::nobody;
use crate::data::size::Size;
use crate::load::{self, any_driver::AnyDriver};
use crate::process::clock::Clock;
use crate::say::output;

/// A workload's description in JSON, as a script or a recorded load would say it.
const CART: &str = r#"{
    "name": "cart",
    "summary": "Carts that are looked at and paid",
    "kinds": ["look", "pay"],
    "counters": ["terminals_of_loop"],
    "options": {"properties": {
        "labels": {"type": "integer", "default": 4, "minimum": 1, "description": "Statements, a label each"},
        "prepares": {"type": "boolean", "default": true, "description": "Prepare one more to begin with"}
    }},
    "label": "look-{}",
    "sql": "SELECT c FROM carts WHERE id = ?"
}"#;

/// The variable that makes this test carry out a job in a process of its own, whose events its standard output has.
const JOB: &str = "ASSAY_TEST_JOB";

struct Script(Value);

impl Script {
    fn read() -> Self {
        Self(serde_json::from_str(CART).expect("JSON"))
    }

    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().expect(key)
    }

    fn names(&self, key: &str) -> Vec<Arc<str>> {
        let names = self.0[key].as_array().expect(key);
        names.iter().map(|name| name.as_str().expect("a name").into()).collect()
    }

    fn options(&self) -> OptionSchema {
        OptionSchema::from_value(self.0["options"].clone()).expect("a schema")
    }

    fn cart(&self, options: &Map<String, Value>) -> Result<Cart, OptionError> {
        let options = self.options().read(self.text("name"), options)?;
        let mut statements = Statements::default();
        for number in 0..options["labels"].as_u64().expect("checked") {
            let label = self.text("label").replace("{}", &number.to_string());
            statements.try_label(&label)?;
            statements.once(&label, self.text("sql"));
        }
        Ok(Cart {
            prepares: options["prepares"].as_bool().expect("checked"),
            begin: statements.try_label("begin")?,
            paid: statements.try_label("paid")?,
            kinds: self.names("kinds"),
            counters: self.names("counters"),
            sql: self.text("sql").to_owned(),
            statements,
        })
    }
}

impl Entry for Script {
    fn name(&self) -> &str {
        self.text("name")
    }

    fn listing(&self) -> Listing {
        Listing {
            name: self.text("name").to_owned(),
            summary: self.text("summary").to_owned(),
            kinds: self.names("kinds").iter().map(ToString::to_string).collect(),
            measures: Vec::new(),
            conditions: false,
            ledger: false,
            rows_version: 1,
            options: self.options(),
        }
    }

    fn describe(
        &self,
        options: &Map<String, Value>,
        _seed: u64,
    ) -> Result<Box<dyn Description>, OptionError> {
        Ok(Box::new(self.cart(options)?))
    }
}

struct Cart {
    statements: Statements,
    kinds: Vec<Arc<str>>,
    counters: Vec<Arc<str>>,
    prepares: bool,
    begin: LabelId,
    paid: LabelId,
    sql: String,
}

struct Visit {
    /// The counter that the terminals of an event loop share; not made for another thread.
    terminals_of_loop: Rc<Cell<u32>>,
    begun: bool,
    prepared: Option<StatementId>,
}

impl Description for Cart {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &NoTables
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        self.kinds.clone()
    }

    fn counters(&self) -> Vec<Arc<str>> {
        self.counters.clone()
    }
}

struct NoTables;

impl Dataset for NoTables {
    fn tables(&self) -> &[Table] {
        &[]
    }

    fn row(&self, _table: usize, number: u64, _rng: &mut Rng, _out: &mut Vec<u8>) {
        unreachable!("row {number} of no table")
    }
}

impl Driver for Cart {
    type Local = Rc<Cell<u32>>;
    type Terminal = Visit;

    fn local(&self) -> Rc<Cell<u32>> {
        Rc::default()
    }

    fn terminal(&self, local: &Rc<Cell<u32>>, _number: u32, _of: u32) -> Visit {
        local.set(local.get() + 1);
        Visit { terminals_of_loop: local.clone(), begun: false, prepared: None }
    }

    async fn begin(&self, visit: &mut Visit, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.begin, b"SELECT c FROM carts").await?;
        if self.prepares {
            visit.prepared = Some(session.prepare(self.paid, &self.sql).await?);
        }
        visit.begun = true;
        Ok(())
    }

    async fn transaction(
        &self,
        visit: &mut Visit,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        if !visit.begun {
            return Err(Failure::Data("a beginning is missing"));
        }
        operation.kind = Some(KindId(u8::from(visit.prepared.is_some())));
        operation.count(CounterId(0), visit.terminals_of_loop.get());
        let statement = operation.number % self.statements.list().len() as u64;
        session.execute(StatementId(statement as u32), &[Param::Int(1)]).await?;
        if let Some(prepared) = visit.prepared {
            session.execute(prepared, &[Param::Int(2)]).await?;
        }
        Ok(())
    }
}

/// Carries out the job of the environment, if there is one: then this process ends with it.
#[expect(clippy::exit, clippy::print_stderr, reason = "a process of its own")]
fn be_the_engine() {
    let Ok(text) = std::env::var(JOB) else { return };
    let job: Job = serde_json::from_str(&text).expect("a job");
    let cart = Script::read().cart(&job.workload.options).expect("options that can be");
    let code = load::run(job, Clock::start(), Box::new(AnyDriver::new(cart)), nobody(), &mut ())
        .unwrap_or_else(|fatal| {
            eprintln!("{}", fatal.message);
            fatal.exit_code()
        });
    output::close().expect("the reader takes everything");
    std::process::exit(code);
}

/// The result of a run in a process of its own, as its event has it.
fn result_of(test: &str, options: &Value, load: &Value, transactions: u64) -> Value {
    let dir = tempfile::tempdir().expect("a directory");
    let socket = dir.path().join("null.sock");
    let options_of_null = NullOptions { socket: Some(socket.clone()), ..NullOptions::default() };
    let server = Server::start(&options_of_null).expect("the null server starts");
    let job = json!({
        "version": 1,
        "action": "run",
        "seed": 7,
        "target": {"socket": socket, "user": "tester", "database": "test"},
        "workload": {"name": "cart", "options": options},
        "load": load,
        "phases": {"measure_ms": 0, "max_transactions": transactions},
        "engine": {"threads": 1},
    });
    let path = format!("tests::{test}");
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    let ended = child.args(["--exact", &path, "--nocapture"]).env(JOB, job.to_string()).output();
    drop(server);
    let ended = ended.expect("a process");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{said}\n{}", String::from_utf8_lossy(&ended.stderr));
    let events = said.lines().filter_map(|line| line.find('{').map(|at| &line[at..]));
    let mut events = events.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.find(|event| event["event"] == "result").expect("a result")
}

#[test]
fn a_workload_known_at_run_time_is_described_like_any_other() {
    let script = Script::read();
    let listing = serde_json::to_value(script.listing()).expect("JSON");
    assert_eq!(listing["kinds"], json!(["look", "pay"]));
    assert_eq!(listing["options"]["properties"]["labels"]["default"], 4);
    assert_eq!(listing["options"]["additionalProperties"], false);
    let described = script.describe(&Map::new(), 0).expect("the defaults");
    let size = serde_json::to_value(Size::of(&*described)).expect("JSON");
    assert_eq!((&size["statements"], &size["rows"]), (&json!(4), &json!(0)));
    let wrong = Map::from_iter([("lables".to_owned(), json!(3))]);
    let Err(refused) = script.describe(&wrong, 0) else { panic!("an unknown option") };
    assert_eq!(refused.0, "cart has no option lables; did you mean labels?");
}

#[test]
fn more_labels_than_a_byte_can_count_keep_their_times() {
    be_the_engine();
    let test = "more_labels_than_a_byte_can_count_keep_their_times";
    let options = json!({"labels": 300, "prepares": false});
    // Every label once, and the first seven twice.
    let result = result_of(test, &options, &json!({"connections": 1}), 307);
    for number in 0..300 {
        let times = if number < 7 { 2 } else { 1 };
        assert_eq!(result["labels"][format!("look-{number}")]["count"], times, "{number}");
    }
    assert_eq!(result["labels"].as_object().expect("labels").len(), 300 + 1, "and the whole transaction");
}

#[test]
fn terminals_of_a_loop_share_a_state_and_begin_with_a_session() {
    be_the_engine();
    let test = "terminals_of_a_loop_share_a_state_and_begin_with_a_session";
    let result = result_of(test, &json!({}), &json!({"connections": 3}), 600);
    // Three terminals in the only loop; each has prepared its statement before the load, which is no part of it.
    assert_eq!(result["counters"]["terminals_of_loop"], 3 * 600);
    assert_eq!((&result["labels"]["paid"]["count"], &result["reads"]), (&json!(600), &json!(1_200)));
    assert_eq!(result["sent_statements"], 1_200);
    assert!(result["labels"].get("begin").is_none(), "{}", result["labels"]);
    assert_eq!(result["kinds"]["pay"]["times"]["count"], 600);

    // Terminals that share connections begin on one of them, and what they prepare there is good on the others.
    let shared = json!({"connections": 2, "terminals": 8});
    let result = result_of(test, &json!({}), &shared, 600);
    assert_eq!(result["counters"]["terminals_of_loop"], 8 * 600);
    assert_eq!((&result["transactions"], &result["sent_statements"]), (&json!(600), &json!(1_200)));
    assert_eq!((&result["labels"]["paid"]["count"], &result["errors"]), (&json!(600), &json!({})));
    assert_eq!(result["kinds"]["pay"]["times"]["count"], 600);
}
