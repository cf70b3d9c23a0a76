//! The preflight of a load: whether the server, and this machine, have room for it.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::process::descriptors::allow_descriptors;
use crate::process::failure::Fatal;
use crate::server::ask::{Inquiry, Numbers};
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
pub(crate) fn preflight(
    inquiry: &mut Inquiry<impl Deref<Target = Login>>,
    needs: &Needs,
) -> Result<(), Fatal> {
    allow_descriptors(needs.connections.into(), "connections")
        .map_err(|fatal| fatal.hint("raise the limit (ulimit -Hn), or use fewer threads"))?;
    let mut limits = Numbers::default();
    let patience_ns = inquiry.login().timeout_ns();
    inquiry.ask(
        &[],
        "SELECT @@max_connections, @@max_prepared_stmt_count",
        Some(patience_ns),
        &mut limits,
    )?;
    let [max_connections, max_prepared] = limits.0[..] else {
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

/// Whether the account may have a connection beside those of the load, by the session in force.
///
/// # Errors
/// The account may not even have the connections of the load.
pub(crate) fn has_spare(session: &BTreeMap<String, String>, connections: u32) -> Result<bool, Fatal> {
    let limit = |name: &str| session.get(name).and_then(|value| value.parse::<u64>().ok());
    let needed = u64::from(connections);
    // 0: the account has no limit of its own.
    let own = limit("max_user_connections").filter(|&most| most > 0);
    if let Some(most) = own.filter(|&most| most < needed) {
        return Err(Fatal::job(format!(
            "{needed} connections are needed, but the server allows this account {most} (max_user_connections)"
        ))
        .hint("raise the account's limit (ALTER USER … WITH MAX_USER_CONNECTIONS), or use fewer threads"));
    }
    Ok(own.into_iter().chain(limit("max_connections")).all(|most| most > needed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_its_own_limit_of_connections() {
        let session = |own: &str, all: &str| {
            let pairs = [("max_user_connections", own), ("max_connections", all)];
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
        };
        for (own, all, spare) in [
            ("0", "151", Some(true)),
            ("0", "4", Some(false)),
            ("5", "151", Some(true)),
            ("4", "151", Some(false)),
            ("3", "151", None),
            ("", "", Some(true)),
        ] {
            assert_eq!(has_spare(&session(own, all), 4).ok(), spare, "{own} {all}");
        }
        let refused = has_spare(&session("3", "151"), 4).unwrap_err();
        assert!(refused.message.contains("4 connections are needed"), "{}", refused.message);
    }
}
