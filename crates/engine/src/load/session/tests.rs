//! Sessions of one event loop against a real MariaDB: text, statements of their own, refusals, times.

#[path = "../../../../wire/tests/support/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates, which use other parts of it")]
mod support;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use assay_format::job::{Job, Target};
use assay_pace::Share;
use assay_tally::{Recorder, Scheduled, Shape};
use assay_wire::Row;
use assay_workload::Statement;
use rstest::rstest;

use super::*;
use crate::course::timeline::Control;
use crate::load::discipline::{Grounds, Part, Properties, choose};
use crate::load::message::Message;
use crate::load::opener::Opener;
use crate::load::plan::ShardPlan;
use crate::load::reconnect::{renew, reopen};
use crate::process::clock::Clock;
use crate::reactor::{EventLoop, Reactor, Task, TaskId};
use crate::server::login::{Login, Purpose};

const READ: LabelId = LabelId(0);
const WRITE: LabelId = LabelId(1);

/// The sessions of a test belong to one task, which has its answers one after the other.
const TASK: TaskId = 0;

/// A session on a connection of its own.
async fn open(opener: &Opener) -> MeasuredSession {
    opener.open(TASK).await.unwrap_or_else(|fatal| panic!("{}", fatal.message))
}

/// Plays on an event loop against database `name`, which has a table `t` with the numbers 1 and 2; what was tallied.
fn play(name: &str, ps_mode: PsMode, plot: impl AsyncFnOnce(Opener)) -> Recorder {
    let server = support::server();
    let mut connection = server.fresh(name);
    assay_wire::block_on(connection.run("CREATE TABLE t (n INT PRIMARY KEY) SELECT 1 AS n UNION SELECT 2"))
        .expect("a table");
    let target = serde_json::json!({"socket": server.socket(), "user": "root", "database": name});
    let job =
        serde_json::json!({"version": 1, "action": "run", "target": target, "workload": {"name": "none"}});
    let job: Job = serde_json::from_value(job).expect("a job");
    let target: &Target = &job.target;
    let login = Login::new(target, Purpose::default()).expect("a login");

    let clock = Clock::start();
    let reactor = Reactor::new(1, clock).expect("an event loop");
    let control = Arc::new(Control::default());
    control.begin(clock.now());
    let ((messages, inbox), (_spares, spare)) = (channel(), channel());
    let shape = Shape::of_labels(3, Scheduled::Nothing);
    let asked = Grounds { job: &job, workload: "none", own_pace: false, meant: None, defers: false };
    let (load, make) = choose(&asked).expect("a discipline");
    let part = Part { share: Share::WHOLE, connections: 1, terminals: 1 };
    let discipline = make(&job, &load, &part).expect("a load");
    let shard = Shard::new(plan(shape, load, part), discipline, reactor.clone(), control, messages, spare);
    let listed = Statement { label: READ, sql: "SELECT n FROM t WHERE n = ?".into(), place: None };
    let plan = Rc::new(StatementPlan::new(&[], &[listed]));
    let opener =
        Opener { login: Arc::new(login), plan, shard: shard.clone(), ps_mode, seed: 7, reconnect_tries: 1 };
    let tasks: Vec<Task<'_>> = vec![Box::pin(plot(opener))];
    assert_eq!(EventLoop::new(reactor, tasks).run(|now| shard.turn(now)), 0, "the play came to its end");
    shard.end();
    drop(shard);
    tallied(shape, &inbox)
}

fn plan(shape: Shape, load: Properties, part: Part) -> ShardPlan {
    ShardPlan {
        index: 0,
        load,
        part,
        first_connection: 0,
        first_terminal: 0,
        records: false,
        shape,
        interval_ns: 3_600_000_000_000,
        drain_ns: 0,
        budget: None,
        timeout_ns: None,
        ledger: None,
        held: false,
    }
}

fn tallied(shape: Shape, inbox: &Receiver<Message>) -> Recorder {
    let mut sum = Recorder::new(shape);
    for message in inbox.try_iter() {
        if let Message::Slice(slice) = message {
            sum.merge(&slice.recorder);
        }
    }
    sum
}

/// The numbers that a text finds.
async fn found(session: &mut MeasuredSession, sql: &str) -> Vec<i64> {
    let mut found = Vec::new();
    let mut take = |row: &Row<'_>| found.extend(row.int(row.len() - 1));
    session.select_text(READ, sql.as_bytes(), &mut take).await.expect(sql);
    found
}

/// How often this session has sent a command, by the server's own count.
async fn count(session: &mut MeasuredSession, command: &str) -> i64 {
    found(session, &format!("SHOW SESSION STATUS LIKE 'Com_{command}'")).await[0]
}

/// The numbers that a statement finds.
async fn looked_up(
    session: &mut MeasuredSession,
    statement: StatementId,
    number: i64,
) -> Result<Vec<i64>, Failure> {
    let mut found = Vec::new();
    let mut take = |row: &Row<'_>| found.extend(row.int(0));
    session.select(statement, &[Param::Int(number)], &mut take).await?;
    Ok(found)
}

fn tallied_labels(recorder: &Recorder) -> [u64; 2] {
    [READ, WRITE].map(|label| recorder.labels[StatementPlan::histogram(label)].service.count())
}

#[rstest]
#[case(PsMode::Auto, "own_prepared", 1)]
#[case(PsMode::Disable, "own_text", 0)]
fn a_session_prepares_and_closes_while_it_runs(
    #[case] ps_mode: PsMode,
    #[case] name: &str,
    #[case] prepares: i64,
) {
    let tally = play(name, ps_mode, async |opener| {
        let mut session = open(&opener).await;
        let before = count(&mut session, "stmt_prepare").await;
        let text = "SELECT n + 10 FROM t WHERE n = ?";
        let first = session.prepare(WRITE, text).await.expect("a statement");
        assert_eq!(count(&mut session, "stmt_prepare").await - before, prepares);
        assert_eq!(looked_up(&mut session, first, 2).await, Ok(vec![12]));
        assert_eq!(looked_up(&mut session, first, 3).await, Ok(vec![]));
        let listed = StatementId(0);
        assert_eq!(looked_up(&mut session, listed, 2).await, Ok(vec![2]), "the list's own is another");

        let second = session.prepare(WRITE, "SELECT -n FROM t WHERE n = ?").await.expect("a statement");
        session.close(first).await.expect("it is closed");
        assert_eq!(count(&mut session, "stmt_close").await, prepares);
        assert_eq!(looked_up(&mut session, second, 2).await, Ok(vec![-2]), "the other one is still there");
        assert_eq!(looked_up(&mut session, first, 2).await, Err(Failure::Data(NOT_PREPARED)));
        assert_eq!(session.close(first).await, Err(Failure::Data(NOT_PREPARED)));
        assert_eq!(session.close(listed).await, Err(Failure::Data(NOT_PREPARED)));
    });
    // Four texts and one of the list; preparing and closing are no statements, and what nobody sent is none.
    assert_eq!(tallied_labels(&tally), [4, 3]);
    assert!(tally.counts.errors.is_empty());
}

#[test]
fn what_the_server_cannot_prepare_travels_as_text() {
    play("own_unprepared", PsMode::Auto, async |opener| {
        let mut session = open(&opener).await;
        let execute = session.prepare(READ, "EXECUTE other USING @n").await.expect("a handle");
        session.query(READ, b"PREPARE other FROM 'SELECT n FROM t WHERE n <= ?'").await.expect("SQL's own");
        session.query(READ, b"SET @n = 2").await.expect("a variable");
        let outcome = session.execute(execute, &[]).await.expect("rows");
        assert_eq!(outcome.rows, 2);
    });
}

/// How the connection of a session comes to be another.
#[derive(Clone, Copy)]
enum Change {
    /// The connection is lost.
    Lost,
    /// The job has it renewed now and then.
    Renewed,
}

#[rstest]
#[case(PsMode::Auto, "lost_prepared", Change::Lost, [0, 1, 1])]
#[case(PsMode::Disable, "lost_text", Change::Lost, [0, 0, 0])]
#[case(PsMode::Auto, "renewed_prepared", Change::Renewed, [0, 1, 1])]
#[case(PsMode::Disable, "renewed_text", Change::Renewed, [0, 0, 0])]
fn handles_outlive_their_connection(
    #[case] ps_mode: PsMode,
    #[case] name: &str,
    #[case] change: Change,
    #[case] prepares: [i64; 3],
) {
    play(name, ps_mode, async |opener| {
        let mut place = Some(open(&opener).await);
        let session = place.as_mut().expect("a session");
        let own = session.prepare(READ, "SELECT n + 10 FROM t WHERE n = ?").await.expect("a statement");
        session.query(WRITE, b"CREATE TEMPORARY TABLE mine (n INT)").await.expect("a table of the session");
        let gone = session.prepare(WRITE, "INSERT INTO mine VALUES (?)").await.expect("a statement");
        session.execute(gone, &[Param::Int(1)]).await.expect("a row");
        let changed = match change {
            Change::Lost => {
                assert!(session.query(WRITE, b"KILL CONNECTION_ID()").await.is_err());
                assert!(!session.is_usable());
                reopen(&opener, TASK, &mut place).await
            }
            Change::Renewed => renew(&opener, TASK, &mut place).await,
        };
        assert!(changed.is_ok());

        let session = place.as_mut().expect("another connection");
        let listed = i64::from(ps_mode == PsMode::Auto);
        let mut counts = vec![count(session, "stmt_prepare").await - listed];
        for _ in 0..2 {
            assert_eq!(looked_up(session, own, 2).await, Ok(vec![12]));
            counts.push(count(session, "stmt_prepare").await - listed);
        }
        assert_eq!(counts, prepares, "prepared again once, when it was wanted");

        // What cannot be prepared any more fails where it is used, as a statement does, and again.
        for _ in 0..2 {
            let missing = session.execute(gone, &[Param::Int(1)]).await;
            assert_eq!(missing, Err(Failure::Server { code: 1146 }));
            assert_eq!(session.last_error().map(|error| error.state.as_str()), Some("42S02"));
        }
        session.query(WRITE, b"CREATE TEMPORARY TABLE mine (n INT)").await.expect("a table of the session");
        session.execute(gone, &[Param::Int(1)]).await.expect("a row");
    });
}

#[rstest]
#[case(PsMode::Auto, "shared_prepared", 1)]
#[case(PsMode::Disable, "shared_text", 0)]
fn a_handle_means_the_same_on_every_connection(
    #[case] ps_mode: PsMode,
    #[case] name: &str,
    #[case] prepares: i64,
) {
    play(name, ps_mode, async |opener| {
        let (mut one, mut other) = (open(&opener).await, open(&opener).await);
        let ones = one.prepare(READ, "SELECT 1 + ?").await.expect("a statement");
        let others = other.prepare(READ, "SELECT 2 + ?").await.expect("a statement");
        assert_ne!(ones, others);
        let before = count(&mut other, "stmt_prepare").await;
        for number in 1..3 {
            assert_eq!(looked_up(&mut other, ones, number).await, Ok(vec![1 + number]));
            assert_eq!(looked_up(&mut other, others, number).await, Ok(vec![2 + number]));
        }
        assert_eq!(count(&mut other, "stmt_prepare").await - before, prepares, "once, when it is first used");

        // Closed on one connection it is closed on all; the others are told when they prepare something else.
        one.close(ones).await.expect("it is closed");
        for session in [&mut one, &mut other] {
            assert_eq!(looked_up(session, ones, 1).await, Err(Failure::Data(NOT_PREPARED)));
            assert_eq!(session.close(ones).await, Err(Failure::Data(NOT_PREPARED)));
        }
        assert_eq!(looked_up(&mut one, others, 1).await, Ok(vec![3]), "the other one is still there");
        other.prepare(READ, "SELECT 3 + ?").await.expect("a statement");
        for session in [&mut one, &mut other] {
            assert_eq!(count(session, "stmt_close").await, prepares);
        }
    });
}

#[test]
fn a_refusal_keeps_its_words() {
    let tally = play("refusals", PsMode::Auto, async |opener| {
        let mut session = open(&opener).await;
        assert_eq!(session.last_error(), None);
        let refused = session.select_text(WRITE, b"INSERT INTO t VALUES (1)", &mut Discard).await;
        assert_eq!(refused, Err(Failure::Server { code: 1062 }));
        let error = session.last_error().expect("what the server said");
        assert_eq!((error.code, error.state.as_str()), (1062, "23000"));
        assert_eq!(&*error.message, "Duplicate entry '1' for key 'PRIMARY'");

        let refused = session.prepare(READ, "SELECT n FROM nothing").await;
        assert_eq!(refused, Err(Failure::Server { code: 1146 }));
        assert_eq!(session.last_error().map(|error| error.state.as_str()), Some("42S02"));
        assert_eq!(found(&mut session, "SELECT n FROM t ORDER BY n").await, [1, 2], "the connection lives");
    });
    assert_eq!(tally.counts.errors.into_iter().collect::<Vec<_>>(), [(1062, 1), (1146, 1)]);
}

#[test]
fn a_statement_begins_where_the_one_before_ended_or_when_it_is_told_to() {
    const COMPUTING: Duration = Duration::from_millis(20);
    let mut longest = 0;
    let tally = play("stamps", PsMode::Auto, async |opener| {
        let mut session = open(&opener).await;
        session.set_mark();
        std::thread::sleep(COMPUTING);
        session.query(READ, b"DO 1").await.expect("nothing");
        std::thread::sleep(COMPUTING);
        let before = opener.shard.reactor.clock.now();
        session.begin_now();
        session.query(WRITE, b"DO 1").await.expect("nothing");
        longest = session.mark() - before;
    });
    let [read, write] = [READ, WRITE].map(|label| &tally.labels[StatementPlan::histogram(label)].service);
    assert!(u128::from(read.max_ns()) >= COMPUTING.as_nanos(), "computing is in the statement's time");
    // A histogram tells three digits.
    assert!(write.max_ns() <= longest + longest / 500, "{} of {longest}", write.max_ns());
}

#[test]
fn what_this_side_refuses_is_no_lost_connection() {
    let refused = Error::LocalInfile("/etc/passwd".to_owned());
    let miscounted = Error::ParameterCount { given: 1, expected: 2 };
    for (error, code) in [(refused, 2068), (miscounted, 2034)] {
        assert!(!error.is_fatal(), "{error}");
        assert_eq!(code_of(&error), code, "{error}");
    }
}
