//! The tables, their rows, and whether money was lost.

use std::io::Write;

use crate::smallbank::options::Options;
use crate::{Check, Dataset, Notes, OptionError, Rng, Table, text};

const SAVINGS: usize = 1;
const CHECKING: usize = 2;
const LEDGER: usize = 3;

/// Where prepare writes down whether there is a ledger: a run without one on tables with one would seem to lose money.
pub(crate) const NOTES_NAME: &str = "assay_smallbank";

/// Bytes on disk of a row, as InnoDB has it: of an account with the index on its name, which is the largest.
const ROW_BYTES: u32 = 140;

/// First word of keys: balances are a function of (seed, table, customer), so that their sum is known without the tables.
const BALANCE: u64 = 0x6261_6c61;

/// Longest name, and what all of them are.
pub(crate) const NAME_BYTES: usize = 15;

/// Writes a customer's name over what was in `out`.
pub(crate) fn name(customer: u64, out: &mut Vec<u8>) {
    out.clear();
    append_name(customer, out);
}

fn append_name(customer: u64, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{customer:0NAME_BYTES$}");
}

#[derive(Debug)]
pub(crate) struct SmallBankData {
    tables: Vec<Table>,
    options: Options,
    seed: u64,
}

impl SmallBankData {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &Options, seed: u64) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let table = |name: &str, columns: &str, filled: &str, rows: u64, after: Vec<String>| Table {
            name: name.into(),
            create: format!("CREATE TABLE {name} ({columns}) {storage}"),
            columns: filled.into(),
            rows,
            row_bytes: ROW_BYTES,
            chunk_rows: (rows / 16).clamp(1_000, 10_000),
            count_chunk: format!("SELECT COUNT(*) FROM {name} WHERE custid BETWEEN ? AND ?"),
            after,
        };
        let money = "DECIMAL(16,2) NOT NULL";
        let account = format!("custid BIGINT NOT NULL, bal {money}, PRIMARY KEY (custid)");
        let mut tables = vec![
            table(
                "accounts",
                "custid BIGINT NOT NULL, name VARCHAR(64) NOT NULL, PRIMARY KEY (custid)",
                "custid, name",
                options.accounts,
                vec!["CREATE UNIQUE INDEX idx_accounts_name ON accounts (name)".into()],
            ),
            table("savings", &account, "custid, bal", options.accounts, Vec::new()),
            table("checking", &account, "custid, bal", options.accounts, Vec::new()),
        ];
        // There without entries too, so that cleanup needs no options.
        let ledger =
            format!("worker INT NOT NULL, net {money}, transactions BIGINT NOT NULL, PRIMARY KEY (worker)");
        let ledger = table("ledger", &ledger, "worker, net, transactions", 1, Vec::new());
        let count_chunk = "SELECT COUNT(*) FROM ledger WHERE worker = 0 AND ? <= ?".into();
        tables.push(Table { count_chunk, ..ledger });
        let notes = "name VARCHAR(32) NOT NULL, value VARCHAR(255) NOT NULL, PRIMARY KEY (name)";
        let notes = table(NOTES_NAME, notes, "name, value", 0, Vec::new());
        tables.push(Table { count_chunk: format!("SELECT COUNT(*) FROM {NOTES_NAME} WHERE ? > ?"), ..notes });
        Ok(Self { tables, options: options.clone(), seed })
    }

    /// The balance of a fresh account, in cents.
    fn balance(&self, table: usize, customer: u64) -> u64 {
        let (least, most) = (u64::from(self.options.min_balance), u64::from(self.options.max_balance));
        Rng::keyed(&[BALANCE, self.seed, table as u64, customer]).range(least * 100, most * 100)
    }

    /// What the load makes of money, in cents.
    fn total(&self) -> u64 {
        let both = |customer| self.balance(SAVINGS, customer) + self.balance(CHECKING, customer);
        (1..=self.options.accounts).map(both).sum()
    }
}

impl Dataset for SmallBankData {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, table: usize, number: u64, _rng: &mut Rng, out: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        match table {
            SAVINGS | CHECKING => {
                let _ = write!(out, "({number},");
                text::decimal(self.balance(table, number), 2, out);
                out.push(b')');
            }
            LEDGER => {
                out.extend_from_slice(b"(0,");
                text::decimal(self.total(), 2, out);
                out.extend_from_slice(b",0)");
            }
            _ => {
                let _ = write!(out, "({number},'");
                append_name(number, out);
                out.extend_from_slice(b"')");
            }
        }
    }

    fn notes(&self) -> Option<Notes> {
        let on = if self.options.ledger.0 { "on" } else { "off" };
        let rows =
            [("format", "1".into()), ("accounts", self.options.accounts.to_string()), ("ledger", on.into())];
        Some(Notes::new(NOTES_NAME, &rows))
    }

    fn checks(&self) -> Vec<Check> {
        let filled = Check::new(
            "accounts-filled",
            "a customer has one savings and one checking account",
            "SELECT a.custid, s.custid savings, c.custid checking FROM accounts a \
                  LEFT JOIN savings s ON s.custid = a.custid LEFT JOIN checking c ON c.custid = a.custid \
                  WHERE s.custid IS NULL OR c.custid IS NULL",
        );
        let covered = Check::new(
            "savings-covered",
            "no savings account is below 0",
            "SELECT custid, bal FROM savings WHERE bal < 0",
        );
        let conserved = Check::new(
            "money-conserved",
            "the balances are what the load made, what came in and what went out",
            "SELECT balances, ledger, balances - ledger too_much FROM \
                  (SELECT (SELECT SUM(bal) FROM savings) + (SELECT SUM(bal) FROM checking) balances, \
                  (SELECT SUM(net) FROM ledger) ledger) sums WHERE NOT balances <=> ledger",
        );
        let ledger = self.options.ledger.0.then_some(conserved);
        [filled, covered].into_iter().chain(ledger).collect()
    }
}
