//! Whether a server takes the statements of a file, and has what they draw from: each is prepared, and none is carried out.

use assay_format::event::{ActionResult, Event};
use assay_format::job::Job;
use assay_wire::Error;
use assay_workload::Description;

use crate::data::pool::work_off;
use crate::load::own_file;
use crate::load::session::travels_as_text;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal::INTERRUPTED;
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::say::counted::counted;
use crate::say::emit::emit;
use crate::server::login::{Login, Purpose};
use crate::server::nearest::with_nearest_name;
use crate::server::notes::ask_all;

/// Carries out `check` of a job whose workload is a file of statements; returns the exit code.
///
/// # Errors
/// The file is wrong, no login, or the server refuses a statement; the first is named, and the places of others.
pub(crate) fn check(job: &Job, clock: Clock) -> Result<i32, Fatal> {
    let mut own = own_file::own(&job.workload, job.seed)?;
    let login = Login::new(&job.target, Purpose { own: true, ..Purpose::default() })?;
    ask_all(&mut own, &login)?;
    let statements = own.statements();
    let whole = work_off(
        &login,
        clock,
        1,
        vec![()],
        |_, mut connection, ()| async move {
            for sql in statements.setup() {
                let failed = |error| Fatal::statement(&format!("cannot begin (`{sql}`)"), &error);
                connection.run(sql).await.map_err(failed)?;
            }
            let listed = statements.list();
            let answers = connection.prepare_all(listed.iter().map(|one| one.sql.as_str())).await;
            let answers =
                answers.map_err(|error| Fatal::statement("cannot prepare the statements", &error))?;
            let uses_made = assay_sql::uses_made(listed.iter().map(|one| one.sql.as_bytes()));
            let refused =
                listed.iter().zip(answers).zip(uses_made).filter_map(|((one, answer), uses_made)| {
                    let error = answer.err().filter(|error| !travels_as_text(Some(error.code), uses_made))?;
                    Some((one.place.as_deref().unwrap_or(&one.sql), Error::Server(error)))
                });
            let refused: Vec<_> = refused.collect();
            let Some((place, error)) = refused.first() else { return Ok(connection) };
            let mut fatal = Fatal::of_load(Some(place), error);
            fatal = with_nearest_name(&mut connection, fatal).await;
            let others: Vec<&str> = refused[1..].iter().map(|(place, _)| *place).collect();
            if !others.is_empty() {
                let many = counted(others.len() as u64, "statement");
                fatal.message = format!("{}; it refuses {many} more: {}", fatal.message, others.join(", "));
            }
            Err(fatal)
        },
        |_| {},
    )?;
    if !whole {
        return Ok(INTERRUPTED);
    }
    let mut engine = engine_use();
    engine.rss_bytes = peak_resident_bytes();
    emit(&Event::Done(ActionResult::new("check", clock.now() as f64 / 1e9, engine)));
    Ok(0)
}
