//! Operations that read links: each is one statement, and a transaction by itself.

use std::io::Write;

use assay_wire::{Param, Row};

use crate::linkbench::tails::Tail;
use crate::statement::Statements;
use crate::{Failure, LabelId, Session, StatementId};

const COLUMNS: &str = "id1, id2, link_type, visibility, data, time, version";
/// The length at which a list is cut off.
const LIMIT: u64 = 10_000;
/// The column time, from 0.
const TIME: usize = 5;
/// Later than any link: the largest number of the original's language.
const LATEST_MS: u64 = i64::MAX as u64;

#[derive(Debug)]
pub(crate) struct LinkReads {
    count: StatementId,
    multiget: LabelId,
    list: StatementId,
    rest: StatementId,
}

/// What a list gave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) links: u64,
    /// The last of them, where there may be more.
    pub(crate) tail: Option<Tail>,
}

impl LinkReads {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        let list = |offset: u64| {
            format!(
                "SELECT {COLUMNS} FROM linktable FORCE INDEX (id1_type) WHERE id1 = ? AND link_type = ? \
                 AND time >= 0 AND time <= ? AND visibility = 1 ORDER BY time DESC LIMIT {offset}, {LIMIT}"
            )
        };
        Self {
            count: statements
                .once("count_links", "SELECT count FROM counttable WHERE id = ? AND link_type = ?"),
            multiget: statements.label("multiget_links"),
            list: statements.once("list_links", list(0)),
            rest: statements.once("list_more_links", list(1)),
        }
    }

    pub(crate) async fn count(
        &self,
        id1: u64,
        link_type: u64,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        session.execute(self.count, &[Param::UInt(id1), Param::UInt(link_type)]).await.map(drop)
    }

    /// Gets the links with these ends; says how many there are. Always text: the list has a length of its own.
    pub(crate) async fn multiget(
        &self,
        id1: u64,
        link_type: u64,
        ends: &[u64],
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<u64, Failure> {
        text.clear();
        // Writing to a vector cannot fail.
        let _ = write!(
            text,
            "SELECT {COLUMNS} FROM linktable WHERE id1 = {id1} AND link_type = {link_type} AND id2 IN ("
        );
        for (number, end) in ends.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let _ = write!(text, "{comma}{end}");
        }
        text.push(b')');
        Ok(session.query(self.multiget, text).await?.rows)
    }

    /// Lists the newest links of an id.
    pub(crate) async fn list(
        &self,
        id1: u64,
        link_type: u64,
        session: &mut impl Session,
    ) -> Result<Listed, Failure> {
        self.from(self.list, Tail { id1, link_type, time_ms: LATEST_MS }, session).await
    }

    /// Goes on where a list was cut off.
    pub(crate) async fn rest(&self, tail: Tail, session: &mut impl Session) -> Result<Listed, Failure> {
        self.from(self.rest, tail, session).await
    }

    async fn from(
        &self,
        statement: StatementId,
        from: Tail,
        session: &mut impl Session,
    ) -> Result<Listed, Failure> {
        let params = [from.id1, from.link_type, from.time_ms].map(Param::UInt);
        let (mut links, mut last_ms) = (0, None);
        let mut take = |row: &Row<'_>| {
            links += 1;
            if links == LIMIT {
                last_ms = row.uint(TIME);
            }
        };
        session.select(statement, &params, &mut take).await?;
        Ok(Listed { links, tail: last_ms.map(|time_ms| Tail { time_ms, ..from }) })
    }
}
