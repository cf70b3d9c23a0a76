//! `select`: rows by a secondary column, which `create_secondary=off` leaves without its index.
//!
//! The query of the older sysbench script of this name, by k instead of id: with the index a look-up, without it a scan.

use assay_wire::Param;

use crate::entry::Shipped;
use crate::sbtest::{Keys, PerTable, Sbtest, SbtestOptions};
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, Operation, OptionError, Session};

#[derive(Debug)]
pub(crate) struct Select {
    data: Sbtest,
    keys: Keys,
    statements: Statements,
    select: PerTable,
}

impl Shipped for Select {
    type Options = SbtestOptions;

    const NAME: &'static str = "select";
    const SUMMARY: &'static str =
        "Rows by a secondary column, with its index or (create_secondary=off) without";
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: SbtestOptions, _seed: u64) -> Result<Self, OptionError> {
        let mut statements = Statements::default();
        let keys = Keys::new(&options);
        let sql = |table: &str| format!("SELECT pad FROM {table} WHERE k = ?");
        Ok(Self {
            data: Sbtest::new(&options)?,
            select: PerTable::new(&mut statements, &keys, "select", sql),
            keys,
            statements,
        })
    }
}

impl Description for Select {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }
}

impl Driver for Select {
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
        let statement = self.select.on(self.keys.table(rng));
        session.execute(statement, &[Param::Int(self.keys.id(rng))]).await?;
        Ok(())
    }
}
