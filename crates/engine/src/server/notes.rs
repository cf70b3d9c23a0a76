//! The notes that `prepare` wrote into the database, read back before its tables are used.

use std::collections::BTreeMap;

use assay_wire::{Column, Row, Rows};
use assay_workload::{Description, Notes as Asked, Question};

use crate::process::failure::Fatal;
use crate::server::ask::ask_rows;
use crate::server::login::Login;
use crate::server::nearest::nearest_name_there;
use assay_format::event::ErrorKind;

/// The code of a server that knows no such table (ER_NO_SUCH_TABLE).
pub(crate) const NO_TABLE: u16 = 1146;

#[derive(Default)]
struct Notes(BTreeMap<String, String>);

impl Rows for Notes {
    fn row(&mut self, row: &Row<'_>) {
        let text = |column| row.bytes(column).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let (Some(name), Some(value)) = (text(0), text(1)) {
            self.0.insert(name, value);
        }
    }
}

/// Whether `prepare` has come to its end before: notes are the last thing that it writes.
///
/// # Errors
/// No login, the server refuses to say, or what `prepare` made there is not what is asked for now.
pub(crate) fn written(login: &Login, asked: &Asked) -> Result<bool, Fatal> {
    let Notes(found) = read(login, &asked.table)?;
    if found.is_empty() {
        return Ok(false);
    }
    let lasting = asked.rows.iter().filter(|(name, _)| asked.moving.as_ref() != Some(name));
    let note = |name: &str| found.get(name).map_or("", String::as_str);
    match lasting.into_iter().find(|(name, value)| note(name) != value) {
        None => Ok(true),
        Some((name, value)) => {
            let made = note(name);
            let message = format!("the tables are complete, but were made with {name} = {made}, not {value}");
            Err(Fatal::job(message)
                .hint("give the options of the existing tables, or run cleanup and prepare"))
        }
    }
}

/// Reads the notes of a table; empty where there is no such table.
fn read(login: &Login, table: &str) -> Result<Notes, Fatal> {
    let mut notes = Notes::default();
    match ask_rows(login, &format!("SELECT name, value FROM {table}"), Some(login.timeout_ns()), &mut notes) {
        Err(fatal) if fatal.code != Some(NO_TABLE) => Err(fatal),
        _ => Ok(notes),
    }
}

/// A taker behind a pointer.
struct Behind<'a>(&'a mut dyn Rows);

impl Rows for Behind<'_> {
    fn row(&mut self, row: &Row<'_>) {
        self.0.row(row);
    }

    fn columns(&mut self, columns: &[Column]) {
        self.0.columns(columns);
    }
}

/// Asks what the workload must know of the tables; returns why it cannot know all that it would like to. A large table takes its
/// time: nobody but a signal ends the reading.
///
/// # Errors
/// No login, or the server refuses what the workload cannot do without; its place is named.
pub(crate) fn ask_all(workload: &mut dyn Description, login: &Login) -> Result<Option<String>, Fatal> {
    let mut unanswered = None;
    for Question { sql, rows, place, optional } in workload.questions() {
        match ask_rows(login, &sql, None, &mut Behind(rows)) {
            Err(fatal) if optional && !fatal.interrupted => {
                unanswered.get_or_insert(fatal.message);
            }
            asked => asked.map_err(|fatal| match place {
                Some(place) => {
                    let advice = nearest_name_there(login, &fatal);
                    let placed = Fatal { message: format!("{place}: {}", fatal.message), ..fatal };
                    match advice {
                        Some(advice) => placed.hint(advice),
                        None => placed,
                    }
                }
                None => fatal,
            })?,
        }
    }
    Ok(unanswered)
}

fn answer(workload: &mut dyn Description, login: &Login) -> Result<(), Fatal> {
    if let Some(why) = ask_all(workload, login)? {
        workload.unanswered(why);
    }
    workload.answered().map_err(|error| Fatal::job(format!("workload: {error}")))
}

/// Hands the workload its notes, where it wants to know them. Tables without them are the workload's to judge: another tool may have made them.
///
/// # Errors
/// No login, or the tables are not those of the job.
pub(crate) fn learn(workload: &mut dyn Description, login: &Login) -> Result<(), Fatal> {
    answer(workload, login)?;
    let Some(table) = workload.data().notes().map(|notes| notes.table) else { return Ok(()) };
    let Some(learner) = workload.learner() else { return Ok(()) };
    let notes = read(login, &table)?;
    // Without notes there are no tables, or half of them: that is no fault of the job.
    let kind = if notes.0.is_empty() { ErrorKind::Server } else { ErrorKind::Job };
    learner.learn(&notes.0).map_err(|error| Fatal::new(kind, format!("workload: {error}")))
}
