//! Whether a server builds a table at once from the rows of one transaction.

use crate::process::failure::Fatal;
use crate::server::ask::ask;
use crate::server::login::Login;

/// MariaDB sorts the rows that a transaction puts into an empty table, and writes the table and its indexes page by page
/// at the end, where the session checks neither unique nor foreign keys (release notes of 10.7, MDEV-24621). The first
/// version of long support that does so.
const SINCE: (i64, i64) = (10, 11);
const ASKED: &str = "SELECT VERSION() LIKE '%MariaDB%', SUBSTRING_INDEX(VERSION(), '.', 1), \
    SUBSTRING_INDEX(SUBSTRING_INDEX(VERSION(), '.', 2), '.', -1)";

/// Whether all rows of a table should be one transaction.
///
/// # Errors
/// The server does not say its version.
pub(super) fn builds_at_once(login: &Login) -> Result<bool, Fatal> {
    Ok(match ask(login, ASKED, None)?[..] {
        [is_mariadb, major, minor] => is_mariadb == 1 && (major, minor) >= SINCE,
        _ => false,
    })
}
