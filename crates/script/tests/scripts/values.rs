//! Values between a script and its host: parameters, texts, results of prepared statements.

use assay_script::Counter;

use crate::support::{Played, Reply, Rule, work};

/// What a host was sent that `event` runs against once, by the first word.
fn sent(source: &str, rules: &[Rule], word: &str) -> Vec<String> {
    let mut host = Played::new(1, rules);
    work(source, &[], &mut host).expect("a life");
    let rest = |note: &String| note.strip_prefix(word).map(|rest| rest.trim_start().to_owned());
    host.notes.iter().filter_map(rest).collect()
}

/// A statement with ten parameters of all kinds, executed twice, the second time with other values.
const TEN: &str = "
local t = sysbench.sql.type
local kinds = {t.INT, t.DOUBLE, t.CHAR, t.BIGINT, t.INT, t.INT, t.VARCHAR, t.INT, t.INT, t.CHAR}
function event()
  local con = sysbench.sql.driver():connect()
  local s, p = con:prepare('TEN'), {}
  for i, kind in ipairs(kinds) do p[i] = s:bind_create(kind, 4) end
  s:bind_param(unpack(p))
  p[1]:set(-7.9) p[2]:set(0.5) p[3]:set('longer') p[4]:set(9007199254740993LL)
  p[6]:set(true) p[7]:set(12) p[8]:set(1e9) p[9]:set(0)
  s:execute()
  p[1]:set(nil) p[5]:set(3) p[10]:set('z')
  coroutine.wrap(function() s:execute() end)()
end";

#[test]
fn parameters_of_any_number_arrive_with_their_kinds() {
    let text = |letters: &str| format!("Bytes({:?})", letters.as_bytes());
    let (long, twelve, z) = (text("long"), text("12"), text("z"));
    let expected = |first: &str, fifth: &str, last: &str| {
        format!(
            "TEN [{first}, Double(0.5), {long}, Int(9007199254740993), {fifth}, Int(1), {twelve}, \
             Int(1000000000), Int(0), {last}]"
        )
    };
    let all = [expected("Int(-7)", "Null", "Null"), expected("Null", "Int(3)", &z)];
    assert_eq!(sent(TEN, &[], "execute"), all);
}

#[test]
fn a_number_as_a_statement_is_its_digits() {
    let source = "function event() sysbench.sql.driver():connect():query(12) end";
    assert_eq!(sent(source, &[], "query"), ["12"]);
}

#[test]
fn the_result_of_a_prepared_statement_has_its_numbers_and_no_rows() {
    // Once when it is prepared, once when it is executed.
    let rules = [Rule { part: "SELECT", times: 2, reply: Reply::Rows(vec![["a", "b"], ["c", "d"]]) }];
    let source = "
    function event()
      local con = sysbench.sql.driver():connect()
      local s = con:prepare('SELECT')
      local rows = s:execute()
      assert(rows.nrows == 2 and tostring(rows) == '<sql_result>' and rows:free())
      local fetched, message = pcall(rows.fetch_row, rows)
      assert(not fetched and message:find('a.lua:7: the rows of a prepared statement are not kept', 1, true), message)
      local none = s:execute()
      assert(none == nil and tostring(none) == '<sql_result>', 'as a pointer to nothing')
      local yielded, refused = pcall(coroutine.yield, 1)
      assert(not yielded and refused:find('attempt to yield across C-call boundary', 1, true))
      con:query('done')
    end";
    assert_eq!(sent(source, &rules, "query"), ["done"]);
}

/// What a script sees of its connections: what is said in order, errors, handles of connections, ids beyond 53 bits.
#[test]
fn misused_connections_say_what_sysbench_says() {
    let source = "
    function event()
      local con = sysbench.sql.driver():connect()
      local function failing(body, ...)
        local fine, message = pcall(body, ...)
        assert(not fine)
        return tostring(message):gsub('^a.lua:%d+: ', '')
      end
      local rows = con:query('SELECT')
      local none = con:query('DO 1')
      assert(failing(rows.free, rows) == 'db_free_results() failed')
      local _, unplaced = pcall(none.free, rows)
      assert(unplaced == 'db_free_results() failed', unplaced)
      assert(failing(con.bulk_insert_next, con, '(1)') == 'db_bulk_insert_next() failed')
      assert(con:bulk_insert_done() == true)
      assert(con:disconnect() == true and con:disconnect() == true)
      assert(failing(con.query, con, 'DO 2') == 'SQL API error')
      con:reconnect()
      local fine, raised = pcall(con.query, con, 'IGNORED')
      assert(raised.connection == con and tostring(raised.connection) == '<sql_connection>')
      raised.connection:query('DO 3')
    end";
    let mut host = Played::new(
        1,
        &[
            Rule { part: "SELECT", times: 1, reply: Reply::Rows(vec![["a", "b"]]) },
            Rule { part: "IGNORED", times: 1, reply: Reply::Refused(1213, "again") },
        ],
    );
    work(source, &[], &mut host).expect("a life");
    assert_eq!(
        host.logged,
        [
            "ALERT: attempt to free an invalid result set",
            "ALERT: attempt to free an invalid result set",
            "ALERT: attempt to call bulk_insert_next() before bulk_insert_init()",
            "ALERT: attempt to close an already closed connection",
            "ALERT: attempt to use an already closed connection",
        ]
    );
    assert!(host.notes.contains(&"query DO 3".into()), "{:?}", host.notes);
    assert_eq!(host.counted, [(Counter::Reconnect, 1)]);
}

#[test]
fn insert_ids_keep_their_64_bits() {
    let rules = [Rule { part: "INSERT", times: 1, reply: Reply::Inserted(9_007_199_254_740_993) }];
    let source = "
    function event()
      local con = sysbench.sql.driver():connect()
      con:query('INSERT')
      con:query('id ' .. tostring(con.insert_id))
      con:query('DO 1')
      con:query('id ' .. tostring(con.insert_id))
    end";
    assert_eq!(sent(source, &rules, "query id"), ["9007199254740993ULL", "0"]);
}

#[test]
fn requests_of_compiled_code_carry_what_each_event_has_set() {
    let source = "
    function thread_init()
      con = sysbench.sql.driver():connect()
      s = con:prepare('N ?')
      p = s:bind_create(sysbench.sql.type.INT)
      s:bind_param(p)
      n = 0
    end
    function event()
      n = n + 1
      p:set(n)
      s:execute()
      if n % 100 == 0 then assert(not pcall(con.query, con, 'BAD')) end
    end
    function thread_done() assert(require('jit.util').traceinfo(1), 'nothing was compiled') end";
    let rules = [Rule { part: "BAD", times: 0, reply: Reply::Refused(1146, "no such table") }];
    let mut host = Played::new(300, &rules);
    work(source, &[], &mut host).expect("a life");
    let executed: Vec<&String> = host.notes.iter().filter(|note| note.starts_with("execute")).collect();
    let expected: Vec<String> = (1..=300).map(|n| format!("execute N ? [Int({n})]")).collect();
    assert_eq!(executed, expected.iter().collect::<Vec<_>>());
}
