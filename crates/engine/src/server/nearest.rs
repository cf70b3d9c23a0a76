//! What a statement of a person's own may have meant by a table or a column that the server does not have.

use assay_wire::{Connection, Row, Rows};
use assay_workload::nearest;

use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::server::ask::ask_rows;
use crate::server::login::Login;
use crate::server::notes::NO_TABLE;

/// The code of a server that knows no such column (ER_BAD_FIELD_ERROR).
const NO_COLUMN: u16 = 1054;

/// A name that the server does not have, and the question for those that it has, each after its table.
struct Missing {
    name: String,
    what: &'static str,
    question: String,
}

impl Missing {
    fn of(fatal: &Fatal) -> Option<Self> {
        let text = |value: &str| format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''"));
        match fatal.code? {
            NO_TABLE => {
                let (database, name) = quoted(&fatal.message, "Table '")?.split_once('.')?;
                let question = format!(
                    "SELECT TABLE_NAME, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = {}",
                    text(database)
                );
                Some(Self { name: name.to_owned(), what: "table", question })
            }
            NO_COLUMN => {
                let name = quoted(&fatal.message, "Unknown column '")?.rsplit('.').next()?;
                let question = "SELECT COLUMN_NAME, CONCAT(TABLE_NAME, '.', COLUMN_NAME) FROM \
                                information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()";
                Some(Self { name: name.to_owned(), what: "column", question: question.to_owned() })
            }
            _ => None,
        }
    }

    fn advice(&self, Names(names): &Names) -> Option<String> {
        let found = nearest(&self.name.to_lowercase(), names.iter().map(|(name, _)| name.as_str()))?;
        let (_, whole) = names.iter().find(|(name, _)| name == found)?;
        Some(format!("correct the name: the nearest {} is {whole}", self.what))
    }
}

/// What stands in quotes after some words of a message.
fn quoted<'a>(message: &'a str, before: &str) -> Option<&'a str> {
    message.rsplit_once(before)?.1.split('\'').next()
}

/// Names in lower case, each with the name in full.
#[derive(Default)]
struct Names(Vec<(String, String)>);

impl Rows for Names {
    fn row(&mut self, row: &Row<'_>) {
        let text = |column| row.bytes(column).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let (Some(name), Some(whole)) = (text(0), text(1)) {
            self.0.push((name.to_lowercase(), whole));
        }
    }
}

/// The advice for the error of a statement that names what is not there, where the server has something of nearly the same name.
pub(crate) async fn nearest_name(connection: &mut Connection<Socket>, fatal: &Fatal) -> Option<String> {
    let (missing, mut names) = (Missing::of(fatal)?, Names::default());
    connection.query(missing.question.as_bytes(), &mut names).await.ok()?;
    missing.advice(&names)
}

/// The error of a statement that a person has written, with that advice.
pub(crate) async fn with_nearest_name(connection: &mut Connection<Socket>, fatal: Fatal) -> Fatal {
    match nearest_name(connection, &fatal).await {
        Some(advice) => fatal.hint(advice),
        None => fatal,
    }
}

/// The advice of [`nearest_name`] for a statement whose connection is closed.
pub(crate) fn nearest_name_there(login: &Login, fatal: &Fatal) -> Option<String> {
    let (missing, mut names) = (Missing::of(fatal)?, Names::default());
    ask_rows(login, &missing.question, Some(login.timeout_ns()), &mut names).ok()?;
    missing.advice(&names)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::process::failure::Fatal;

    fn refused(code: u16, message: &str) -> Fatal {
        Fatal { code: Some(code), ..Fatal::job(message) }
    }

    #[rstest]
    #[case(1146, "a.sql:1:1: x: server error 1146 (42S02): Table 'shop.ordrs' doesn't exist", Some("ordrs"))]
    #[case(1054, "server error 1054 (42S22): Unknown column 'o.totl' in 'field list'", Some("totl"))]
    #[case(1054, "server error 1054 (42S22): Unknown column 'totl' in 'SELECT'", Some("totl"))]
    #[case(1064, "You have an error near 'Table 'a.b''", None)]
    fn a_name_that_is_missing_is_read(#[case] code: u16, #[case] said: &str, #[case] name: Option<&str>) {
        assert_eq!(Missing::of(&refused(code, said)).map(|found| found.name).as_deref(), name);
    }

    #[test]
    fn the_nearest_name_is_the_advice_and_a_far_one_is_none() {
        let advice =
            |said: &str, names: &Names| Missing::of(&refused(1146, said)).expect("a name").advice(names);
        let names = Names(vec![("orders".into(), "Orders".into()), ("customers".into(), "customers".into())]);
        let near = advice("Table 'shop.Ordrs' doesn't exist", &names);
        assert_eq!(near.as_deref(), Some("correct the name: the nearest table is Orders"));
        assert_eq!(advice("Table 'shop.xyz' doesn't exist", &names), None);
    }
}
