//! Tables that refer to others that are made after them: of several files the order is nobody's. And names of tables that
//! differ by the case of their letters, which servers of Windows and macOS do not tell apart.

use assay_wire::{Connection, Discard, Error, Row, Rows};

use crate::data::dump::carry::Warning;
use crate::data::dump::objects::{is_word, objects, solid};
use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;

/// `ER_CANT_CREATE_TABLE`, `ER_CANNOT_ADD_FOREIGN`, `ER_FK_CANNOT_OPEN_PARENT`: what servers say of a table that is not there.
const NOT_THERE: [u16; 3] = [1005, 1215, 1824];
/// `ER_NO_REFERENCED_ROW_2`: also where the table that a row refers to is not there.
const NO_ROW: u16 = 1452;
/// `ER_NO_SUCH_TABLE`.
const NO_TABLE: u16 = 1146;
/// References to tables that are not there.
const UNMET: &str = "SELECT k.TABLE_NAME, k.REFERENCED_TABLE_NAME, (SELECT MAX(a.TABLE_NAME) FROM information_schema.TABLES a \
    WHERE a.TABLE_SCHEMA = k.REFERENCED_TABLE_SCHEMA AND LOWER(a.TABLE_NAME) = LOWER(k.REFERENCED_TABLE_NAME)) \
    FROM information_schema.KEY_COLUMN_USAGE k WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_NAME IS NOT NULL AND NOT \
    EXISTS (SELECT 1 FROM information_schema.TABLES t WHERE t.TABLE_SCHEMA = k.REFERENCED_TABLE_SCHEMA AND \
    BINARY t.TABLE_NAME = BINARY k.REFERENCED_TABLE_NAME)";

/// Tables of one connection that were made before those that they refer to.
#[derive(Default)]
pub(super) struct Ahead {
    /// Names of tables in lower case, with what the server said of them first.
    refused: Vec<(String, Fatal)>,
}

impl Ahead {
    /// Sends a definition again, without a look at what it refers to, if the server has refused it for that.
    ///
    /// # Errors
    /// `refused`, where that was not why; of rows, the table that refers to none.
    pub(super) async fn again(
        &mut self,
        connection: &mut Connection<Socket>,
        sql: &[u8],
        code: Option<u16>,
        refused: Fatal,
    ) -> Result<(), Fatal> {
        if code == Some(NO_TABLE) {
            return Err(with_table_alike(connection, refused).await);
        }
        if code == Some(NO_ROW) {
            self.end(connection).await?;
        }
        let refers = refers(sql);
        // A table that others refer to already may get its keys by a later statement.
        let of_order =
            code.is_some_and(|code| NOT_THERE.contains(&code)) && (refers || !self.refused.is_empty());
        let Some(table) = objects(sql).into_iter().next().filter(|_| of_order) else { return Err(refused) };
        let Err(error) = self.unchecked(connection, sql).await else {
            if refers {
                self.refused.push((table.name, refused));
            }
            return Ok(());
        };
        // What is wrong with which key, MariaDB says in a warning before the error.
        let mut first = Warning::default();
        let _ = connection.query(b"SHOW WARNINGS LIMIT 1", &mut first).await;
        let known = first.0.is_empty() || error.to_string().contains(&first.0);
        Err(if known { refused } else { refused.hint(first.0) })
    }

    async fn unchecked(&self, connection: &mut Connection<Socket>, sql: &[u8]) -> Result<(), Error> {
        connection.query(b"SET foreign_key_checks = 0", &mut Discard).await?;
        connection.query(sql, &mut Discard).await?;
        // Without checks it would not have been refused.
        connection.query(b"SET foreign_key_checks = 1", &mut Discard).await?;
        Ok(())
    }

    /// Looks whether what the tables refer to has come.
    ///
    /// # Errors
    /// What the server said first of a table that refers to none.
    pub(super) async fn end(&mut self, connection: &mut Connection<Socket>) -> Result<(), Fatal> {
        if self.refused.is_empty() {
            return Ok(());
        }
        let mut unmet = Unmet::default();
        let answered = connection.query(UNMET.as_bytes(), &mut unmet).await;
        answered.map_err(|error| Fatal::statement("cannot read the foreign keys", &error))?;
        for (table, refused) in self.refused.drain(..) {
            let Some((_, other, alike)) = unmet.0.iter().find(|one| one.0.to_lowercase() == table) else {
                continue;
            };
            return Err(refused.hint(match alike {
                Some(alike) => format!("it refers to {other}, and {}", another(alike)),
                None => format!(
                    "it refers to {other}, which no statement before makes: name the folder of all files of the dump, with the file \
                     that makes {other} first, or leave the foreign key out"
                ),
            }));
        }
        Ok(())
    }
}

/// The error of a statement that names a table which is not there, with advice where one of the same letters is.
async fn with_table_alike(connection: &mut Connection<Socket>, refused: Fatal) -> Fatal {
    let Some(name) = missing_table(&refused.message) else { return refused };
    let sql = format!(
        "SELECT '', '', MAX(TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND LOWER(TABLE_NAME) = \
         LOWER('{}')",
        name.replace('\\', "\\\\").replace('\'', "''")
    );
    let mut found = Unmet::default();
    let _ = connection.query(sql.as_bytes(), &mut found).await;
    match found.0.pop() {
        Some((_, _, Some(alike))) => refused.hint(another(&alike)),
        _ => refused,
    }
}

/// The table of a message `Table 'shop.a' doesn't exist`.
fn missing_table(message: &str) -> Option<&str> {
    let (_, after) = message.rsplit_once("Table '")?;
    Some(after.split_once("' ")?.0.split_once('.')?.1)
}

fn another(alike: &str) -> String {
    format!(
        "the files make {alike}, which is another table to this server: write both alike, or set lower_case_table_names = 1 in \
         [server.variables]"
    )
}

/// Whether a statement defines a foreign key.
fn refers(sql: &[u8]) -> bool {
    let mut tokens = solid(sql);
    tokens.next().is_some_and(|first| is_word(&first, &["CREATE", "ALTER"]))
        && tokens.any(|token| is_word(&token, &["REFERENCES"]))
}

/// Tables, the ones that they refer to and that are not there, and one of the same letters.
#[derive(Default)]
struct Unmet(Vec<(String, String, Option<String>)>);

impl Rows for Unmet {
    fn row(&mut self, row: &Row<'_>) {
        let text = |column| row.bytes(column).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let (Some(table), Some(other)) = (text(0), text(1)) {
            self.0.push((table, other, text(2)));
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("CREATE TABLE a (b INT REFERENCES c (id))", true)]
    #[case("/*!40101 ALTER TABLE a ADD FOREIGN KEY (b) references c (id) */", true)]
    #[case("CREATE TABLE a (b TEXT DEFAULT ' REFERENCES ')", false)]
    #[case("INSERT INTO a SELECT 1", false)]
    fn a_definition_with_a_foreign_key_refers(#[case] sql: &str, #[case] expected: bool) {
        assert_eq!(refers(sql.as_bytes()), expected);
    }
}
