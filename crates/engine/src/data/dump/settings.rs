//! The assignments of a statement `SET`, each with whom it concerns.

use assay_sql::{Kind, Opened};

/// Whom an assignment concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The session: its variables, and variables of the user.
    Session,
    /// Whether each statement is a transaction.
    Autocommit,
    /// Binary log and replication, in the session too.
    Replication,
    Server,
    Accounts,
}

/// One assignment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    /// Its tokens in lower case.
    pub words: Vec<String>,
    pub scope: Scope,
    /// The offsets of its text in the statement.
    pub from: usize,
    pub to: usize,
}

impl Assignment {
    pub(super) fn is_of_session(&self) -> bool {
        self.scope == Scope::Session
    }
}

/// The assignments of a statement, in order.
pub(super) fn assignments(sql: &[u8]) -> Vec<Assignment> {
    let (mut found, mut depth, mut begun, mut whole) = (Vec::new(), 0, false, true);
    for token in Opened::new(sql) {
        match (token.kind, token.text) {
            (Kind::Space | Kind::Comment | Kind::Code, _) => continue,
            _ if !begun => {
                begun = true;
                continue;
            }
            (_, b"(") => depth += 1,
            (_, b")") => depth -= 1,
            (_, b",") if depth == 0 => {
                whole = true;
                continue;
            }
            _ => {}
        }
        let word = String::from_utf8_lossy(token.text).to_lowercase();
        if std::mem::take(&mut whole) {
            found.push(Assignment { words: Vec::new(), scope: Scope::Session, from: token.at, to: 0 });
        }
        if let Some(one) = found.last_mut() {
            // A quoted name is a token of its own: @@session.`sql_mode`.
            match one.words.last_mut().filter(|last| last.starts_with("@@") && last.ends_with('.')) {
                Some(last) => last.push_str(word.trim_matches('`')),
                None => one.words.push(word),
            }
            one.to = token.at + token.text.len();
        }
    }
    // A key word GLOBAL or SESSION is for those after it too (MySQL manual, "SET Syntax for Variable Assignment").
    let mut of_server = false;
    for one in &mut found {
        let words: Vec<&str> = one.words.iter().map(String::as_str).collect();
        one.scope = scope(&words, &mut of_server);
    }
    found
}

fn scope(words: &[&str], of_server: &mut bool) -> Scope {
    let (first, target) = match words {
        [first @ ("global" | "persist" | "persist_only"), target, ..] => {
            *of_server = true;
            (*first, *target)
        }
        [first @ ("session" | "local"), target, ..] => {
            *of_server = false;
            (*first, *target)
        }
        [first, ..] => (*first, *first),
        [] => return Scope::Session,
    };
    let name = target.trim_start_matches("@@").trim_matches('`');
    let (named_scope, name) = name.split_once('.').unwrap_or(("", name));
    match name.trim_matches('`') {
        _ if target.starts_with('@') && !target.starts_with("@@") => Scope::Session,
        "sql_log_bin" | "gtid_purged" => Scope::Replication,
        _ if matches!(named_scope, "global" | "persist" | "persist_only") => Scope::Server,
        _ if *of_server && !matches!(named_scope, "session" | "local") => Scope::Server,
        "autocommit" => Scope::Autocommit,
        "password" | "role" => Scope::Accounts,
        "default" if words.get(1) == Some(&"role") => Scope::Accounts,
        _ if first == "global" => Scope::Server,
        _ => Scope::Session,
    }
}

/// The statement with the assignments that are `kept`; `None` where it has no others.
pub(super) fn only(sql: &[u8], kept: impl Fn(Scope) -> bool) -> Option<Vec<u8>> {
    let all = assignments(sql);
    let (first, last) = (all.first()?, all.last()?);
    if all.iter().all(|one| kept(one.scope)) {
        return None;
    }
    let texts: Vec<&[u8]> =
        all.iter().filter(|one| kept(one.scope)).map(|one| &sql[one.from..one.to]).collect();
    Some([&sql[..first.from], &texts.join(&b", "[..]), &sql[last.to..]].concat())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("SET @x = 1, GLOBAL y = f(2, 3), z = 4, SESSION w = 5", "Session Server Server Session")]
    #[case("/*!80000 SET @@GLOBAL.GTID_PURGED='a', @@session.`sql_log_bin`= 0 */", "Replication Replication")]
    #[case("SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN", "Session")]
    #[case("SET unique_checks=0, SESSION autocommit = 0", "Session Autocommit")]
    #[case("SET NAMES utf8, @@persist.a = 1", "Session Server")]
    #[case("SET DEFAULT ROLE a TO b", "Accounts")]
    fn each_assignment_concerns_somebody(#[case] sql: &str, #[case] expected: &str) {
        let scopes: Vec<String> =
            assignments(sql.as_bytes()).iter().map(|one| format!("{:?}", one.scope)).collect();
        assert_eq!(scopes.join(" "), expected);
    }

    #[test]
    fn some_assignments_of_a_statement_are_kept() {
        let kept = |sql: &str| {
            only(sql.as_bytes(), |scope| scope == Scope::Session)
                .map(|text| String::from_utf8(text).expect("UTF-8"))
        };
        assert_eq!(
            kept("/*!40101 SET @x = 1, GLOBAL y = 2, SESSION z = 3 */").as_deref(),
            Some("/*!40101 SET @x = 1, SESSION z = 3 */")
        );
        assert_eq!(kept("SET @x = 1"), None);
    }
}
