//! Operations that change links. The number of an id's links is kept in a row of its own, so each is a transaction.

use std::io::Write;

use assay_wire::{Param, Row};

use crate::bounds::BEGIN;
use crate::linkbench::literal::java;
use crate::linkbench::options::Options;
use crate::statement::Statements;
use crate::{Failure, LabelId, Session, StatementId};

const UPSERT: &str = "INSERT INTO linktable (id1, id2, link_type, visibility, data, time, version) VALUES ";
/// Only this clause is known to both flavours; MySQL 8.0.20 and later warn of it each time.
const ON_DUPLICATE: &str = " ON DUPLICATE KEY UPDATE visibility = VALUES(visibility)";
const COUNT: &str = "INSERT INTO counttable (id, link_type, count, time, version) VALUES ";

/// A link to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link<'a> {
    pub(crate) id1: u64,
    pub(crate) link_type: u64,
    pub(crate) id2: u64,
    pub(crate) data: &'a [u8],
    pub(crate) time_ms: u64,
}

/// What came of an addition or an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Added,
    /// The link was there and visible.
    Rewritten,
    /// The link was there, hidden.
    Restored,
}

#[derive(Debug)]
pub(crate) struct LinkWrites {
    begin: LabelId,
    commit: LabelId,
    add: StatementId,
    add_label: LabelId,
    count_up: StatementId,
    count_up_label: LabelId,
    update: StatementId,
    update_label: LabelId,
    lock: StatementId,
    hide: StatementId,
    count_down: StatementId,
    java: bool,
}

impl LinkWrites {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        let key = "WHERE id1 = ? AND id2 = ? AND link_type = ?";
        Self {
            begin: statements.label("begin"),
            commit: statements.label("commit"),
            add: statements.once("upsert_link", format!("{UPSERT}(?, ?, ?, 1, ?, ?, 0){ON_DUPLICATE}")),
            add_label: statements.label("upsert_link"),
            count_up: statements.once(
                "count_up",
                format!(
                    "{COUNT}(?, ?, 1, ?, 0) \
                     ON DUPLICATE KEY UPDATE count = count + 1, version = version + 1, time = VALUES(time)"
                ),
            ),
            count_up_label: statements.label("count_up"),
            update: statements.once(
                "update_link",
                format!("UPDATE linktable SET visibility = 1, data = ?, time = ?, version = 0 {key}"),
            ),
            update_label: statements.label("update_link"),
            lock: statements.once("lock_link", format!("SELECT visibility FROM linktable {key} FOR UPDATE")),
            hide: statements.once("hide_link", format!("UPDATE linktable SET visibility = 0 {key}")),
            count_down: statements.once(
                "count_down",
                format!(
                    "{COUNT}(?, ?, 0, ?, 0) ON DUPLICATE KEY UPDATE count = IF(count = 0, 0, count - 1), \
                     time = VALUES(time), version = version + 1"
                ),
            ),
            java: options.java(),
        }
    }

    /// Adds a link, or updates it where it is there. How many rows the first statement affects says which; that holds only
    /// where the server counts changed rows, not found ones.
    pub(crate) async fn write(
        &self,
        link: Link<'_>,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Written, Failure> {
        if self.java {
            return self.write_as_java(link, text, session).await;
        }
        let [id1, id2, link_type] = [link.id1, link.id2, link.link_type].map(Param::UInt);
        let (data, time) = (Param::Bytes(link.data), Param::UInt(link.time_ms));
        session.query(self.begin, BEGIN.as_bytes()).await?;
        let outcome = session.execute(self.add, &[id1, id2, link_type, data, time]).await?;
        let written = written(outcome.affected_rows)?;
        if written != Written::Rewritten {
            session.execute(self.count_up, &[id1, link_type, time]).await?;
        }
        if written != Written::Added {
            session.execute(self.update, &[data, time, id1, id2, link_type]).await?;
        }
        session.query(self.commit, b"COMMIT").await?;
        Ok(written)
    }

    /// Writes a link with values as the original writes them, and BEGIN and COMMIT in the packets of their neighbours.
    async fn write_as_java(
        &self,
        link: Link<'_>,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Written, Failure> {
        let Link { id1, link_type, id2, data, time_ms } = link;
        text.clear();
        // Writing to a vector cannot fail.
        let _ = write!(text, "BEGIN; {UPSERT}({id1}, {id2}, {link_type}, 1, ");
        java(data, text);
        let _ = write!(text, ", {time_ms}, 0){ON_DUPLICATE}");
        let outcome = session.packet(self.add_label, text, 2).await?;
        let written = written(outcome.affected_rows)?;
        if written != Written::Rewritten {
            text.clear();
            let _ = write!(
                text,
                "{COUNT}({id1}, {link_type}, 1, {time_ms}, 0) ON DUPLICATE KEY UPDATE count = count + 1, \
                 version = version + 1, time = {time_ms}"
            );
            let mut statements = 1;
            if written == Written::Added {
                text.extend_from_slice(b"; COMMIT");
                statements = 2;
            }
            session.packet(self.count_up_label, text, statements).await?;
        }
        if written != Written::Added {
            text.clear();
            text.extend_from_slice(b"UPDATE linktable SET visibility = 1, data = ");
            java(data, text);
            let _ = write!(
                text,
                ", time = {time_ms}, version = 0 WHERE id1 = {id1} AND id2 = {id2} AND link_type = {link_type}; COMMIT"
            );
            session.packet(self.update_label, text, 2).await?;
        }
        Ok(written)
    }

    /// Hides a link; says whether there was a visible one. The row is locked first, or another connection could see it
    /// visible as well and count it down twice.
    pub(crate) async fn hide(
        &self,
        id1: u64,
        link_type: u64,
        id2: u64,
        time_ms: u64,
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        let [id1, id2, link_type, time] = [id1, id2, link_type, time_ms].map(Param::UInt);
        let mut visibility = None;
        session.query(self.begin, BEGIN.as_bytes()).await?;
        session
            .select(self.lock, &[id1, id2, link_type], &mut |row: &Row<'_>| visibility = row.int(0))
            .await?;
        let visible = visibility == Some(1);
        if visible {
            session.execute(self.hide, &[id1, id2, link_type]).await?;
            session.execute(self.count_down, &[id1, link_type, time]).await?;
        }
        session.query(self.commit, b"COMMIT").await?;
        Ok(visible)
    }
}

/// What INSERT … ON DUPLICATE KEY UPDATE did: 1 inserted, 2 changed, 0 found as it should be.
fn written(affected_rows: u64) -> Result<Written, Failure> {
    match affected_rows {
        0 => Ok(Written::Rewritten),
        1 => Ok(Written::Added),
        2 => Ok(Written::Restored),
        _ => Err(Failure::Data("an insertion of one link affected more than two rows")),
    }
}
