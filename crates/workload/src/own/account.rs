//! The account of a load of a person's own statements: what each found, and how much of each table it can have reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::effect::reads;
use crate::own::draw::{Draw, SeqFrom};
use crate::own::fit::{reach_of, refusal};
use crate::own::pool::Pool;
use crate::own::program::Program;
use crate::own::schema::Schema;
use crate::own::tallies::{Sums, Tallies, sums_of};
use crate::own::uses::{How, Place, Uses, Verb};
use crate::{OptionError, Statement};

/// What the load did, by statement and by table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Account {
    pub statements: Vec<StatementAccount>,
    pub tables: Vec<TableAccount>,
    /// Tables that no statement names; absent where a statement hides what it does.
    pub untouched: Option<Vec<String>>,
    /// Where the first answer is saved: what is sent depends on the data from there on.
    pub saves: Option<String>,
}

/// What a statement has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementAccount {
    /// File, line, column and label.
    pub place: Arc<str>,
    pub executions: u64,
    pub reads: u64,
    pub misses: u64,
    pub bytes: u64,
    /// Refusals of the server by code, those of tries that were repeated too.
    pub errors: BTreeMap<u16, u64>,
}

/// What a statement that reads has found so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadsSoFar {
    /// File, line, column and label.
    pub place: Arc<str>,
    pub reads: u64,
    pub misses: u64,
}

/// What happened to a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableAccount {
    pub name: String,
    /// Rows before the load, as the storage engine estimates them.
    pub rows: u64,
    /// Rows that plain INSERTs added, less those that DELETEs took away.
    pub gained: i64,
    /// The largest share of its rows that the drawn values can find; absent where a statement may find others, or nobody
    /// knows.
    pub reached: Option<f64>,
    /// Where those values are drawn for.
    pub drawn_at: String,
}

/// Everything that is known of the statements of a file.
pub(super) struct Known<'a> {
    pub(super) program: &'a Program,
    /// One for each statement of the list.
    pub(super) uses: &'a [Uses],
    pub(super) schema: &'a Schema,
    /// The pool of each draw, where it has one.
    pub(super) pools: &'a [Option<Arc<Pool>>],
}

/// What the statements that read have found, by these counts of event loops.
pub(super) fn reads_so_far(program: &Program, uses: &[Uses], loops: &[Arc<Tallies>]) -> Vec<ReadsSoFar> {
    let list = program.statements.list().iter().zip(uses).enumerate();
    let reading = list.filter(|(_, (one, uses))| uses.verb == Verb::Hidden || reads(&one.sql));
    let found = reading.map(|(number, (one, _))| {
        let sums = sums_of(loops, number);
        ReadsSoFar { place: place_of(one), reads: sums.reads, misses: sums.misses }
    });
    found.collect()
}

fn place_of(statement: &Statement) -> Arc<str> {
    statement.place.clone().unwrap_or_else(|| statement.sql.as_str().into())
}

impl Known<'_> {
    /// Compares what is drawn with the columns that take it. Returns how many parameters were compared, and how many are
    /// written into columns.
    ///
    /// # Errors
    /// A value that a draw can give does not fit into its column; both are named.
    pub(super) fn check_types(&self) -> Result<(u64, u64), OptionError> {
        let (mut checked, mut written) = (0, 0);
        for parameter in &self.program.parameters {
            let uses = &self.uses[parameter.statement.0 as usize];
            for place in parameter.first..parameter.first + parameter.count {
                let Some(found) = uses.parameters.get(place).and_then(Option::as_ref) else {
                    written += u64::from(uses.verb == Verb::Insert);
                    continue;
                };
                if found.how != How::Written || uses.ignores {
                    continue;
                }
                written += 1;
                let table = found.table.as_deref().and_then(|name| self.schema.table(name));
                let column = table.and_then(|table| match &found.column {
                    Place::Named(name) => table.column(name),
                    Place::Number(number) => table.columns.get(*number),
                });
                let (Some(column), Some((draw, value))) = (column, parameter.source) else { continue };
                let drawn = &self.program.draws[draw];
                let reaches = reach_of(&drawn.draw, value, self.pools[draw].as_deref());
                checked += u64::from(!reaches.is_empty());
                if let Some(why) = reaches.iter().find_map(|reach| refusal(reach, column)) {
                    let (at, name, table) =
                        (&parameter.place, &parameter.name, found.table.as_deref().unwrap_or(""));
                    return Err(OptionError(format!(
                        "{at}: :{name} does not fit into {table}.{}: it can be {why} (drawn at {})",
                        column.name, drawn.place
                    )));
                }
            }
        }
        Ok((checked, written))
    }

    /// The account of these counts, one for each statement.
    pub(super) fn account(&self, sums: &[Sums]) -> Account {
        let list = self.program.statements.list();
        let statement = |(one, sums): (&Statement, &Sums)| StatementAccount {
            place: place_of(one),
            executions: sums.executions,
            reads: sums.reads,
            misses: sums.misses,
            bytes: sums.bytes,
            errors: sums.errors.clone(),
        };
        Account {
            statements: list.iter().zip(sums).map(statement).collect(),
            tables: self
                .schema
                .tables
                .iter()
                .filter_map(|(name, table)| self.table(name, table.rows?, &table.distinct, sums))
                .collect(),
            untouched: self.untouched(),
            saves: self.program.saves.clone(),
        }
    }

    fn table(
        &self,
        name: &str,
        rows: u64,
        distinct: &BTreeMap<String, u64>,
        sums: &[Sums],
    ) -> Option<TableAccount> {
        let (mut gained, mut shares, mut known, mut drawn_at) = (0_i64, BTreeMap::new(), true, String::new());
        let mut named = false;
        for (number, (uses, sums)) in self.uses.iter().zip(sums).enumerate() {
            if !uses.tables.iter().any(|table| table == name) {
                known &= uses.verb != Verb::Hidden;
                continue;
            }
            named = true;
            // RETURNING answers with the rows that it has changed, in place of their number.
            let changed = i64::try_from(sums.changed.saturating_add(sums.rows)).unwrap_or(i64::MAX);
            let writes = uses.tables.first().is_some_and(|first| first == name);
            match uses.verb {
                Verb::Insert if writes => {
                    // A row that was replaced, or updated instead, counts twice.
                    let sql = self.program.statements.list()[number].sql.to_uppercase();
                    if !sql.starts_with("REPLACE") && !sql.contains("DUPLICATE KEY") {
                        gained = gained.saturating_add(changed);
                    }
                    continue;
                }
                Verb::Delete if writes => gained = gained.saturating_sub(changed),
                _ => {}
            }
            if sums.executions == 0 {
                continue;
            }
            match self.share(number, uses, name, distinct) {
                Some((key, share, place)) => {
                    shares.insert(key, share);
                    drawn_at = place;
                }
                None => known = false,
            }
        }
        let reached = (known && !shares.is_empty()).then(|| shares.values().sum::<f64>().min(1.0));
        named.then(|| TableAccount { name: name.to_owned(), rows, gained, reached, drawn_at })
    }

    /// The share of a table's rows that one statement's values can find: the smallest of its equalities, with the draw and
    /// the place that it comes from.
    fn share(
        &self,
        number: usize,
        uses: &Uses,
        name: &str,
        distinct: &BTreeMap<String, u64>,
    ) -> Option<(usize, f64, String)> {
        let parameters =
            self.program.parameters.iter().filter(|parameter| parameter.statement.0 as usize == number);
        let shares = parameters.filter_map(|parameter| {
            let found = uses.parameters.get(parameter.first)?.as_ref()?;
            let Place::Named(column) = &found.column else { return None };
            let of = *distinct.get(column).filter(|of| **of > 0)?;
            let here = found.how == How::Equal && found.table.as_deref() == Some(name);
            let (draw, _) = parameter.source.filter(|_| here)?;
            let values = values_of(&self.program.draws[draw].draw, self.pools[draw].as_deref())?;
            let place = format!("{}: :{}", parameter.place, parameter.name);
            Some((draw, (values / of as f64).min(1.0), place))
        });
        shares.min_by(|(_, one, _), (_, other, _)| one.total_cmp(other))
    }

    fn untouched(&self) -> Option<Vec<String>> {
        if self.uses.iter().any(|uses| uses.verb == Verb::Hidden) || self.schema.tables.is_empty() {
            return None;
        }
        let named: BTreeSet<&str> =
            self.uses.iter().flat_map(|uses| &uses.tables).map(String::as_str).collect();
        // What a view reads is not in its name.
        let is_view = |name: &&str| self.schema.table(name).is_some_and(|table| table.rows.is_none());
        if named.iter().any(is_view) {
            return None;
        }
        let tables =
            self.schema.tables.iter().filter(|(_, table)| table.rows.is_some()).map(|(name, _)| name);
        Some(tables.filter(|name| !named.contains(name.as_str())).cloned().collect())
    }
}

/// How many values a draw can give; `None` where that is not known, or has no end.
fn values_of(draw: &Draw, pool: Option<&Pool>) -> Option<f64> {
    let between = |low: i64, high: i64| Some(high.abs_diff(low) as f64 + 1.0);
    match draw {
        Draw::Int { low, high, .. }
        | Draw::Decimal { low, high, .. }
        | Draw::Date { low, high }
        | Draw::DateTime { low, high } => between(*low, *high),
        Draw::Permute { n } => Some(*n as f64),
        Draw::Text { high, .. } => Some(62_f64.powi(i32::try_from(*high).unwrap_or(i32::MAX))),
        Draw::Hex { digits } => Some(16_f64.powi(i32::try_from(*digits).unwrap_or(i32::MAX))),
        Draw::Uuid4 | Draw::Uuid7 => Some(f64::INFINITY),
        Draw::Pick { values, .. } => Some(values.len() as f64),
        Draw::Rows { .. } => pool.map(|pool| pool.len() as f64),
        Draw::Counter | Draw::Seq { from: SeqFrom::Number(_) | SeqFrom::After { .. } } => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Map;

    use crate::{Description, Own};

    #[test]
    fn only_what_reads_is_looked_at_while_a_load_runs() {
        let text = "SELECT a FROM t;\nINSERT INTO t VALUES (1);\nDELETE FROM t;\nCALL p();\n";
        let own = Own::read("sql:a.sql", text, &BTreeMap::new(), &Map::new()).expect("a file");
        let places: Vec<_> = own.reads_so_far().iter().map(|one| one.place.to_string()).collect();
        assert_eq!(places, ["a.sql:1:1: select_t", "a.sql:4:1: call_p"]);
    }
}
