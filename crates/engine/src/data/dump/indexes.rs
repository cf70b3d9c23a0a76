//! Secondary indexes of a table, taken out of its definition to be made after its rows.

use assay_sql::{Kind, Tokens};

use crate::data::dump::facts::counting_column;

/// A part of a table's definition: its text, and its words in capitals.
struct Item {
    from: usize,
    to: usize,
    words: Vec<String>,
    /// Whether the first of them is a key word and not a name: a column may be called `key`.
    bare: bool,
}

/// A definition without its secondary indexes, and the statements that make these; `None` where it has none that can wait:
/// foreign keys and columns that count need theirs at once.
pub(super) fn postponed(create: &[u8]) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let (table, items) = items(create)?;
    let is = |item: &Item, words: &[&str]| {
        item.bare && item.words.first().is_some_and(|word| words.contains(&word.as_str()))
    };
    if items.iter().any(|item| item.words.iter().any(|word| word == "REFERENCES")) {
        return None;
    }
    if let Some((counts, _)) = counting_column(create) {
        let counts = counts.to_uppercase();
        let keyed = |item: &Item| {
            let first =
                item.words.iter().position(|word| word == "KEY").and_then(|at| item.words.get(at + 1));
            (is(item, &["PRIMARY"]) && first == Some(&counts))
                || (item.words.first() == Some(&counts)
                    && item.words[1..]
                        .iter()
                        .any(|word| ["KEY", "PRIMARY", "UNIQUE"].contains(&word.as_str())))
        };
        if !items.iter().any(keyed) {
            return None;
        }
    }
    let (later, kept): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| is(item, &["KEY", "INDEX", "UNIQUE", "FULLTEXT", "SPATIAL"]));
    let (first, last) = (items.first()?, items.last()?);
    if later.is_empty() || kept.is_empty() {
        return None;
    }
    let text = |item: &Item| create[item.from..item.to].trim_ascii();
    let mut without = create[..first.from].to_vec();
    without.extend_from_slice(&kept.iter().map(|item| text(item)).collect::<Vec<_>>().join(&b",\n"[..]));
    without.extend_from_slice(&create[last.to..]);
    // A table is written anew once for all that may be made together; of FULLTEXT the server makes one at a time.
    let (alone, together): (Vec<&Item>, Vec<&Item>) = later.iter().partition(|item| is(item, &["FULLTEXT"]));
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
            (Kind::Symbol, b"(") => {
                depth += 1;
                if depth == 1 {
                    item.from = token.at + 1;
                }
            }
            (Kind::Symbol, b")") => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    item.to = token.at;
                    found.push(item);
                    return Some((table, found));
                }
            }
            (Kind::Symbol, b",") if depth == 1 => {
                item.to = token.at;
                found.push(item);
                item = Item { from: token.at + 1, to: 0, words: Vec::new(), bare: false };
            }
            (Kind::Word | Kind::Identifier, text) if depth == 0 => {
                let word = String::from_utf8_lossy(text).to_uppercase();
                if !["CREATE", "OR", "REPLACE", "TEMPORARY", "TABLE", "IF", "NOT", "EXISTS"]
                    .contains(&word.as_str())
                {
                    table.extend_from_slice(text);
                }
            }
            (Kind::Symbol, b".") if depth == 0 => table.push(b'.'),
            (kind @ (Kind::Word | Kind::Identifier), text) => {
                item.bare |= item.words.is_empty() && kind == Kind::Word;
                item.words.push(String::from_utf8_lossy(text).trim_matches('`').to_uppercase());
            }
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
        let (without, later) = postponed(create.as_bytes()).expect("indexes");
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
            assert!(postponed(needed.as_bytes()).is_none(), "{needed}");
        }
    }
}
