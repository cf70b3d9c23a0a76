//! `oltp_delete`: rows deleted by primary key and never put back, so that fewer and fewer deletes find one.

use assay_wire::Param;

use crate::entry::Shipped;
use crate::sbtest::{Keys, PerTable, Sbtest, SbtestOptions};
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, Operation, OptionError, Session};

#[derive(Debug)]
pub(crate) struct OltpDelete {
    data: Sbtest,
    keys: Keys,
    statements: Statements,
    delete: PerTable,
}

impl Shipped for OltpDelete {
    type Options = SbtestOptions;

    const NAME: &'static str = "oltp_delete";
    const SUMMARY: &'static str = "A row deleted by its primary key and not put back";
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: SbtestOptions, _seed: u64) -> Result<Self, OptionError> {
        let mut statements = Statements::default();
        let keys = Keys::new(&options);
        let sql = |table: &str| format!("DELETE FROM {table} WHERE id=?");
        Ok(Self {
            data: Sbtest::new(&options)?,
            delete: PerTable::new(&mut statements, &keys, "delete", sql),
            keys,
            statements,
        })
    }
}

impl Description for OltpDelete {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn resizes(&self) -> bool {
        true
    }
}

impl Driver for OltpDelete {
    type Local = ();
    type Terminal = ();

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, _of: u32) {}

    async fn transaction(
        &self,
        _worker: &mut (),
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let statement = self.delete.on(self.keys.table(rng));
        session.execute(statement, &[Param::Int(self.keys.id(rng))]).await?;
        Ok(())
    }
}
