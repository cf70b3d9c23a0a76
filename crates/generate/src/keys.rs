//! Unique keys: where the values of their columns come from, so that no two rows have the same.

use assay_chance::chained;

use crate::build::{Building, part_of};
use crate::fault::Fault;
use crate::links::{Domain, Level, Tree};
use crate::model::Source;
use crate::order::Order;
use crate::spec::{FanOut, KeyProfile};
use crate::spread::Spread;
use crate::values::Values;

/// Share of the values of a column that one owner has, from which on every owner has the first values there are.
const DENSE: f64 = 0.95;

impl Building<'_> {
    pub(crate) fn key(&mut self, number: usize) -> Result<(), Fault> {
        let key = &self.profile.keys[number];
        let part = format!("key ({})", key.columns.join(", "));
        let columns = self.columns(&key.columns, &part)?;
        // Rows that differ in some columns differ in more.
        if columns.is_empty() || self.kept.iter().any(|kept| kept.iter().all(|one| columns.contains(one))) {
            return Ok(());
        }
        let free = |at: &usize| self.sources[*at].is_none();
        if columns.iter().all(free) {
            let (owner, prefix) = self.owner_of(&columns)?;
            if columns.len() == 1 && owner.is_none() {
                self.unique(columns[0])?;
            } else {
                self.tree(key, &columns, owner, prefix)?;
            }
        } else if !self.beside(&columns)? {
            self.by_one_column(&columns, &part)?;
        }
        self.kept.push(columns);
        Ok(())
    }

    /// The reference that the first columns of a key are, and how many these are; the longest one.
    fn owner_of(&self, columns: &[usize]) -> Result<(Option<usize>, usize), Fault> {
        let mut best = (None, 0);
        for (at, reference) in self.profile.references.iter().enumerate() {
            let own = self.columns(&reference.columns, &part_of(reference))?;
            let prefix =
                columns.get(..own.len()).is_some_and(|first| own.iter().all(|one| first.contains(one)));
            if prefix && own.len() > best.1 && self.target(reference)?.0 != self.at {
                best = (Some(at), own.len());
            }
        }
        Ok(best)
    }

    fn unique(&mut self, at: usize) -> Result<(), Fault> {
        let column = &self.profile.columns[at];
        let count = self.gaps(at).filled();
        let values = Values::of_key(&self.profile.name, column, count, self.factor(), self.key_of(at, 2))?;
        self.sources[at] = Some(Source::Unique(values));
        Ok(())
    }

    /// Makes the tree of a key of several columns.
    fn tree(
        &mut self,
        key: &KeyProfile,
        columns: &[usize],
        owner: Option<usize>,
        prefix: usize,
    ) -> Result<(), Fault> {
        let (rows, factor, number) = (self.own_rows(), self.factor(), self.trees.len());
        let part = format!("key ({})", key.columns.join(", "));
        if rows == 0 {
            return Ok(());
        }
        let mut sizes: Vec<u64> =
            key.distinct.iter().map(|distinct| ((*distinct as f64 * factor).round() as u64).max(1)).collect();
        if sizes.len() + 1 < columns.len() {
            let message = format!("needs {} numbers in distinct", columns.len() - 1);
            return Err(Fault::new(&self.profile.name, part, message));
        }
        sizes.truncate(columns.len() - 1);
        sizes.push(rows);
        for at in (1..sizes.len()).rev() {
            sizes[at - 1] = sizes[at - 1].min(sizes[at]);
        }
        let (base, mut owners, first) = match owner {
            None => (None, sizes[0], 1),
            Some(at) => {
                let reference = &self.profile.references[at];
                let (table, theirs) = self.target(reference)?;
                for (own, their) in self.columns(&reference.columns, &part)?.into_iter().zip(theirs) {
                    self.sources[own] = Some(Source::Root(number, their));
                }
                (Some(table), self.rows[table], prefix)
            }
        };
        if owners == 0 {
            return Err(self.without_owners(&part));
        }
        // Rows of a key that is a reference as a whole belong to rows there, of which each has one at most.
        let whole = first == columns.len();
        if whole && rows > owners {
            let message = format!("{rows} rows would refer to {owners}, each at most once");
            return Err(Fault::new(&self.profile.name, part, message));
        }
        let mut spreads = Vec::new();
        for at in first - usize::from(whole)..columns.len() {
            let begins = spreads.is_empty();
            let fan_outs = match owner {
                Some(one) if begins && at + 1 == columns.len() => {
                    self.profile.references[one].fan_out.clone()
                }
                _ => {
                    let of_key = key.fan_outs.get(at.saturating_sub(1)).map_or(&[][..], Vec::as_slice);
                    let used = sizes[at.saturating_sub(1)] as f64 / owners as f64;
                    if begins && owner.is_some() { with_idle(of_key, used) } else { of_key.to_vec() }
                }
            };
            let size = sizes[at].max(if base.is_none() { owners } else { 0 });
            spreads.push(Spread::new(owners, size, &fan_outs, self.key_of(columns[at], 4)));
            owners = size;
        }
        let order = (number > 0).then(|| Order::new(rows, 0.0, chained(&[self.key, 5, number as u64])));
        if base.is_none() {
            let count = sizes[0];
            let values = self.key_values(columns[0], count, factor)?;
            self.level(columns[0], number, None, values, count, true);
        }
        let most: Vec<u64> = spreads.iter().map(Spread::most).collect();
        self.trees.push(Tree { base, spreads, order });
        if !whole {
            for (level, at) in columns[first..].iter().enumerate() {
                self.inner(*at, number, level, most[level], false)?;
            }
        }
        Ok(())
    }

    /// The values of a column of which every owner on a level has different ones.
    fn inner(&mut self, at: usize, tree: usize, level: usize, most: u64, mixed: bool) -> Result<(), Fault> {
        let column = &self.profile.columns[at];
        let reference = self
            .profile
            .references
            .iter()
            .find(|one| one.columns.len() == 1 && one.columns[0].eq_ignore_ascii_case(&column.name));
        if let Some(reference) = reference
            && let (table, theirs) = self.target(reference)?
            && table != self.at
            && self.rows[table] >= most
        {
            let of = self.rows[table];
            let dense = most as f64 >= DENSE * of as f64;
            self.level(at, tree, Some(level), Domain::Column(table, theirs[0]), of, dense && !mixed);
        } else {
            let distinct =
                column.ranges.iter().map(|range| range.distinct).sum::<u64>() + column.top.len() as u64;
            let dense = most as f64 >= DENSE * distinct as f64;
            let factor = if column.grows && !dense { self.factor() } else { 1.0 };
            let of = ((distinct as f64 * factor).round() as u64).max(most).max(1);
            let reach = of as f64 / distinct.max(1) as f64;
            let values = self.key_values(at, of, reach.max(1.0))?;
            self.level(at, tree, Some(level), values, of, dense && !mixed);
        }
        if let (true, Some(Source::Level(level))) = (mixed, &mut self.sources[at]) {
            level.mixed = true;
        }
        Ok(())
    }

    fn key_values(&self, at: usize, count: u64, factor: f64) -> Result<Domain, Fault> {
        let column = &self.profile.columns[at];
        let values = Values::of_key(&self.profile.name, column, count, factor, self.key_of(at, 2))?;
        Ok(Domain::Values(values))
    }

    fn level(&mut self, at: usize, tree: usize, level: Option<usize>, domain: Domain, of: u64, dense: bool) {
        let key = self.key_of(at, 6);
        let level = Level { tree, level, domain, of, dense, mixed: false, key };
        self.sources[at] = Some(Source::Level(Box::new(level)));
    }

    /// Has a second key that ends with another column use the tree of one before; false: there is none.
    fn beside(&mut self, columns: &[usize]) -> Result<bool, Fault> {
        let free: Vec<usize> = columns.iter().copied().filter(|at| self.sources[*at].is_none()).collect();
        let [last] = free[..] else { return Ok(false) };
        for number in 0..self.trees.len() {
            let tree = &self.trees[number];
            let depth = tree.spreads.len();
            let of_tree = |at: &usize| match &self.sources[*at] {
                Some(Source::Root(tree, _)) => *tree == number,
                Some(Source::Level(level)) => {
                    level.tree == number && level.level.is_none_or(|level| level + 1 < depth)
                }
                _ => false,
            };
            let above = (0..self.sources.len()).filter(|at| of_tree(at)).collect::<Vec<_>>();
            if depth > 0 && !above.is_empty() && above.iter().all(|at| columns.contains(at)) {
                let most = tree.spreads[depth - 1].most();
                self.inner(last, number, depth - 1, most, true)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Keeps a key unique by one of its columns alone, where its others are bound already.
    fn by_one_column(&mut self, columns: &[usize], part: &str) -> Result<(), Fault> {
        let name = &self.profile.name;
        match columns.iter().find(|at| self.sources[**at].is_none()) {
            Some(at) => {
                let column = &self.profile.columns[*at].name;
                self.notes.push(format!("{name}: {part} is kept unique by {column} alone, which has a value of its own in each row"));
                self.unique(*at)
            }
            None => {
                self.notes.push(format!(
                    "{name}: {part} shares its columns with other keys, and may meet equal rows"
                ));
                Ok(())
            }
        }
    }
}

/// The rows of owners of which only a share has any.
fn with_idle(fan_outs: &[FanOut], used: f64) -> Vec<FanOut> {
    let used = used.clamp(0.0, 1.0);
    let busy = fan_outs.iter().map(|one| FanOut { share: one.share * used, ..*one });
    let idle = FanOut { from: 0, to: 0, mean: 0.0, share: 1.0 - used };
    std::iter::once(idle).chain(busy).collect()
}
