//! A dump's files read once before anything is sent: its tables and what comes after the rows, and whether rows stand apart.

use std::collections::BTreeMap;

use assay_generate::quoted_name;
use assay_sql::Letters;

use crate::data::dump::databases::Made;
use crate::data::dump::extents::Extents;
use crate::data::dump::order::Order;
use crate::data::dump::read::{Input, Reached, Read, read};
use crate::data::dump::rewrite::Rewriting;
use crate::data::dump::roles::{DATABASES, Role};
use crate::process::failure::Fatal;
use crate::say::counted::counted;

/// Bytes of statements beside rows that are kept in memory; a dump with more is sent in order.
const KEPT_BYTES: usize = 256 << 20;

/// A statement of a dump with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub sql: Vec<u8>,
    /// File and line.
    pub place: String,
    /// How its quotes are read.
    pub letters: Letters,
}

impl Placed {
    /// The statement that makes a database where no file has one.
    pub(super) fn of_database(name: &str) -> Self {
        let sql = format!("CREATE DATABASE IF NOT EXISTS {}", quoted_name(name)).into_bytes();
        Self { sql, place: "the database of the tables:0".into(), letters: Letters::default() }
    }
}

/// What a dump consists of.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Settings before the first rows, which every connection with rows sends first.
    pub head: Vec<Placed>,
    /// Tables, and the settings around them; empty where the order matters.
    pub tables: Vec<Placed>,
    /// What comes after the rows, and the settings around it; empty where the order matters.
    pub last: Vec<Placed>,
    pub statements: u64,
    /// Statements of rows, and files of rows.
    pub rows: u64,
    /// Bytes of the longest statement of rows.
    pub longest_rows: usize,
    /// Where statements of rows stand.
    pub extents: Extents,
    /// The reason for which all is sent as it stands, over one connection.
    pub ordered: Option<String>,
    /// How many statements were left out, by what they are about.
    pub left_out: BTreeMap<&'static str, u64>,
    pub rewriting: Rewriting,
    /// Whether a statement that is sent as it is may change rows: one that is prepared, or a block of statements.
    pub acts: bool,
    /// Whether a statement has the client send a file.
    pub sends_files: bool,
    /// Statements of transactions and locks, which go only where the order matters.
    transactions: u64,
    /// By table, the statements that make its indexes after the rows.
    pub postponed: Vec<Vec<Placed>>,
    /// The database that the files say they are for, or the one of several that is wanted.
    pub database: Option<String>,
    /// The statement of the files that makes it.
    making: Option<Placed>,
}

impl Scan {
    /// # Errors
    /// A file cannot be read, or the files hold several databases.
    pub(super) fn of(
        inputs: &[Input],
        wanted: Option<&str>,
        rewriting: Rewriting,
        reached: &Reached,
        report: &mut dyn FnMut(),
    ) -> Result<Self, Fatal> {
        let mut scan = Self { rewriting, ..Self::default() };
        let mut order = Order::new(wanted);
        let mut kept = 0;
        read(inputs, &mut order, reached, &mut |read, order| {
            report();
            match read {
                Read::Rows { input } => {
                    scan.rows += 1;
                    scan.extents.give_up();
                    if scan.ordered.is_none() {
                        scan.ordered = order.before_file(input.name());
                    }
                }
                Read::Statement { role, facts, sql, file, line, in_file, local } => {
                    if role == Role::Rows {
                        scan.longest_rows = scan.longest_rows.max(sql.len());
                        scan.extents.add(&facts.table, in_file, sql.len(), (file, line));
                    }
                    scan.sends_files |= local.is_some();
                    scan.acts |= role == Role::Other && !facts.defines();
                    scan.take(role, sql, || format!("{file}:{line}"), order);
                    if !matches!(role, Role::Rows | Role::LeftOut(_)) {
                        kept += sql.len();
                    }
                }
            }
            if kept > KEPT_BYTES && scan.ordered.is_none() {
                scan.ordered = Some("what is not rows is larger than 256 MiB".into());
            }
            if scan.ordered.is_some() {
                scan.tables.clear();
                scan.last.clear();
                scan.extents.give_up();
            }
            Ok(true)
        })?;
        scan.database = order.databases.loaded(wanted)?;
        if let Some(Made { sql, place, .. }) =
            scan.database.as_deref().and_then(|name| order.databases.making(name))
        {
            let sql = scan.rewriting.rewritten(sql, Role::Table);
            scan.making = Some(Placed { sql, place: place.clone(), letters: Letters::default() });
        }
        Ok(scan)
    }

    fn take(&mut self, role: Role, sql: &[u8], place: impl Fn() -> String, order: &Order) {
        if let Role::LeftOut(what) = role {
            *self.left_out.entry(what).or_default() += 1;
            return;
        }
        self.statements += 1;
        self.rows += u64::from(role == Role::Rows);
        self.transactions += u64::from(role == Role::Transaction);
        if self.ordered.is_none() {
            self.ordered.clone_from(&order.matters);
        }
        if matches!(role, Role::Rows | Role::Transaction) || self.ordered.is_some() {
            return;
        }
        let sql = self.rewriting.rewritten(sql, role);
        let placed = Placed { sql, place: place(), letters: order.letters() };
        match role {
            // A definition on either side of the rows may stand between settings, or defaults of the database, that are
            // put back.
            Role::Setting => {
                if order.before_rows() {
                    self.head.push(placed.clone());
                }
                self.tables.push(placed.clone());
                self.last.push(placed);
            }
            Role::Defaults => {
                self.tables.push(placed.clone());
                self.last.push(placed);
            }
            Role::Table => self.tables.push(placed),
            _ => self.last.push(placed),
        }
    }

    /// The statement that makes the database: that of the files, which is then not left out, or another.
    pub(super) fn take_making(&mut self, database: &str) -> Placed {
        let Some(making) = self.making.take() else { return Placed::of_database(database) };
        self.left_out.entry(DATABASES).and_modify(|count| *count -= 1);
        self.left_out.retain(|_, count| *count > 0);
        making
    }

    /// What a person may want to know of how the files were sent, in sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let mut left_out = self.left_out.clone();
        if self.ordered.is_none() && self.transactions > 0 {
            left_out.insert("transactions and locks", self.transactions);
        }
        if !left_out.is_empty() {
            let each: Vec<String> = left_out
                .iter()
                .map(|(what, count)| format!("{} about {what}", counted(*count, "statement")))
                .collect();
            notes.push(format!("left out of the files: {}", each.join(", ")));
        }
        let Rewriting { definers, modes, collated, settings, .. } = self.rewriting;
        if definers > 0 {
            let text = counted(definers, "definer");
            notes.push(format!("left out {text}: views, triggers and routines belong to this account"));
        }
        if modes > 0 {
            notes.push(format!("left NO_AUTO_CREATE_USER out of {}", counted(modes, "sql_mode")));
        }
        if settings > 0 {
            let text = counted(settings, "statement");
            notes.push(format!("left settings of the server or of its replication out of {text}"));
        }
        if collated > 0 {
            notes.push(format!("replaced {} by others", counted(collated, "collation")));
        }
        let postponed = self.postponed.iter().map(Vec::len).sum::<usize>();
        if postponed > 0 {
            notes.push(format!("made indexes after the rows, by {}", counted(postponed as u64, "statement")));
        }
        if let Some(why) = &self.ordered {
            notes.push(format!("sent in order over one connection: {why}"));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn what_a_database_of_several_holds_is_taken_alone() {
        let text = "USE a;\nCREATE TABLE x (id INT);\nUSE b;\nCREATE TABLE y (id INT);\nINSERT INTO a.x VALUES (1);\nINSERT INTO b.y VALUES (1);\nCREATE VIEW a.v AS SELECT 1;\nCREATE VIEW v AS SELECT 1;\n";
        let inputs = [Input::Text { name: "two.sql".into(), text: text.into() }];
        let scan =
            Scan::of(&inputs, Some("b"), Rewriting::default(), &Reached::default(), &mut || ()).expect("b");
        let texts = |part: &[Placed]| part.iter().map(|one| one.place.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!((texts(&scan.tables), texts(&scan.last)), ("two.sql:4".into(), "two.sql:8".into()));
        assert_eq!((scan.rows, scan.left_out["other databases"]), (1, 3));
    }

    fn scan(text: &str) -> Result<Scan, Fatal> {
        let inputs = [Input::Text { name: "shop.sql".into(), text: text.into() }];
        Scan::of(&inputs, None, Rewriting::default(), &Reached::default(), &mut || ())
    }

    /// Lines of a file by the part in which they are sent.
    fn lines_of(text: &str) -> [Vec<u32>; 3] {
        let Scan { head, tables, last, ordered, .. } = scan(text).expect("a dump");
        assert_eq!(ordered, None);
        let line = |placed: &Placed| placed.place.rsplit(':').next()?.parse().ok();
        [head, tables, last].map(|part| part.iter().filter_map(line).collect())
    }

    #[rstest]
    #[case("b", "two.sql:4")]
    #[case("a", "two.sql:2 two.sql:5")]
    fn defaults_of_a_database_stand_on_either_side_of_its_rows(#[case] wanted: &str, #[case] expected: &str) {
        let text = "USE a;\nALTER DATABASE `A` COLLATE utf8mb4_bin;\nUSE b;\nALTER DATABASE COLLATE utf8mb4_bin;\nALTER DATABASE a COLLATE latin1_bin;\n";
        let inputs = [Input::Text { name: "two.sql".into(), text: text.into() }];
        let scan = Scan::of(&inputs, Some(wanted), Rewriting::default(), &Reached::default(), &mut || ());
        let scan = scan.expect("one of two");
        let texts = |part: &[Placed]| part.iter().map(|one| one.place.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!((texts(&scan.tables), texts(&scan.last)), (expected.to_owned(), expected.to_owned()));
    }

    #[test]
    fn rows_stand_apart_from_tables_and_what_comes_last() {
        let text = "SET NAMES utf8mb4;\nCREATE TABLE a (id INT);\nLOCK TABLES a WRITE;\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\nCREATE VIEW v AS SELECT 1;\n";
        assert_eq!(lines_of(text), [vec![1], vec![1, 2], vec![1, 6]]);
        let altered = "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nALTER TABLE s.a ADD KEY (id);\nCREATE TABLE b (id INT);\nINSERT INTO b VALUES (2);\n";
        assert_eq!(lines_of(altered), [vec![], vec![1, 4], vec![3]]);
        let two = "SET @OLD_X=@@X;\nCREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nSET @c = @@character_set_client;\nSET character_set_client = utf8mb4;\nCREATE TABLE b (id INT);\nSET character_set_client = @c;\nINSERT INTO b VALUES (2);\nSET X=@OLD_X;\n";
        assert_eq!(lines_of(two), [vec![1], vec![1, 2, 4, 5, 6, 7, 9], vec![1, 4, 5, 7, 9]]);
    }

    #[rstest]
    #[case("CREATE TABLE a (id INT)", None, None)]
    #[case("CREATE DATABASE Shop DEFAULT CHARSET latin1;\nCREATE TABLE a (id INT)", Some("Shop"), Some(1))]
    #[case("CREATE DATABASE a;\nCREATE DATABASE b;\nCREATE TABLE a (id INT)", None, None)]
    #[case(
        "DROP DATABASE old;\nUSE `Shop`;\nDROP TABLE old.a;\nCREATE TABLE shop.a (id INT)",
        Some("Shop"),
        None
    )]
    #[case("CREATE SCHEMA IF NOT EXISTS other;\nINSERT INTO Shop.a VALUES (1),(2)", Some("Shop"), None)]
    #[case("CREATE DATABASE IF NOT EXISTS `Shop`;\nUSE mysql;\nUSE `Shop`", Some("Shop"), Some(1))]
    fn a_dump_is_for_the_only_database_that_it_names(
        #[case] text: &str,
        #[case] name: Option<&str>,
        #[case] line: Option<u32>,
    ) {
        let scan = scan(text).expect("a dump");
        assert_eq!(scan.database.as_deref(), name);
        assert_eq!(scan.making.map(|one| one.place), line.map(|line| format!("shop.sql:{line}")));
    }

    #[rstest]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nSET @i = LAST_INSERT_ID();\nINSERT INTO a VALUES (@i)"
    )]
    #[case("CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nDELETE FROM a;\nINSERT INTO a VALUES (2)")]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES ('x');\nSET NAMES latin1;\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nINSERT INTO a SELECT id FROM a;\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nDROP TABLE a;\nCREATE TABLE a (x INT);\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nCREATE TABLE b (a INT REFERENCES a (id));\nINSERT INTO a VALUES (1);\nINSERT INTO b VALUES (1)"
    )]
    #[case("CREATE TABLE a (id INT);\nDROP TABLE a;\nCREATE TABLE a (x INT)")]
    #[case("CREATE TABLE a (id INT);\nALTER TABLE a ADD b INT;\nINSERT INTO a VALUES (1, 2)")]
    #[case("CREATE TABLE a (id INT);\nALTER TABLE a RENAME TO b;\nINSERT INTO b VALUES (1)")]
    #[case(
        "CREATE TABLE a (id INT);\nALTER TABLE a ADD b INT;\nCREATE TABLE b LIKE a;\nINSERT INTO b VALUES (1, 2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nALTER TABLE a ADD UNIQUE (id);\nCREATE TABLE b (a INT REFERENCES a (id))"
    )]
    #[case("CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nCREATE OR REPLACE TABLE a (x INT)")]
    #[case("CREATE TABLE \"a\" (\"id\" INT AUTO_INCREMENT KEY, b INT);\nINSERT INTO \"a\" VALUES (NULL, 7)")]
    #[case(
        "CREATE TABLE s.a (id INT);\nCREATE TRIGGER s.t AFTER INSERT ON s.a FOR EACH ROW SET @x = 1;\nINSERT INTO s.a VALUES (1)"
    )]
    #[case("CREATE TABLE a (id INT);\nCREATE TABLE b AS SELECT * FROM a;\nINSERT INTO b VALUES (1)")]
    #[case("CREATE TABLE a (id INT AUTO_INCREMENT KEY, b INT);\nINSERT INTO a (b) VALUES (7)")]
    #[case(
        "CREATE TABLE a (id INT);\nCREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW SET @x = 1;\nINSERT INTO a VALUES (1)"
    )]
    fn what_depends_on_order_is_sent_as_it_stands(#[case] text: &str) {
        let scan = scan(text).expect("a dump");
        assert!(scan.ordered.is_some());
        assert_eq!((scan.tables, scan.last), (Vec::new(), Vec::new()));
    }

    #[test]
    fn files_that_are_no_dump_of_one_database_are_refused() {
        let refused = scan("SELECT 1;\nINSERT INTO a VALUES ('x").expect_err("refused");
        assert!(refused.message.starts_with("shop.sql:2: "), "{}", refused.message);
        let two = "USE a;\nCREATE TABLE a (id INT);\nUSE mysql;\nINSERT INTO user VALUES (1);\nUSE b;\n";
        assert!(scan(two).expect_err("refused").message.contains("databases: a, b"));
        let server = scan(&two.replace("USE b;\n", "")).expect("one database");
        assert_eq!(server.left_out["databases of the server itself"], 1);
        let wanted = |name| {
            let inputs = [Input::Text { name: "two.sql".into(), text: two.into() }];
            Scan::of(&inputs, Some(name), Rewriting::default(), &Reached::default(), &mut || ())
        };
        assert!(wanted("c").expect_err("refused").message.contains("no database c, but a, b"));
        assert_eq!(wanted("B").expect("one of two").tables, Vec::new());
    }
}
