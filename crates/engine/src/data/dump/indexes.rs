//! Secondary indexes of tables, taken out of their definitions to be made after their rows.

use std::collections::{BTreeMap, BTreeSet};

use assay_sql::{Kind, Tokens};

use crate::data::dump::facts::{counting_column, is_name, plain};
use crate::data::dump::objects::{object_after, objects};

/// Columns whose indexes a table needs before its rows, by the table's name: those of foreign keys, on either side.
#[derive(Debug, Default)]
pub(super) struct Needed {
    columns: BTreeMap<String, BTreeSet<String>>,
    /// Tables that give others their form, with all of their indexes.
    copied: BTreeSet<String>,
}

impl Needed {
    /// What the definitions of tables say of one another.
    pub(super) fn of<'a>(tables: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut needed = Self::default();
        for sql in tables {
            needed.copied.extend(object_after(sql, "LIKE").map(|other| other.name));
            let Some(table) = objects(sql).into_iter().next() else { continue };
            for Item { words, .. } in items(sql).map(|(_, items)| items).unwrap_or_default() {
                let Some(at) = words.iter().position(|word| word == "references") else { continue };
                let after = &words[at + 1..];
                let qualified = after.get(1).is_some_and(|word| word == ".");
                if let Some(parent) = after.get(if qualified { 2 } else { 0 }) {
                    needed.columns.entry(parent.clone()).or_default().extend(columns(after));
                }
                let own = columns(&words[..at]).into_iter().chain(words.first().cloned());
                needed.columns.entry(table.name.clone()).or_default().extend(own);
            }
        }
        needed
    }
}

/// A part of a table's definition: its text, and its tokens without quotes, in lower case.
struct Item {
    from: usize,
    to: usize,
    words: Vec<String>,
    /// Whether the first of them is a key word and not a name: a column may be called `key`.
    bare: bool,
}

/// The names in the first parentheses, without lengths of prefixes and orders.
fn columns(words: &[String]) -> Vec<String> {
    let (mut depth, mut fresh, mut found) = (0_u32, false, Vec::new());
    for word in words {
        match word.as_str() {
            "(" => {
                depth += 1;
                fresh = depth == 1;
                continue;
            }
            ")" if depth == 1 => break,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 1 => {
                fresh = true;
                continue;
            }
            _ if fresh => found.push(word.clone()),
            _ => {}
        }
        fresh = false;
    }
    found
}

/// A definition without its secondary indexes, and the statements that make these; `None` where it has none that can wait:
/// foreign keys and columns that count need theirs at once.
pub(super) fn postponed(create: &[u8], needed: &Needed) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    const KEYS: [&str; 5] = ["key", "index", "unique", "fulltext", "spatial"];
    let (table, items) = items(create)?;
    let name = objects(create).into_iter().next()?.name;
    if needed.copied.contains(&name) {
        return None;
    }
    let mut at_once = needed.columns.get(&name).cloned().unwrap_or_default();
    at_once.extend(counting_column(create).map(|(column, _)| column));
    let is = |item: &Item, words: &[&str]| {
        item.bare && item.words.first().is_some_and(|word| words.contains(&word.as_str()))
    };
    let waits = |item: &&Item| {
        is(item, &KEYS) && columns(&item.words).first().is_some_and(|column| !at_once.contains(column))
    };
    let (later, kept): (Vec<&Item>, Vec<&Item>) = items.iter().partition(waits);
    let (first, last) = (items.first()?, items.last()?);
    if later.is_empty() || kept.is_empty() {
        return None;
    }
    let text = |item: &Item| create[item.from..item.to].trim_ascii();
    let mut without = create[..first.from].to_vec();
    without.extend_from_slice(&kept.iter().map(|item| text(item)).collect::<Vec<_>>().join(&b",\n"[..]));
    without.extend_from_slice(&create[last.to..]);
    // A table is written anew once for all that may be made together; of FULLTEXT the server makes one at a time.
    let (alone, together): (Vec<&Item>, Vec<&Item>) = later.iter().partition(|item| is(item, &["fulltext"]));
    let alter = |items: &[&Item]| {
        let added: Vec<Vec<u8>> = items.iter().map(|item| [b"ADD ", text(item)].concat()).collect();
        [b"ALTER TABLE ", table.as_slice(), b" ", &added.join(&b", "[..])].concat()
    };
    let mut statements = Vec::new();
    if !together.is_empty() {
        statements.push(alter(&together));
    }
    statements.extend(alone.iter().map(|item| alter(&[*item])));
    Some((without, statements))
}

/// The name of a table as its definition has it, and the parts in its parentheses.
fn items(create: &[u8]) -> Option<(Vec<u8>, Vec<Item>)> {
    let (mut depth, mut table, mut found) = (0_u32, Vec::new(), Vec::new());
    let mut item = Item { from: 0, to: 0, words: Vec::new(), bare: false };
    for token in Tokens::new(create) {
        match (token.kind, token.text) {
            // A definition that only some servers read is left as it is.
            (Kind::Code, _) if depth == 0 && found.is_empty() => return None,
            (Kind::Symbol, b"(") if depth == 0 => {
                depth = 1;
                item.from = token.at + 1;
            }
            (Kind::Symbol, b")") if depth <= 1 => {
                depth.checked_sub(1)?;
                item.to = token.at;
                found.push(item);
                return Some((table, found));
            }
            (Kind::Symbol, b",") if depth == 1 => {
                item.to = token.at;
                found.push(item);
                item = Item { from: token.at + 1, to: 0, words: Vec::new(), bare: false };
            }
            (Kind::Symbol, b".") if depth == 0 => table.push(b'.'),
            (Kind::Symbol, symbol) => {
                match symbol {
                    b"(" => depth += 1,
                    b")" => depth -= 1,
                    _ => {}
                }
                item.words.push(String::from_utf8_lossy(symbol).into_owned());
            }
            (kind, text) if depth == 0 && is_name(&token) => {
                let skipped = ["create", "or", "replace", "temporary", "table", "if", "not", "exists"];
                if kind != Kind::Word || !skipped.contains(&plain(text).as_str()) {
                    table.extend_from_slice(text);
                }
            }
            (kind, text) if is_name(&token) => {
                item.bare |= item.words.is_empty() && kind == Kind::Word;
                item.words.push(plain(text));
            }
            (Kind::Number, _) => item.words.push(String::new()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secondary_indexes_wait_where_nothing_needs_them() {
        let create = "CREATE TABLE `a` (`id` int AUTO_INCREMENT, b varchar(9) COMMENT 'x,(y', PRIMARY KEY (`id`), KEY `b` (`b`(3)), FULLTEXT KEY f (b)) ENGINE=InnoDB COMMENT='KEY (z)'";
        let (without, later) = postponed(create.as_bytes(), &Needed::default()).expect("indexes");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        assert_eq!(
            text(&without),
            "CREATE TABLE `a` (`id` int AUTO_INCREMENT,\nb varchar(9) COMMENT 'x,(y',\nPRIMARY KEY (`id`)) ENGINE=InnoDB COMMENT='KEY (z)'"
        );
        let later: Vec<String> = later.iter().map(|sql| text(sql)).collect();
        assert_eq!(later, ["ALTER TABLE `a` ADD KEY `b` (`b`(3))", "ALTER TABLE `a` ADD FULLTEXT KEY f (b)"]);
        for needed in [
            "CREATE TABLE a (id int AUTO_INCREMENT, b int, KEY (id))",
            "CREATE TABLE a (id int, b int, KEY (b), FOREIGN KEY (b) REFERENCES c (id))",
            "CREATE TABLE a (id int PRIMARY KEY)",
            "CREATE TABLE a LIKE b",
            "CREATE TABLE a (`id` int PRIMARY KEY, `key` varchar(9) NOT NULL, `unique` int, `index` int)",
        ] {
            let tables = Needed::of([needed.as_bytes()].into_iter());
            assert!(postponed(needed.as_bytes(), &tables).is_none(), "{needed}");
        }
    }

    #[test]
    fn indexes_of_foreign_keys_do_not_wait_on_either_side() {
        let parent =
            "CREATE TABLE `p` (id int PRIMARY KEY, `code` int, n int, UNIQUE KEY `c` (`code`), KEY n (n))";
        let child =
            "CREATE TABLE s.b (a int, n int, KEY (n), KEY (a), FOREIGN KEY (a) REFERENCES `s`.`p` (`code`))";
        let copied = "CREATE TABLE c (id int PRIMARY KEY, n int, KEY (n))";
        let copy = "CREATE TABLE d LIKE c";
        let all = [parent, child, copied, copy];
        let needed = Needed::of(all.iter().map(|sql| sql.as_bytes()));
        let later = all.map(|sql| {
            let found = postponed(sql.as_bytes(), &needed).map(|(_, later)| later.concat());
            String::from_utf8(found.unwrap_or_default()).expect("UTF-8")
        });
        assert_eq!(later, ["ALTER TABLE `p` ADD KEY n (n)", "ALTER TABLE s.b ADD KEY (n)", "", ""]);
    }
}
