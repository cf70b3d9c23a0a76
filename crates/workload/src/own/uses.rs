//! What a statement does with its tables and its parameters, as far as its tokens say: which tables it names, which
//! column a `?` is written into or compared with. No grammar: what is not recognised is not known.

use std::collections::BTreeMap;

use assay_sql::{Kind, Tokens};

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Select,
    Insert,
    Update,
    Delete,
    /// `BEGIN`, `SET`, …: no table is named.
    Other,
    /// A procedure, a prepared text: its tables are not known.
    Hidden,
}

/// A column that a parameter has to do with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    /// The name that the statement gives it; absent where it gives none.
    pub(super) table: Option<String>,
    pub(super) column: Place,
    pub(super) how: How,
}

/// The column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Named(String),
    /// Counted from 0, where rows are inserted without names.
    Number(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The column takes the value.
    Written,
    /// Rows are looked for whose column is equal to the value.
    Equal,
}

/// What is known of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Uses {
    pub(super) verb: Verb,
    /// Names of tables without quotes, in lower case; the first is the one that is written.
    pub(super) tables: Vec<String>,
    /// One for each `?`.
    pub(super) parameters: Vec<Option<Use>>,
    /// Whether values that do not fit are cut, and not refused.
    pub(super) ignores: bool,
}

/// A token that matters: a word in upper case, a name, or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Word(String),
    Name(String),
    Sign(u8),
    Value,
}

impl Part {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(text) if text.eq_ignore_ascii_case(word))
    }

    fn name(&self) -> Option<String> {
        match self {
            Self::Word(text) | Self::Name(text) => Some(text.to_lowercase()),
            _ => None,
        }
    }
}

fn parts_of(sql: &str) -> Vec<Part> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let part = |token: assay_sql::Token<'_>| match token.kind {
        Kind::Space | Kind::Comment => None,
        Kind::Word => Some(Part::Word(text(token.text))),
        Kind::Identifier => Some(Part::Name(text(token.text).trim_matches('`').replace("``", "`"))),
        Kind::Symbol => Some(Part::Sign(token.text[0])),
        _ => Some(Part::Value),
    };
    Tokens::new(sql.as_bytes()).filter_map(part).collect()
}

/// Words that end a list of tables or a clause, so that they are no alias.
const CLAUSES: [&str; 26] = [
    "WHERE",
    "SET",
    "VALUES",
    "VALUE",
    "SELECT",
    "ON",
    "USING",
    "JOIN",
    "INNER",
    "LEFT",
    "RIGHT",
    "CROSS",
    "NATURAL",
    "STRAIGHT_JOIN",
    "ORDER",
    "GROUP",
    "HAVING",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "FOR",
    "LOCK",
    "PARTITION",
    "WINDOW",
    "RETURNING",
];
const MODIFIERS: [&str; 8] =
    ["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO", "QUICK", "ONLY", "TABLE"];

/// What a statement with `?` does.
pub(super) fn uses(sql: &str) -> Uses {
    let parts = parts_of(sql);
    let first = parts.iter().find_map(|part| match part {
        Part::Word(word) => Some(word.to_uppercase()),
        _ => None,
    });
    let verb = match first.as_deref().unwrap_or_default() {
        "SELECT" | "WITH" | "TABLE" | "VALUES" => Verb::Select,
        "INSERT" | "REPLACE" => Verb::Insert,
        "UPDATE" => Verb::Update,
        "DELETE" => Verb::Delete,
        "BEGIN" | "START" | "COMMIT" | "ROLLBACK" | "SET" | "SAVEPOINT" | "RELEASE" | "USE" | "DO" => {
            Verb::Other
        }
        _ => Verb::Hidden,
    };
    let (tables, aliases) = tables_of(&parts, verb);
    let ignores = verb != Verb::Select && parts.iter().any(|part| part.is("IGNORE"));
    let inserted = if verb == Verb::Insert { inserted(&parts, tables.first()) } else { BTreeMap::new() };
    let mut parameters = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if *part != Part::Sign(b'?') {
            continue;
        }
        let found = inserted.get(&at).cloned().or_else(|| compared(&parts, at, verb)).map(|mut found| {
            found.table = match found.table {
                Some(name) => Some(aliases.get(&name).cloned().unwrap_or(name)),
                None if tables.len() == 1 => tables.first().cloned(),
                None => None,
            };
            found
        });
        parameters.push(found);
    }
    Uses { verb, tables, parameters, ignores }
}

/// The tables of a statement, and what their aliases mean.
fn tables_of(parts: &[Part], verb: Verb) -> (Vec<String>, BTreeMap<String, String>) {
    let (mut tables, mut aliases) = (Vec::<String>::new(), BTreeMap::new());
    let mut common = Vec::new();
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        // WITH name AS (…): no table of the schema.
        if parts.get(at + 1).is_some_and(|next| next.is("AS")) && parts.get(at + 2) == Some(&Part::Sign(b'('))
        {
            common.extend(part.name());
        }
        let begins = ["FROM", "JOIN", "STRAIGHT_JOIN"].iter().any(|word| part.is(word))
            || (at == 0 && matches!(verb, Verb::Insert | Verb::Update));
        at += 1;
        if !begins {
            continue;
        }
        while let Some((name, alias, next)) = table_at(parts, at) {
            if let Some(alias) = alias {
                aliases.insert(alias, name.clone());
            }
            if !tables.contains(&name) && !common.contains(&name) {
                tables.push(name);
            }
            at = next;
            // FROM a, b
            if parts.get(at) != Some(&Part::Sign(b',')) {
                break;
            }
            at += 1;
        }
    }
    (tables, aliases)
}

/// The table that a clause names at a place, its alias, and the place behind both.
fn table_at(parts: &[Part], mut at: usize) -> Option<(String, Option<String>, usize)> {
    while parts.get(at).is_some_and(|part| MODIFIERS.iter().any(|word| part.is(word))) {
        at += 1;
    }
    let is_clause = |part: &Part| CLAUSES.iter().any(|word| part.is(word));
    let mut name = parts.get(at).filter(|part| !is_clause(part))?.name()?;
    at += 1;
    // A table of another schema keeps the schema's name: the columns of this one say nothing of it.
    if parts.get(at) == Some(&Part::Sign(b'.'))
        && let Some(table) = parts.get(at + 1).and_then(Part::name)
    {
        name = format!("{name}.{table}");
        at += 2;
    }
    at += usize::from(parts.get(at).is_some_and(|part| part.is("AS")));
    let alias = parts.get(at).filter(|part| !is_clause(part)).and_then(Part::name);
    at += usize::from(alias.is_some());
    Some((name, alias, at))
}

/// The columns of parameters in `INSERT INTO t (a, b) VALUES (?, ?), (…)`, by the places of the `?`.
fn inserted(parts: &[Part], table: Option<&String>) -> BTreeMap<usize, Use> {
    let mut found = BTreeMap::new();
    let Some(values) = parts.iter().position(|part| part.is("VALUES") || part.is("VALUE")) else {
        return found;
    };
    // The list of names, where there is one, ends just before VALUES.
    let mut names = Vec::new();
    if values > 0 && parts[values - 1] == Part::Sign(b')') {
        let open = parts[..values].iter().rposition(|part| *part == Part::Sign(b'(')).unwrap_or(values);
        names = parts[open..values].iter().filter_map(Part::name).collect();
    }
    let (mut depth, mut number) = (0, 0);
    for at in values + 1..parts.len() {
        let alone = |sign: &Part| matches!(sign, Part::Sign(b'(' | b',' | b')'));
        match parts[at] {
            Part::Sign(b'(') => {
                depth += 1;
                number = if depth == 1 { 0 } else { number };
            }
            Part::Sign(b')') => depth -= 1,
            Part::Sign(b',') if depth == 1 => number += 1,
            Part::Sign(b'?')
                if depth == 1 && alone(&parts[at - 1]) && parts.get(at + 1).is_some_and(alone) =>
            {
                let column = match names.get(number) {
                    Some(name) => Place::Named(name.clone()),
                    None if names.is_empty() => Place::Number(number),
                    None => continue,
                };
                found.insert(at, Use { table: table.cloned(), column, how: How::Written });
            }
            Part::Word(ref word) if depth == 0 && word.eq_ignore_ascii_case("ON") => break,
            _ => {}
        }
    }
    found
}

/// The column that a `?` is compared with, or that `SET a = ?` writes.
fn compared(parts: &[Part], at: usize, verb: Verb) -> Option<Use> {
    // Back to the sign, over the values of a list.
    let mut sign = at.checked_sub(1)?;
    let mut list = false;
    while matches!(parts[sign], Part::Sign(b'?' | b',') | Part::Value) {
        list = true;
        sign = sign.checked_sub(1)?;
    }
    let name_at = match &parts[sign] {
        Part::Sign(b'=') if !list => {
            // Neither `<=`, `>=`, `!=`, `:=` nor `<=>` is an equality.
            let before = parts.get(sign.checked_sub(1)?)?;
            if matches!(before, Part::Sign(b'<' | b'>' | b'!' | b':')) {
                return None;
            }
            sign.checked_sub(1)?
        }
        Part::Sign(b'(') if sign.checked_sub(1).is_some_and(|before| parts[before].is("IN")) => {
            let before = sign.checked_sub(2)?;
            if parts[before].is("NOT") {
                return None;
            }
            before
        }
        _ => return None,
    };
    let ends = |part: Option<&Part>| {
        part.is_none_or(|part| match part {
            Part::Sign(sign) => matches!(sign, b',' | b')' | b';'),
            Part::Word(_) => true,
            _ => false,
        })
    };
    if !list && !ends(parts.get(at + 1)) {
        return None;
    }
    let column = parts[name_at].name()?;
    let table =
        (name_at >= 2 && parts[name_at - 1] == Part::Sign(b'.')).then(|| parts[name_at - 2].name()).flatten();
    // Written where SET is the last clause before it.
    let clause = parts[..at].iter().rev().find(|part| {
        ["SET", "WHERE", "ON", "HAVING", "VALUES", "SELECT"].iter().any(|word| part.is(word))
            || part.is("UPDATE") && verb == Verb::Insert
    });
    let written = clause.is_some_and(|part| part.is("SET") || part.is("UPDATE"))
        && matches!(verb, Verb::Update | Verb::Insert);
    Some(Use { table, column: Place::Named(column), how: if written { How::Written } else { How::Equal } })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn shown(found: Option<&Use>) -> String {
        let Some(found) = found else { return "-".into() };
        let column = match &found.column {
            Place::Named(name) => name.clone(),
            Place::Number(number) => format!("#{number}"),
        };
        let how = if found.how == How::Written { ":=" } else { "=" };
        format!("{}.{column}{how}", found.table.as_deref().unwrap_or("?"))
    }

    #[rstest]
    #[case("SELECT a FROM t WHERE id = ? AND b > ? LIMIT ?", "t", "t.id= - -")]
    #[case(
        "SELECT * FROM T AS x JOIN `u` ON x.a = u.a WHERE x.b IN (?, ?) AND u.c=? AND d = ?",
        "t u",
        "t.b= t.b= u.c= ?.d="
    )]
    #[case("SELECT a FROM t, u v WHERE v.a = ?", "t u", "u.a=")]
    #[case("SELECT a FROM t WHERE id NOT IN (?) OR id <> ? OR id <= ? OR id = ? + 1", "t", "- - - -")]
    #[case("SELECT (SELECT MAX(b) FROM u WHERE u.k = ?) FROM t WHERE t.k = ?", "u t", "u.k= t.k=")]
    #[case("WITH c AS (SELECT a FROM t WHERE id = ?) SELECT * FROM c", "t", "t.id=")]
    #[case("INSERT INTO t (a, `b`) VALUES (?, ?), (?, NOW())", "t", "t.a:= t.b:= t.a:=")]
    #[case("INSERT IGNORE t VALUES (?, ? + 1, f(?), ?)", "t", "t.#0:= - - t.#3:=")]
    #[case("INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE b = ?, c = c + ?", "t", "t.a:= t.b:= -")]
    #[case("INSERT INTO t SET a = ?, b = ?", "t", "t.a:= t.b:=")]
    #[case("INSERT INTO t SELECT a FROM u WHERE u.k = ?", "t u", "u.k=")]
    #[case("REPLACE s.t (a) VALUES (?)", "s.t", "s.t.a:=")]
    #[case("UPDATE t SET a = ?, b = b + ? WHERE id = ?", "t", "t.a:= - t.id=")]
    #[case("UPDATE t x SET x.a = ? WHERE x.id = ?", "t", "t.a:= t.id=")]
    #[case("DELETE FROM t WHERE id = ?", "t", "t.id=")]
    #[case("CALL p(?)", "", "-")]
    fn columns_of_parameters_are_found(#[case] sql: &str, #[case] tables: &str, #[case] parameters: &str) {
        let found = uses(sql);
        assert_eq!(found.tables.join(" "), tables);
        assert_eq!(
            found.parameters.iter().map(|found| shown(found.as_ref())).collect::<Vec<_>>().join(" "),
            parameters
        );
    }

    #[test]
    fn nothing_is_made_up_of_texts_that_are_no_statements() {
        for sql in [
            "",
            "?",
            "= ?",
            "IN (?",
            ") VALUES ? (",
            "FROM",
            "UPDATE",
            "INSERT INTO",
            "a . = ?",
            "x IN IN (?,",
        ] {
            let found = uses(sql);
            assert_eq!(found.parameters.len(), sql.matches('?').count(), "{sql}");
        }
        assert!(uses("INSERT IGNORE INTO t VALUES (?)").ignores && !uses("SELECT 1").ignores);
        assert_eq!(uses("CALL p()").verb, Verb::Hidden);
    }
}
