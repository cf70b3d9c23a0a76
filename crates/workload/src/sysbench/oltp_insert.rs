//! `oltp_insert`: one row, as SQL text.

use std::io::Write;

use crate::entry::Shipped;
use crate::sbtest::{Filler, Keys, Sbtest, SbtestOptions};
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, LabelId, Operation, OptionError, Rng, Session};

/// With `auto_inc` the server numbers the rows, after those of the load. Without it tables start empty and the ids are
/// a shuffle of all 32-bit numbers: operation n of connection w of W has place n W + w in it, so that no two meet
/// before 2^32 rows. A second run on the same tables and seed repeats the ids, and the server refuses them.
#[derive(Debug)]
pub(crate) struct OltpInsert {
    data: Sbtest,
    keys: Keys,
    filler: Filler,
    statements: Statements,
    label: LabelId,
    shuffle: Option<Shuffle>,
}

#[derive(Debug)]
pub(crate) struct Terminal {
    /// Terminals of the whole run.
    of: u64,
    sql: Vec<u8>,
}

impl Shipped for OltpInsert {
    type Options = SbtestOptions;

    const NAME: &'static str = "oltp_insert";
    const SUMMARY: &'static str = "A row inserted, as SQL text, outside a transaction";
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: SbtestOptions, seed: u64) -> Result<Self, OptionError> {
        let auto_inc = options.tables.auto_inc.0;
        let mut statements = Statements::default();
        Ok(Self {
            data: if auto_inc { Sbtest::new(&options)? } else { Sbtest::empty(&options)? },
            keys: Keys::new(&options),
            filler: Filler::new(&options),
            label: statements.label("insert"),
            statements,
            shuffle: (!auto_inc).then(|| Shuffle::new(seed)),
        })
    }
}

impl Description for OltpInsert {
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

impl Driver for OltpInsert {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, of: u32) -> Terminal {
        Terminal { of: u64::from(of), sql: Vec::with_capacity(512) }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let table = self.keys.table(rng) + 1;
        let id = self.shuffle.as_ref().map_or(0, |shuffle| {
            let place = operation.number.wrapping_mul(terminal.of).wrapping_add(operation.terminal.into());
            shuffle.at(place as u32)
        });
        let k = self.keys.id(rng);
        let sql = &mut terminal.sql;
        sql.clear();
        // Writing to a vector cannot fail.
        let _ = write!(sql, "INSERT INTO sbtest{table} (id, k, c, pad) VALUES ({id}, {k}, '");
        sql.extend_from_slice(&self.filler.c(rng));
        sql.extend_from_slice(b"', '");
        sql.extend_from_slice(&self.filler.pad(rng));
        sql.extend_from_slice(b"')");
        session.query(self.label, sql).await?;
        Ok(())
    }
}

/// A permutation of the 32-bit numbers: the finaliser of MurmurHash3 (Appleby 2011), every step of which can be
/// undone.
#[derive(Debug)]
struct Shuffle {
    key: u32,
}

impl Shuffle {
    fn new(seed: u64) -> Self {
        Self { key: Rng::keyed(&[seed]).u64() as u32 }
    }

    /// The id at `place`; signed, as an INTEGER column holds it.
    fn at(&self, place: u32) -> i32 {
        let mut x = place ^ self.key;
        x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
        x = (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35);
        (x ^ (x >> 16)) as i32
    }
}
