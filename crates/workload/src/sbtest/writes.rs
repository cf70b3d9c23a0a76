//! The write groups of an OLTP transaction.

use assay_wire::Param;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sbtest::PerTable;
use crate::sbtest::{Filler, Keys};
use crate::statement::Statements;
use crate::{Failure, Rng, Session};

/// How many writes of each kind a transaction does.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct WriteOptions {
    /// Updates of the indexed column k in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) index_updates: u32,
    /// Updates of column c, which has no index, in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) non_index_updates: u32,
    /// Pairs of a DELETE and an INSERT of the same id in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) delete_inserts: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { index_updates: 1, non_index_updates: 1, delete_inserts: 1 }
    }
}

impl WriteOptions {
    pub(crate) const NONE: Self = Self { index_updates: 0, non_index_updates: 0, delete_inserts: 0 };
}

/// The write groups in their order; those with a count of 0 are not prepared.
#[derive(Debug)]
pub(crate) struct Writes {
    counts: WriteOptions,
    filler: Filler,
    index_update: Option<PerTable>,
    non_index_update: Option<PerTable>,
    /// The DELETE and the INSERT of one id, which go together.
    delete_insert: Option<(PerTable, PerTable)>,
}

impl Writes {
    pub(crate) fn new(
        counts: WriteOptions,
        filler: Filler,
        keys: &Keys,
        statements: &mut Statements,
    ) -> Self {
        let mut group = |label, sql: &dyn Fn(&str) -> String| PerTable::new(statements, keys, label, sql);
        Self {
            index_update: (counts.index_updates > 0)
                .then(|| group("index_update", &|table| format!("UPDATE {table} SET k=k+1 WHERE id=?"))),
            non_index_update: (counts.non_index_updates > 0)
                .then(|| group("non_index_update", &|table| format!("UPDATE {table} SET c=? WHERE id=?"))),
            delete_insert: (counts.delete_inserts > 0).then(|| {
                let delete = group("delete", &|table| format!("DELETE FROM {table} WHERE id=?"));
                let insert = group("insert", &|table| {
                    format!("INSERT INTO {table} (id, k, c, pad) VALUES (?, ?, ?, ?)")
                });
                (delete, insert)
            }),
            counts,
            filler,
        }
    }

    /// Runs every group; each picks its table once.
    pub(crate) async fn run(
        &self,
        keys: &Keys,
        rng: &mut Rng,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        if let Some(update) = self.index_update {
            let statement = update.on(keys.table(rng));
            for _ in 0..self.counts.index_updates {
                session.execute(statement, &[Param::Int(keys.id(rng))]).await?;
            }
        }
        if let Some(update) = self.non_index_update {
            let statement = update.on(keys.table(rng));
            for _ in 0..self.counts.non_index_updates {
                let c = self.filler.c(rng);
                session.execute(statement, &[Param::Bytes(&c), Param::Int(keys.id(rng))]).await?;
            }
        }
        if let Some((delete, insert)) = self.delete_insert {
            let table = keys.table(rng);
            for _ in 0..self.counts.delete_inserts {
                let (id, k) = (Param::Int(keys.id(rng)), Param::Int(keys.id(rng)));
                let (c, pad) = (self.filler.c(rng), self.filler.pad(rng));
                session.execute(delete.on(table), &[id]).await?;
                session.execute(insert.on(table), &[id, k, Param::Bytes(&c), Param::Bytes(&pad)]).await?;
            }
        }
        Ok(())
    }
}
