//! The preflight of a load: whether the server, and this machine, have room for it.

use crate::process::descriptors::allow_descriptors;
use crate::process::failure::Fatal;
use crate::server::ask::ask;
use crate::server::login::Login;
use assay_format::event::ErrorKind;
use assay_format::job::PsMode;

/// The needs of a run: what the server and this machine must have room for.
pub(crate) struct Needs {
    /// Connections of this engine, and of all generators that load the server together.
    pub connections: u32,
    pub of_all: u32,
    pub statements: usize,
    pub ps_mode: PsMode,
}

/// Compares what is needed with what there is.
///
/// # Errors
/// No login, or a limit of the server or of this process is too low; the message names it.
pub(crate) fn preflight(login: &Login, needs: &Needs) -> Result<(), Fatal> {
    allow_descriptors(needs.connections.into(), "connections")
        .map_err(|fatal| fatal.hint("raise the limit (ulimit -Hn), or use fewer threads"))?;
    let limits = ask(login, "SELECT @@max_connections, @@max_prepared_stmt_count", Some(login.timeout_ns()))?;
    let [max_connections, max_prepared] = limits[..] else {
        let message = "the server did not say its max_connections and max_prepared_stmt_count";
        return Err(Fatal::new(ErrorKind::Server, message));
    };
    if i64::from(needs.of_all) > max_connections {
        return Err(Fatal::job(format!(
            "{} connections are needed, but the server allows {max_connections}",
            needs.of_all
        ))
        .hint("raise max_connections at the server, or use fewer threads"));
    }
    let prepared = i64::from(needs.of_all) * needs.statements as i64;
    if needs.ps_mode == PsMode::Auto && prepared > max_prepared {
        return Err(Fatal::job(format!(
            "{} connections with {} prepared statements each need {prepared}, but the server allows \
            {max_prepared}",
            needs.of_all, needs.statements
        ))
        .hint(
            "raise max_prepared_stmt_count at the server, use fewer tables or threads, or --ps-mode disable",
        ));
    }
    Ok(())
}
