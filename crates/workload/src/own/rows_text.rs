//! The text of draws from data: `column(orders.id, zipf 0.9)`, `row(…)`, `csv(…)`, and `seq(orders.id)`.

use crate::own::draw::{Draw, How, SeqFrom, Source};
use crate::own::draw_text::{Arguments, share, theta_of};

pub(super) fn seq(arguments: &Arguments<'_>) -> Result<Draw, String> {
    let text = arguments.list.first().copied().unwrap_or_default();
    let from = match (text.parse(), arguments.list.len()) {
        (Ok(number), 1) => SeqFrom::Number(number),
        (Err(_), 1) if text.is_empty() => SeqFrom::Number(1),
        (Err(_), 1) => {
            let (table, column) = column_name(text)?;
            SeqFrom::After { table, column }
        }
        _ => {
            return Err(
                "seq is written like seq(1) or seq(orders.id), from the number after its largest".into()
            );
        }
    };
    Ok(Draw::Seq { from })
}

/// Table and column of `table.column` or `schema.table.column`, as the statement has them.
fn column_name(text: &str) -> Result<(String, String), String> {
    let named = text.rsplit_once('.').filter(|(table, column)| is_name(table) && is_name(column));
    let named = named.map(|(table, column)| (table.to_owned(), column.to_owned()));
    named.ok_or_else(|| format!("{text:?} is no column, such as orders.id"))
}

/// Whether a text is a name, with dots and backticks: nothing that could be more than a name to a server.
fn is_name(text: &str) -> bool {
    let letters = |text: &str| {
        !text.is_empty()
            && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.'))
    };
    text.split('`').enumerate().all(|(part, text)| match part % 2 {
        0 => text.is_empty() || letters(text),
        _ => !text.is_empty(),
    }) && !text.is_empty()
        && text.matches('`').count().is_multiple_of(2)
}

pub(super) fn column(arguments: &Arguments<'_>) -> Result<Draw, String> {
    let (name, column) = column_name(arguments.list.first().copied().unwrap_or_default())?;
    let how = match arguments.list[..] {
        [_] => How::Rows,
        [_, how] => how_of(how)?,
        _ => return Err("column is written like column(orders.id) or column(orders.id, zipf 0.9)".into()),
    };
    if how == How::InOrder {
        return Err(NO_ORDER.into());
    }
    Ok(Draw::Rows { source: Source::Table { name, columns: vec![column] }, how })
}

const EVERY_HOW: &str = "rows, distinct, zipf 0.9, latest, hot 20% 80%, in order, shuffled, or unique";
const NO_ORDER: &str =
    "rows of a table have no order: write shuffled, and each comes once before any comes again";

fn how_of(text: &str) -> Result<How, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["rows"] => Ok(How::Rows),
        ["distinct"] => Ok(How::Distinct),
        ["in", "order"] => Ok(How::InOrder),
        ["shuffled"] => Ok(How::Shuffled),
        ["unique"] => Ok(How::Unique),
        ["zipf", theta] => Ok(How::Zipf(theta_of(theta)?)),
        ["latest"] => Ok(How::Latest(0.99)),
        ["latest", theta] => Ok(How::Latest(theta_of(theta)?)),
        ["hot", values, draws] => {
            let shares = share(values).zip(share(draws)).filter(|(values, _)| *values > 0.0);
            let (values, draws) = shares.ok_or_else(|| format!("{text:?}: shares such as hot 20% 80%"))?;
            Ok(How::Hot { values, draws })
        }
        _ => Err(format!("{text:?} does not say how: {EVERY_HOW}")),
    }
}

/// Words that say how rows are chosen, and could be names of columns: such a column stands in backticks.
const HOW: [&str; 5] = ["rows", "distinct", "latest", "shuffled", "unique"];

/// `TABLE: COLUMN, COLUMN`, and how at the end, where it is said.
pub(super) fn rows(
    arguments: &Arguments<'_>,
    example: &str,
    source: impl Fn(String, Vec<String>) -> Source,
) -> Result<Draw, String> {
    let wrong = || format!("{} is written like {example}", arguments.draw);
    let first = arguments.list.first().copied().unwrap_or_default();
    let (name, first) = first.rsplit_once(':').ok_or_else(wrong)?;
    let mut columns = vec![first.trim()];
    columns.extend_from_slice(&arguments.list[1..]);
    let mut how = How::Rows;
    if columns.len() > 1 && columns.last().is_some_and(|last| !is_name(last) || HOW.contains(last)) {
        how = how_of(columns.pop().unwrap_or_default())?;
    }
    if !columns.iter().all(|column| is_name(column)) {
        return Err(wrong());
    }
    let source = source(name.trim().to_owned(), columns.iter().map(|column| (*column).to_owned()).collect());
    match &source {
        Source::Table { name, .. } if !is_name(name) => Err(wrong()),
        Source::File { name, .. } if name.is_empty() => Err(wrong()),
        Source::Table { .. } if how == How::InOrder => Err(NO_ORDER.into()),
        _ => Ok(Draw::Rows { source, how }),
    }
}
