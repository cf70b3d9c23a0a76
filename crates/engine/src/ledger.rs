//! The ledger of acknowledged commits: one line each, `kind key…`, written by `run`, looked for by `check`.
//!
//! An event loop appends to a page of its own memory and sends it on; the conductor alone touches the file. Where the
//! engine itself is killed, entries of the last interval may be missing, and a last line may be cut short: fewer promises
//! are kept than were made, never more.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use assay_workload::{Check, ENTRY_MAX, Ledger, LedgerEntry, LedgerId};

use crate::process::failure::Fatal;

/// Bytes from which on a page is sent to the conductor.
const PAGE_BYTES: usize = 64 << 10;
/// Entries that one query of `check` looks for.
const ROWS: usize = 500;

/// The lines of one event loop that were not sent to the conductor yet.
#[derive(Debug)]
pub(crate) struct Page {
    ledgers: Arc<[Ledger]>,
    text: String,
}

impl Page {
    pub(crate) fn new(ledgers: Arc<[Ledger]>) -> Self {
        Self { ledgers, text: String::new() }
    }

    /// Appends a line; true when the page is full.
    pub(crate) fn add(&mut self, entry: &LedgerEntry) -> bool {
        let ledger = &self.ledgers[usize::from(entry.ledger.0)];
        self.text.push_str(&ledger.kind);
        for number in &entry.key[..ledger.key.len()] {
            // Writing to memory does not fail.
            let _ = write!(self.text, " {number}");
        }
        self.text.push('\n');
        self.text.len() >= PAGE_BYTES
    }

    /// Takes the lines of the page, and leaves it empty; `None` when it is empty already.
    pub(crate) fn take(&mut self) -> Option<String> {
        (!self.text.is_empty()).then(|| std::mem::take(&mut self.text))
    }
}

/// The ledger file of a run, as the conductor writes it.
pub(crate) struct Book {
    file: File,
    path: String,
}

impl Book {
    /// Begins the file, with a line for each kind of entry that names its columns. A file that holds such a beginning and
    /// nothing else, as a run leaves it that ended before its first commit, is taken as an empty one. Whatever else a file
    /// holds is evidence, and stays.
    ///
    /// # Errors
    /// The workload keeps no ledger, the file holds something, or it cannot be read and written.
    pub(crate) fn create(path: &Path, workload: &str, ledgers: &[Ledger]) -> Result<Self, Fatal> {
        kept(workload, ledgers)?;
        let name = path.display().to_string();
        let header = header(ledgers);
        let open = || {
            let file = File::options().read(true).append(true).create(true).open(path)?;
            let mut held = Vec::new();
            // A pipe holds nothing, and whoever read it would wait.
            if file.metadata()?.len() > 0 {
                (&file).take(header.len() as u64 + 1).read_to_end(&mut held)?;
            }
            Ok((held, file))
        };
        let (held, file) = open().map_err(|error| unwritten(&name, &error))?;
        let Some(rest) = header.as_bytes().strip_prefix(&held[..]) else {
            let message = format!("engine.ledger: {name} exists already: a run would overwrite it");
            return Err(Fatal::job(message).hint("check it, then remove it, or name another"));
        };
        let mut book = Self { file, path: name };
        book.write(rest)?;
        Ok(book)
    }

    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&mut self, page: impl AsRef<[u8]>) -> Result<(), Fatal> {
        self.file.write_all(page.as_ref()).map_err(|error| unwritten(&self.path, &error))
    }
}

/// The heading of a ledger file: a line for each kind of entry.
fn header(ledgers: &[Ledger]) -> String {
    ledgers.iter().map(|ledger| format!("# {} {}\n", ledger.kind, ledger.key.join(" "))).collect()
}

fn unwritten(path: &str, error: &std::io::Error) -> Fatal {
    Fatal::host(format!("engine.ledger: {path} cannot be written: {error}"))
}

fn kept(workload: &str, ledgers: &[Ledger]) -> Result<(), Fatal> {
    if ledgers.is_empty() {
        return Err(Fatal::job(format!("engine.ledger: workload {workload} keeps no ledger")));
    }
    Ok(())
}

/// The commits that a ledger's file promises, as queries that look for them.
#[derive(Debug, Default)]
pub(crate) struct Promised {
    /// The queries that look for every entry.
    pub checks: Vec<Check>,
    pub entries: Entries,
}

/// The number of entries that each kind of check looks for, by the check's name: 0 is said, not passed over.
pub(crate) type Entries = BTreeMap<Arc<str>, usize>;

/// Reads a ledger's file. A last line that was cut short is no entry.
///
/// # Errors
/// The workload keeps no ledger; the file cannot be read, does not begin as a ledger does, or a line of it is no entry;
/// the message names it.
pub(crate) fn promised(path: &Path, workload: &str, ledgers: &[Ledger]) -> Result<Promised, Fatal> {
    kept(workload, ledgers)?;
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Fatal::job(format!("engine.ledger: {name} cannot be read: {error}")))?;
    let header = header(ledgers);
    if !text.starts_with(&header) {
        let message =
            format!("engine.ledger: {name} is not a ledger of {workload}: it does not start with {header:?}");
        return Err(Fatal::job(message).hint("name the file that run --ledger wrote"));
    }
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut entries = BTreeSet::new();
    for (line, number) in whole.lines().zip(1..) {
        if !line.starts_with('#') {
            let entry = parse(line, ledgers).map_err(|why| {
                Fatal::job(format!(
                    "engine.ledger: {name}, line {number}: {line:?} is not an entry of {workload}: {why}"
                ))
            })?;
            entries.insert(entry);
        }
    }
    let mut promised = Promised::default();
    for (id, ledger) in (0..).map(LedgerId).zip(ledgers) {
        let of_kind: Vec<&LedgerEntry> = entries.iter().filter(|entry| entry.ledger == id).collect();
        promised.entries.insert(ledger.check.clone(), of_kind.len());
        let parts: Vec<&[&LedgerEntry]> =
            if of_kind.is_empty() { vec![&[]] } else { of_kind.chunks(ROWS).collect() };
        promised.checks.extend(parts.into_iter().map(|part| Check {
            name: ledger.check.clone(),
            title: ledger.title.clone(),
            sql: absent(ledger, part),
        }));
    }
    Ok(promised)
}

fn parse(line: &str, ledgers: &[Ledger]) -> Result<LedgerEntry, String> {
    let mut words = line.split(' ');
    let kind = words.next().unwrap_or_default();
    let Some(place) = ledgers.iter().position(|ledger| *ledger.kind == *kind) else {
        let known: Vec<_> = ledgers.iter().map(|ledger| &*ledger.kind).collect();
        return Err(format!("a line begins with {}", known.join(" or ")));
    };
    let columns = &ledgers[place].key;
    let numbers: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    if numbers.len() != columns.len() || line.split(' ').count() != columns.len() + 1 {
        return Err(format!("{kind} is followed by whole numbers for {}", columns.join(", ")));
    }
    let mut key = [0; ENTRY_MAX];
    key[..numbers.len()].copy_from_slice(&numbers);
    Ok(LedgerEntry { ledger: LedgerId(place as u8), key })
}

/// Finds the entries that the table lacks. Servers without row constructors in the right place have UNION.
fn absent(ledger: &Ledger, entries: &[&LedgerEntry]) -> String {
    let Ledger { table, key, .. } = ledger;
    let tuple = |numbers: &[u64], names: bool| -> String {
        let parts = numbers.iter().zip(key);
        let words: Vec<String> = parts
            .map(|(number, column)| if names { format!("{number} AS {column}") } else { number.to_string() })
            .collect();
        format!("SELECT {}", words.join(", "))
    };
    if entries.is_empty() {
        return format!("SELECT 1 FROM {table} WHERE 1 = 0");
    }
    let rows: Vec<String> =
        entries.iter().enumerate().map(|(place, entry)| tuple(&entry.key[..key.len()], place == 0)).collect();
    let columns: Vec<String> = key.iter().map(|column| format!("promised.{column}")).collect();
    let same: Vec<String> = key.iter().map(|column| format!("there.{column} = promised.{column}")).collect();
    format!(
        "SELECT {} FROM ({}) promised LEFT JOIN {table} there ON {} WHERE there.{} IS NULL",
        columns.join(", "),
        rows.join(" UNION ALL "),
        same.join(" AND "),
        key[0],
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn ledgers() -> Arc<[Ledger]> {
        Arc::new([Ledger {
            kind: "order".into(),
            check: "ledger-order".into(),
            title: "every order is there".into(),
            table: "orders".into(),
            key: vec!["w".into(), "o".into()],
        }])
    }

    fn entry(w: u64, o: u64) -> LedgerEntry {
        LedgerEntry { ledger: LedgerId(0), key: [w, o, 0, 0] }
    }

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("assay-ledger-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_is_written_is_looked_for() {
        let path = file("written");
        let mut book = Book::create(&path, "shop", &ledgers()).unwrap_or_else(|_| panic!("a file"));
        let mut page = Page::new(ledgers());
        assert_eq!(page.take(), None);
        assert!(!page.add(&entry(1, 3001)) && !page.add(&entry(2, 7)));
        let text = page.take().expect("two lines");
        assert_eq!(text, "order 1 3001\norder 2 7\n");
        // Cut short: the engine was killed while it wrote.
        assert!(book.write(&text).is_ok() && book.write("order 1 30").is_ok());
        let found = promised(&path, "shop", &ledgers());
        std::fs::remove_file(&path).expect("the file");
        let Ok(Promised { checks, entries }) = found else { panic!("it can be read") };
        assert_eq!(entries, BTreeMap::from([("ledger-order".into(), 2)]));
        assert_eq!(checks.len(), 1);
        assert_eq!(
            checks[0].sql,
            "SELECT promised.w, promised.o FROM (SELECT 1 AS w, 3001 AS o UNION ALL SELECT 2, 7) promised LEFT JOIN \
             orders there ON there.w = promised.w AND there.o = promised.o WHERE there.w IS NULL"
        );
    }

    #[test]
    fn a_file_without_entries_is_begun_and_any_other_stays() {
        const BEGUN: &str = "# order w o\n";
        let path = file("held");
        for (held, left) in [
            ("", Some(BEGUN)),
            // The engine was killed while it began the file.
            ("# ord", Some(BEGUN)),
            (BEGUN, Some(BEGUN)),
            ("# order w o\norder 1 2\n", None),
            ("# order w o\n#", None),
            ("# payment w\n", None),
            ("a letter", None),
        ] {
            std::fs::write(&path, held).expect("a file");
            let begun = Book::create(&path, "shop", &ledgers());
            let kept = std::fs::read_to_string(&path);
            std::fs::remove_file(&path).expect("the file");
            assert_eq!(kept.expect("text"), left.unwrap_or(held), "{held:?}");
            match begun {
                Ok(_) => assert!(left.is_some(), "{held:?}"),
                Err(refused) => {
                    assert!(left.is_none(), "{held:?}");
                    assert!(refused.message.ends_with("exists already: a run would overwrite it"));
                }
            }
        }
    }

    #[test]
    fn a_file_that_no_run_began_is_no_ledger() {
        let path = file("strange");
        let read = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            promised(&path, "shop", &ledgers()).map(|promised| promised.entries["ledger-order"])
        };
        let found = ["", "order 1 2\n", "# order w\n", "# order w o\n"].map(read);
        std::fs::remove_file(&path).expect("the file");
        let [nothing, headless, other, fresh] = found;
        for refused in [nothing, headless, other] {
            let message = refused.expect_err("no ledger").message;
            assert!(message.contains("is not a ledger of shop"), "{message}");
        }
        assert!(matches!(fresh, Ok(0)));
    }

    #[test]
    fn a_line_that_is_no_entry_is_refused() {
        for (line, why) in [
            ("payment 1 2", "a line begins with order"),
            ("order 1", "order is followed by whole numbers for w, o"),
            ("order 1 2 3", "order is followed by whole numbers for w, o"),
            ("order 1 -2", "order is followed by whole numbers for w, o"),
        ] {
            assert_eq!(parse(line, &ledgers()), Err(why.to_owned()), "{line}");
        }
        assert_eq!(parse("order 1 2", &ledgers()), Ok(entry(1, 2)));
        assert!(kept("shop", &[]).is_err());
    }

    #[test]
    fn a_page_says_when_it_is_full() {
        let mut page = Page::new(ledgers());
        let lines = (0..u64::MAX).take_while(|number| !page.add(&entry(1, *number))).count();
        assert!(
            page.take().is_some_and(|text| text.len() >= PAGE_BYTES && text.lines().count() == lines + 1)
        );
    }
}
