//! Options, commands, and the scripts that come with the program.

use std::sync::Arc;

use assay_script::{Call, DryRun, Origin, Script, bundled};
use assay_wire::block_on;
use rstest::rstest;

use crate::support::{Played, Reply, Rule, origin, play, work};

const DECLARED: &str = "
sysbench.cmdline.options = {
  table_size = {'Rows', 10000}, flag = {'A flag', true}, name = {'A name', 'x'}, some = {'A list', {'a', 'b'}},
  whole = {'A number', 5, sysbench.cmdline.ARG_INT}, bytes = {'A size', '1K', sysbench.cmdline.ARG_SIZE},
}
";

/// The value of an expression once the options are read.
fn value(options: &[(&str, &str)], expression: &str) -> Result<String, String> {
    let source = format!("{DECLARED} function event() error('<' .. tostring({expression}) .. '>', 0) end");
    let message = work(&source, options, &mut Played::new(1, &[])).expect_err("the value");
    let inside = message.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
    inside.map(|(inside, _)| inside.to_owned()).ok_or(message)
}

#[rstest]
#[case("sysbench.opt.table_size", "10000")]
#[case("sysbench.opt.flag", "true")]
#[case("sysbench.opt.name", "x")]
#[case("table.concat(sysbench.opt.some, '+')", "a+b")]
#[case("sysbench.opt.bytes", "1024")]
#[case("sysbench.opt.threads", "1")]
#[case("sysbench.opt.mysql_host[1]", "localhost")]
#[case("sysbench.opt.mysql_storage_engine", "nil")]
#[case("sysbench.opt.config_file", "nil")]
#[case("table_size", "nil")]
fn options_have_their_defaults(#[case] expression: &str, #[case] expected: &str) {
    assert_eq!(value(&[], expression).as_deref(), Ok(expected));
}

#[rstest]
#[case(("table-size", "7"), "sysbench.opt.table_size", "7")]
#[case(("flag", "off"), "sysbench.opt.flag", "false")]
#[case(("flag", ""), "sysbench.opt.flag", "true")]
#[case(("some", "1,2"), "table.concat(sysbench.opt.some, '+')", "1+2")]
#[case(("bytes", "2M"), "sysbench.opt.bytes", "2097152")]
#[case(("num-threads", "3"), "sysbench.opt.threads", "3")]
#[case(("mysql_port", "1,2"), "sysbench.opt.mysql_port[2]", "2")]
#[case(("thread-stack-size", "2M"), "sysbench.opt.thread_stack_size", "2097152")]
#[case(("config-file", "x"), "sysbench.opt.config_file", "nil")]
#[case(("table-size", "7"), "sysbench.cmdline.read_cmdline_options() or sysbench.opt.table_size", "7")]
fn options_are_read_by_their_types(
    #[case] given: (&str, &str),
    #[case] expression: &str,
    #[case] expected: &str,
) {
    assert_eq!(value(&[given], expression).as_deref(), Ok(expected));
}

#[rstest]
#[case(("tables", "1"), "invalid option: --tables=1")]
#[case(("tabel-size", "1"), "invalid option: --tabel-size=1\nhint: did you mean --table-size?")]
#[case(("whole", "1.5"), "invalid option: --whole=1.5\nhint: expected a whole number")]
#[case(("rand-spec-iter", "1.5"), "invalid option: --rand-spec-iter=1.5\nhint: expected a whole number")]
#[case(("histogram", "perhaps"), "invalid option: --histogram=perhaps\nhint: expected on or off")]
#[case(("verbosty", "1"), "invalid option: --verbosty=1\nhint: did you mean --verbosity?")]
#[case(("config-fiel", "x"), "invalid option: --config-fiel=x\nhint: did you mean --config-file?")]
#[case(("bytes", "many"), "invalid option: --bytes=many\nhint: expected a size")]
#[case(("flag", "perhaps"), "invalid option: --flag=perhaps\nhint: expected on or off")]
#[case(("db-ps-mode", "never"), "invalid option: --db-ps-mode=never\nhint: expected auto or disable")]
#[case(("rand-type", "odd"), "invalid option: --rand-type=odd\nhint: expected uniform")]
#[case(("mysql-ignore-errors", "x"), "invalid option: --mysql-ignore-errors=x\nhint: expected error codes")]
#[case(("report-checkpoints", "5,soon"), "invalid option: --report-checkpoints=soon\nhint: expected seconds")]
fn wrong_options_are_refused_by_name(#[case] given: (&str, &str), #[case] expected: &str) {
    let refused = value(&[given], "1").expect_err("refused");
    assert!(refused.starts_with(expected), "{refused}");
}

#[test]
fn random_numbers_convert_their_ends_as_calls_of_c_do() {
    let draws = "sysbench.rand.uniform(2.9, 2.1) .. ' ' .. sysbench.rand.uniform(-1, -1)";
    assert_eq!(value(&[], draws).as_deref(), Ok("2 4294967295"));
    let raised = value(&[], "pcall(sysbench.rand.uniform, '1', 2)").expect("a value");
    assert_eq!(raised, "false", "strings are refused");
    let wide = value(&[], "sysbench.rand.uniform(2^40, 2^41) >= 2^40").expect("a value");
    assert_eq!(wide, "true", "a range beyond 32 bits is drawn from as it is");
    let text = value(&[], "sysbench.rand.string('##-@@')").expect("a text");
    assert!(text.len() == 5 && text.as_bytes()[2] == b'-', "{text}");
}

#[test]
fn commands_of_scripts_go_before_functions_of_their_names() {
    let source = "
        sysbench.cmdline.commands = {
          prepare = {function() print('declared') end, sysbench.cmdline.PARALLEL_COMMAND},
          fails = {function() return false end},
        }
        function prepare() error('the function') end
        function cleanup() sysbench.sql.driver():connect():query('DROP') end";
    let of = origin(source, &[]);
    let command =
        |name| play(&of, &mut Played::default(), Call::Command(name)).map_err(|error| error.message);
    assert_eq!((command("prepare"), command("fails"), command("cleanup")), (Ok(true), Ok(false), Ok(true)));
    assert_eq!(command("other"), Err("Unknown command: other".into()));
    assert_eq!(command("help"), Err("'a.lua' test does not implement the 'help' command.".into()));
    let mut host = Played::default();
    play(&of, &mut host, Call::Command("cleanup")).expect("cleanup");
    assert_eq!(host.notes, ["connect", "query DROP", "disconnect"]);
    let mut script = block_on(Script::open(&of, 0, &mut host)).expect("a script");
    let mut is_parallel = |name| block_on(script.is_parallel(&mut host, name));
    assert_eq!((is_parallel("prepare"), is_parallel("cleanup")), (Ok(true), Ok(false)));
}

#[test]
fn rows_gather_until_a_statement_is_full() {
    let source = "
        function prepare()
          local con = sysbench.sql.driver():connect()
          con:bulk_insert_init('INSERT INTO t VALUES')
          local row = '(' .. ('x'):rep(98) .. ')'
          for i = 1, 10000 do con:bulk_insert_next(row) end
          con:bulk_insert_done()
        end";
    let mut host = Played::default();
    play(&origin(source, &[]), &mut host, Call::Command("prepare")).expect("prepare");
    let sent: Vec<usize> =
        host.notes.iter().filter(|note| note.starts_with("query")).map(String::len).collect();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(sent.iter().all(|bytes| *bytes < 512 * 1024 + 6), "{sent:?}");
    let rows: usize = host.notes.iter().map(|note| note.matches('(').count()).sum();
    assert_eq!(rows, 10_000);
}

#[test]
fn without_prepared_statements_parameters_go_into_the_text() {
    let rows = Rule { part: "SELECT", times: 0, reply: Reply::Rows(vec![["1", "2"]]) };
    let source = "
        function event()
          local con = sysbench.sql.driver():connect()
          local s = con:prepare('SELECT ? FROM t WHERE a=? AND b=?')
          local t = sysbench.sql.type
          local a, b, c = s:bind_create(t.BIGINT), s:bind_create(t.DOUBLE), s:bind_create(t.CHAR, 3)
          s:bind_param(a, b, c)
          a:set(9007199254740993LL) b:set(0.5) c:set('abcdef')
          local rs = s:execute()
          assert(rs.nrows == 1 and rs:fetch_row()[2] == '2')
        end";
    let mut host = Played::new(1, &[rows]);
    work(source, &[("db-ps-mode", "disable")], &mut host).expect("a life");
    let sent = "query SELECT 9007199254740993 FROM t WHERE a=0.500000 AND b='abc'";
    assert!(host.notes.contains(&sent.into()), "{:?}", host.notes);
}

/// Statements of an event of the scripts that come with the program, as sysbench's own have them.
#[rstest]
#[case("oltp_read_write", &[], 20)]
#[case("oltp_read_write", &[("skip-trx", "on")], 18)]
#[case("oltp_read_only", &[], 16)]
#[case("oltp_read_only", &[("range_selects", "off")], 12)]
#[case("oltp_write_only", &[], 6)]
#[case("oltp_write_only", &[("skip_trx", "on"), ("tables", "3")], 4)]
#[case("oltp_point_select", &[("point_selects", "5")], 1)]
#[case("oltp_update_index", &[], 1)]
#[case("oltp_update_non_index", &[], 1)]
#[case("oltp_delete", &[], 1)]
#[case("oltp_insert", &[], 1)]
#[case("oltp_insert", &[("auto_inc", "off")], 1)]
#[case("select_random_points", &[], 1)]
#[case("select_random_ranges", &[("delta", "7")], 1)]
#[case("bulk_insert", &[], 0)]
fn bundled_scripts_send_what_sysbenchs_send(
    #[case] name: &str,
    #[case] options: &[(&str, &str)],
    #[case] statements: u64,
) {
    let given = options.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let given = Arc::new(given.collect());
    let of = Origin { path: name.into(), given, ..Origin::default() };
    assert!(bundled(name).is_some());
    let mut host = DryRun::new(10);
    block_on(async {
        let mut script = Script::open(&of, 0, &mut host).await.expect("a script");
        script.call(&mut host, Call::Worker(0)).await.expect("a life");
    });
    let at_the_end = u64::from(name == "bulk_insert");
    assert_eq!((host.succeeded, host.statements), (10, 10 * statements + at_the_end));
}

#[test]
fn the_tables_of_bundled_scripts_are_made_by_their_threads() {
    let given = [("tables", "3"), ("table_size", "2"), ("threads", "2")];
    let given = given.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let given = Arc::new(given.collect());
    let of = Origin { path: "oltp_read_write".into(), given, ..Origin::default() };
    let mut made = Vec::new();
    for tid in 0..2 {
        let mut host = Played::default();
        block_on(async {
            let mut script = Script::open(&of, tid, &mut host).await.expect("a script");
            assert_eq!(script.is_parallel(&mut host, "prepare").await, Ok(true));
            script.call(&mut host, Call::Command("prepare")).await.expect("prepare");
        });
        made.push(host.notes.iter().filter(|note| note.contains("CREATE TABLE")).count());
        assert!(
            host.notes.iter().any(|note| note.starts_with("query INSERT INTO sbtest")),
            "{:?}",
            host.notes
        );
        assert!(host.notes.iter().any(|note| note.starts_with("query CREATE INDEX k_")), "{:?}", host.notes);
    }
    assert_eq!(made, [2, 1]);
}
