//! Operations on nodes: each is one statement, and a transaction by itself.

use std::io::Write;

use assay_wire::Param;

use crate::linkbench::literal::java;
use crate::linkbench::options::Options;
use crate::linkbench::population::NODE_TYPE;
use crate::statement::Statements;
use crate::{Failure, LabelId, Session, StatementId};

#[derive(Debug)]
pub(crate) struct NodeOps {
    add: StatementId,
    add_label: LabelId,
    update: StatementId,
    update_label: LabelId,
    delete: StatementId,
    delete_label: LabelId,
    get: StatementId,
    java: bool,
}

impl NodeOps {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        Self {
            add: statements.once(
                "insert_node",
                format!("INSERT INTO nodetable (type, version, time, data) VALUES ({NODE_TYPE}, 1, ?, ?)"),
            ),
            add_label: statements.label("insert_node"),
            update: statements.once(
                "update_node",
                format!(
                    "UPDATE nodetable SET version = 2, time = ?, data = ? WHERE id = ? AND type = {NODE_TYPE}"
                ),
            ),
            update_label: statements.label("update_node"),
            delete: statements
                .once("delete_node", format!("DELETE FROM nodetable WHERE id = ? AND type = {NODE_TYPE}")),
            delete_label: statements.label("delete_node"),
            get: statements
                .once("get_node", "SELECT id, type, version, time, data FROM nodetable WHERE id = ?"),
            java: options.java(),
        }
    }

    pub(crate) async fn add(
        &self,
        time_s: u64,
        data: &[u8],
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        if !self.java {
            return session.execute(self.add, &[Param::UInt(time_s), Param::Bytes(data)]).await.map(drop);
        }
        text.clear();
        // Writing to a vector cannot fail.
        let _ =
            write!(text, "INSERT INTO nodetable (type, version, time, data) VALUES ({NODE_TYPE},1,{time_s},");
        java(data, text);
        text.extend_from_slice(b"); COMMIT");
        session.packet(self.add_label, text, 2).await.map(drop)
    }

    /// Says whether there was such a node.
    pub(crate) async fn update(
        &self,
        id: u64,
        time_s: u64,
        data: &[u8],
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        let outcome = if self.java {
            text.clear();
            let _ = write!(text, "UPDATE nodetable SET version=2, time={time_s}, data=");
            java(data, text);
            let _ = write!(text, " WHERE id={id} AND type={NODE_TYPE}; COMMIT");
            session.packet(self.update_label, text, 2).await?
        } else {
            let params = [Param::UInt(time_s), Param::Bytes(data), Param::UInt(id)];
            session.execute(self.update, &params).await?
        };
        Ok(outcome.affected_rows > 0)
    }

    /// Says whether there was such a node.
    pub(crate) async fn delete(
        &self,
        id: u64,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        let outcome = if self.java {
            text.clear();
            let _ = write!(text, "DELETE FROM nodetable WHERE id={id} and type ={NODE_TYPE}; COMMIT");
            session.packet(self.delete_label, text, 2).await?
        } else {
            session.execute(self.delete, &[Param::UInt(id)]).await?
        };
        Ok(outcome.affected_rows > 0)
    }

    /// Says whether there was such a node.
    pub(crate) async fn get(&self, id: u64, session: &mut impl Session) -> Result<bool, Failure> {
        Ok(session.execute(self.get, &[Param::UInt(id)]).await?.rows > 0)
    }
}
