//! What a statement does to rows, by its text.

/// What must hold of a statement's other words for it to change no row.
#[derive(Debug, Clone, Copy)]
enum Only {
    Always,
    /// None of these words may be in it.
    Without(&'static [&'static str]),
    /// The second word, where there is one, is this.
    Before(&'static str),
    /// The statement that one of these words begins, the first of them outside of parentheses, decides.
    AsIts(&'static [&'static str]),
    /// With this word it carries out the statement that it explains.
    ExplainedBut(&'static str),
}

/// Words of statements about rows.
const ABOUT_ROWS: &[&str] = &["SELECT", "TABLE", "VALUES", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE"];
/// A result that goes into a file of the server.
const FILES: Only = Only::Without(&["OUTFILE", "DUMPFILE"]);
/// What `SET` does beyond its own session, and MariaDB's `SET STATEMENT … FOR`, which carries another statement out.
const BEYOND: Only =
    Only::Without(&["GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD", "ROLE", "RESOURCE", "STATEMENT"]);

/// The kinds of statements that change no row, by their first word; all others may change some.
const KINDS: [(&str, Only); 23] = [
    ("SELECT", FILES),
    ("TABLE", FILES),
    ("VALUES", FILES),
    ("WITH", Only::AsIts(ABOUT_ROWS)),
    ("EXPLAIN", Only::ExplainedBut("ANALYZE")),
    ("DESCRIBE", Only::ExplainedBut("ANALYZE")),
    ("DESC", Only::ExplainedBut("ANALYZE")),
    ("SHOW", Only::Always),
    ("HELP", Only::Always),
    ("CHECKSUM", Only::Always),
    ("HANDLER", Only::Always),
    ("USE", Only::Always),
    ("DO", Only::Always),
    ("SET", BEYOND),
    ("BEGIN", Only::Before("WORK")),
    ("START", Only::Before("TRANSACTION")),
    ("COMMIT", Only::Always),
    ("ROLLBACK", Only::Always),
    ("SAVEPOINT", Only::Always),
    ("RELEASE", Only::Before("SAVEPOINT")),
    ("XA", Only::Always),
    ("DEALLOCATE", Only::Always),
    ("UNLOCK", Only::Always),
];

/// A word of a statement outside of quotes and comments, and how many parentheses are open around it.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    depth: usize,
}

impl Word<'_> {
    fn is(&self, name: &str) -> bool {
        self.text.eq_ignore_ascii_case(name)
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is(name))
    }
}

/// Whether a text changes no row: each of its statements reads, or begins or ends a transaction, or is about the session.
pub fn reads(sql: &str) -> bool {
    let Some(statements) = words_of(sql) else { return false };
    let mut statements = statements.iter().filter(|words| !words.is_empty()).peekable();
    statements.peek().is_some() && statements.all(|words| changes_nothing(words))
}

fn changes_nothing(words: &[Word<'_>]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let kind = KINDS.iter().find(|(name, _)| first.is(name));
    match kind.map(|(_, only)| *only) {
        None => false,
        Some(Only::Always) => true,
        Some(Only::Without(names)) => !rest.iter().any(|word| word.is_one_of(names)),
        Some(Only::Before(name)) => rest.first().is_none_or(|word| word.is(name)),
        Some(Only::AsIts(names)) => {
            let begins = |word: &Word<'_>| word.depth == first.depth && word.is_one_of(names);
            rest.iter().position(begins).is_some_and(|at| changes_nothing(&rest[at..]))
        }
        Some(Only::ExplainedBut(name)) => {
            let carried_out = rest.first().is_some_and(|word| word.is(name));
            let begins = |word: &Word<'_>| word.is_one_of(ABOUT_ROWS);
            !carried_out || rest.iter().position(begins).is_some_and(|at| changes_nothing(&rest[at..]))
        }
    }
}

/// The words of each statement of a text; `None` where a comment is code to some servers.
fn words_of(sql: &str) -> Option<Vec<Vec<Word<'_>>>> {
    let (mut statements, mut depth, mut at) = (vec![Vec::new()], 0_usize, 0);
    while let Some(next) = sql[at..].chars().next() {
        let rest = &sql[at..];
        let length = match next {
            '\'' | '"' | '`' => quoted(rest, next),
            _ if rest.starts_with("/*!") || rest.starts_with("/*M!") => return None,
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '-' if rest.starts_with("--") && rest[2..].chars().next().is_none_or(char::is_whitespace) => {
                rest.find('\n').unwrap_or(rest.len())
            }
            next if is_of_word(next) => {
                let length = rest.find(|next| !is_of_word(next)).unwrap_or(rest.len());
                statements.last_mut()?.push(Word { text: &rest[..length], depth });
                length
            }
            other => {
                match other {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    ';' => statements.push(Vec::new()),
                    _ => {}
                }
                other.len_utf8()
            }
        };
        at += length;
    }
    Some(statements)
}

fn is_of_word(next: char) -> bool {
    next.is_alphanumeric() || next == '_' || next == '$'
}

/// Bytes of the quoted text that `rest` begins with. A doubled quote is two texts in a row, which is the same here.
fn quoted(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' && quote != '`' {
            letters.next();
        } else if letter == quote {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_statements_that_change_no_row_are_known() {
        for sql in [
            "SELECT c FROM t WHERE id = ?",
            "  select 1;",
            "(SELECT 1) UNION (SELECT 2)",
            "((SELECT 1))",
            "SELECT * FROM t FOR UPDATE",
            "SELECT * FROM t LOCK IN SHARE MODE",
            "SELECT 1 INTO @x",
            "SELECT 'INTO OUTFILE', `OUTFILE` FROM t",
            "SELECT 'it''s ; DELETE \\' FROM t'",
            "/* DELETE */ SELECT 1 -- INTO OUTFILE",
            "# DELETE\nSELECT 1",
            "SELECT /*+ MAX_EXECUTION_TIME(9) */ 1",
            "TABLE t",
            "VALUES ROW(1)",
            "WITH a AS (SELECT 1) SELECT * FROM a",
            "WITH RECURSIVE a(n) AS (SELECT 1 UNION SELECT n + 1 FROM a) TABLE a",
            "SHOW TABLES",
            "EXPLAIN SELECT 1",
            "EXPLAIN DELETE FROM t",
            "EXPLAIN ANALYZE FORMAT=TREE SELECT 1",
            "DESC t",
            "DO SLEEP(0)",
            "SET @x = 1",
            "SET SESSION sql_mode = ''",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "SET NAMES utf8mb4",
            "BEGIN",
            "BEGIN WORK",
            "START TRANSACTION READ ONLY",
            "COMMIT",
            "ROLLBACK TO SAVEPOINT a",
            "SAVEPOINT a",
            "RELEASE SAVEPOINT a",
            "XA START 'a'",
            "BEGIN; SELECT 1; COMMIT",
        ] {
            assert!(reads(sql), "{sql}");
        }
    }

    #[test]
    fn whatever_else_may_change_rows() {
        for sql in [
            "",
            " ; ",
            "INSERT INTO t VALUES (1)",
            "(INSERT INTO t VALUES (1))",
            "UPDATE t SET c = 1",
            "DELETE FROM t",
            "REPLACE INTO t SELECT 1",
            "LOAD DATA INFILE 'a' INTO TABLE t",
            "CALL p()",
            "EXECUTE s",
            "CREATE TABLE t AS SELECT 1",
            "ANALYZE TABLE t",
            "ANALYZE UPDATE t SET c = 1",
            "SELECT 1 INTO OUTFILE '/a'",
            "TABLE t INTO DUMPFILE '/a'",
            "(SELECT 1 INTO OUTFILE '/a')",
            "WITH a AS (SELECT 1) UPDATE t SET c = 1",
            "WITH a AS (SELECT 1) DELETE FROM t WHERE c IN (SELECT 1)",
            "WITH a AS (SELECT 1) SELECT * FROM a INTO OUTFILE '/a'",
            "EXPLAIN ANALYZE DELETE FROM t",
            "SET GLOBAL x = 1",
            "SET @@GLOBAL.x = 1",
            "SET PERSIST x = 1",
            "SET PASSWORD = 'a'",
            "SET STATEMENT max_statement_time = 1 FOR DELETE FROM t",
            "BEGIN NOT ATOMIC DELETE FROM t; END",
            "START REPLICA",
            "/*!50000 DELETE */ FROM t",
            "/*M! DELETE */ FROM t",
            "SELECT 1; DELETE FROM t",
            "SELECTED",
        ] {
            assert!(!reads(sql), "{sql}");
        }
    }
}
