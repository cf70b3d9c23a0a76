//! Whether what is drawn fits into the column that takes it.

use crate::own::draw::{Draw, Literal, SeqFrom};
use crate::own::pool::{Pool, Values};
use crate::own::schema::Column;

/// The values that a draw can give, as far as they matter to a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reach {
    /// Whole numbers between two ends.
    Whole(i128, i128),
    /// Decimal numbers between two ends, cut to whole ones.
    Decimal(i128, i128),
    /// Texts of at most so many characters and bytes, which are no numbers.
    Text {
        characters: u64,
        bytes: u64,
    },
    /// Texts that are written as they are, one of them the longest.
    Texts(Vec<Box<[u8]>>),
    /// Bytes of no character set, at most so many.
    Binary(u64),
    /// Days between two ends, in seconds since 1970.
    Times(i64, i64),
    Null,
}

/// Distinct texts that are looked at one by one; a column that fits these may still refuse another.
const LOOKED_AT: usize = 1_000_000;

/// What a draw can give; nothing where that is not known. `value` is which of its values is meant.
pub(super) fn reach_of(draw: &Draw, value: usize, pool: Option<&Pool>) -> Vec<Reach> {
    match draw {
        Draw::Int { low, high, .. } => vec![Reach::Whole((*low).into(), (*high).into())],
        Draw::Permute { n } => vec![Reach::Whole(1, (*n).into())],
        Draw::Seq { from: SeqFrom::Number(number) } => vec![Reach::Whole((*number).into(), (*number).into())],
        Draw::Decimal { low, high, scale } => {
            let cut = |number: i64| i128::from(number) / 10_i128.pow(u32::from(*scale));
            vec![Reach::Decimal(cut(*low), cut(*high))]
        }
        Draw::Date { low, high } => vec![Reach::Times(low * 86_400, high * 86_400)],
        Draw::DateTime { low, high } => vec![Reach::Times(*low, *high)],
        Draw::Text { high, .. } => vec![Reach::Text { characters: *high, bytes: *high }],
        Draw::Hex { digits } => vec![Reach::Text { characters: *digits, bytes: *digits }],
        Draw::Uuid4 | Draw::Uuid7 => vec![Reach::Text { characters: 36, bytes: 36 }],
        Draw::Pick { values, .. } => values.iter().map(reach_of_literal).collect(),
        Draw::Counter | Draw::Seq { .. } => Vec::new(),
        Draw::Rows { .. } => {
            pool.and_then(|pool| pool.column(value)).map(reach_of_values).into_iter().collect()
        }
    }
}

fn reach_of_literal(literal: &Literal) -> Reach {
    match literal {
        Literal::Null => Reach::Null,
        Literal::Int(number) => Reach::Whole((*number).into(), (*number).into()),
        Literal::Text(text) => Reach::Texts(vec![text.as_bytes().into()]),
    }
}

fn reach_of_values(values: &Values) -> Reach {
    let ends = |mut all: Box<dyn Iterator<Item = i128> + '_>| {
        let first = all.next().unwrap_or(0);
        all.fold((first, first), |(low, high), one| (low.min(one), high.max(one)))
    };
    match values {
        Values::Whole(values) => {
            let (low, high) = ends(Box::new(values.iter().map(|value| i128::from(*value))));
            Reach::Whole(low, high)
        }
        Values::Natural(values) => {
            let (low, high) = ends(Box::new(values.iter().map(|value| i128::from(*value))));
            Reach::Whole(low, high)
        }
        Values::Decimal { unscaled, scale } => {
            let (low, high) = ends(Box::new(unscaled.iter().map(|value| i128::from(*value))));
            let base = 10_i128.pow(u32::from(*scale));
            Reach::Decimal(low / base, high / base)
        }
        Values::Texts(values) => Reach::Texts(values.iter().take(LOOKED_AT).cloned().collect()),
        Values::Binary(values) => {
            Reach::Binary(values.iter().map(|value| value.len() as u64).max().unwrap_or(0))
        }
    }
}

/// The reason for which a column refuses some of these values; `None` where it takes all of them, or nobody can say.
pub(super) fn refusal(reach: &Reach, column: &Column) -> Option<String> {
    let shown = &column.column_type;
    if *reach == Reach::Null {
        return (!column.nullable && !column.fills_nulls).then(|| "NULL, and the column is NOT NULL".into());
    }
    match column.data_type.as_str() {
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" => {
            let (low, high) = whole_range(column)?;
            match reach {
                Reach::Whole(first, last) | Reach::Decimal(first, last) => (*first < low || *last > high)
                    .then(|| {
                        let end = if *last > high { last } else { first };
                        format!("{end}, and {shown} holds {low} to {high}")
                    }),
                _ => no_number(reach, shown),
            }
        }
        "decimal" | "numeric" => {
            let digits = column.precision?.checked_sub(column.scale.unwrap_or(0))?.min(37);
            match reach {
                Reach::Whole(first, last) | Reach::Decimal(first, last) => {
                    let most = 10_i128.pow(digits);
                    let end = if last.abs() >= first.abs() { last } else { first };
                    (end.abs() >= most)
                        .then(|| format!("{end}, and {shown} has {digits} digits before the point"))
                }
                _ => no_number(reach, shown),
            }
        }
        "float" | "double" | "real" => no_number(reach, shown),
        "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "binary" | "varbinary"
        | "tinyblob" | "blob" | "mediumblob" | "longblob" => {
            let in_bytes = !column.data_type.ends_with("char");
            let longest = longest(reach, in_bytes)?;
            let most = column.length?;
            let unit = if in_bytes { "bytes" } else { "characters" };
            (longest > most).then(|| format!("{longest} {unit}, and {shown} holds {most}"))
        }
        "date" | "datetime" | "timestamp" | "time" => match reach {
            Reach::Text { .. } => Some(format!("letters and digits, and {shown} holds a time")),
            Reach::Times(low, high) if column.data_type == "timestamp" => {
                // 1970-01-01 00:00:01 to 2038-01-19 03:14:07; MariaDB 11.5 goes on to 2106.
                let most = i64::from(u32::MAX);
                (*low < 1 || *high > most)
                    .then(|| format!("a time before 1970 or after 2106, and {shown} holds none"))
            }
            _ => None,
        },
        "enum" => match reach {
            Reach::Texts(texts) => {
                let known = |text: &[u8]| {
                    let text = String::from_utf8_lossy(text).to_lowercase();
                    shown.contains(&format!("'{}'", text.trim_end().replace('\'', "''")))
                        || text.parse::<u32>().is_ok()
                };
                let stranger = texts.iter().find(|text| !known(text))?;
                Some(format!("'{}', and the column is {shown}", String::from_utf8_lossy(stranger)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The whole numbers that a column holds.
fn whole_range(column: &Column) -> Option<(i128, i128)> {
    let bits = match column.data_type.as_str() {
        "tinyint" => 8,
        "smallint" => 16,
        "mediumint" => 24,
        "int" | "integer" => 32,
        "bigint" => 64,
        _ => return None,
    };
    let unsigned = column.column_type.contains("unsigned");
    Some(if unsigned { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) })
}

/// The reason for which a column of numbers refuses what is no number.
fn no_number(reach: &Reach, shown: &str) -> Option<String> {
    match reach {
        Reach::Text { .. } => Some(format!("letters and digits, and {shown} holds numbers")),
        Reach::Texts(texts) => {
            let number = |text: &[u8]| {
                str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
            };
            let stranger = texts.iter().find(|text| !number(text))?;
            let beginning: String = String::from_utf8_lossy(stranger).chars().take(40).collect();
            Some(format!("'{beginning}', and {shown} holds numbers"))
        }
        // A whole number's column takes 2026-01-01 for 2026, and warns or refuses: never what is meant.
        Reach::Times(..) => Some(format!("a time, and {shown} holds numbers")),
        _ => None,
    }
}

/// The longest value; `None` where it has no length of its own.
fn longest(reach: &Reach, in_bytes: bool) -> Option<u64> {
    let digits = |number: &i128| number.to_string().len() as u64;
    match reach {
        Reach::Whole(first, last) => Some(digits(first).max(digits(last))),
        Reach::Text { characters, bytes } => Some(if in_bytes { *bytes } else { *characters }),
        Reach::Texts(texts) => {
            let length = |text: &[u8]| {
                if in_bytes {
                    text.len() as u64
                } else {
                    String::from_utf8_lossy(text).chars().count() as u64
                }
            };
            texts.iter().map(|text| length(text)).max()
        }
        Reach::Binary(bytes) => Some(*bytes),
        Reach::Times(..) => Some(10),
        Reach::Decimal(..) | Reach::Null => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn column(column_type: &str, length: Option<u64>, nullable: bool) -> Column {
        let data_type = column_type.split(['(', ' ']).next().unwrap_or_default().to_owned();
        let numbers: Vec<u32> = column_type
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        let (precision, scale) = (numbers.first().copied(), numbers.get(1).copied());
        let column_type = column_type.to_owned();
        let name = "c".to_owned();
        Column { name, data_type, column_type, nullable, length, precision, scale, fills_nulls: false }
    }

    #[rstest]
    #[case("int(0..127)", "tinyint(4)", None, "")]
    #[case("int(0..128)", "tinyint(4)", None, "128, and tinyint(4) holds -128 to 127")]
    #[case("int(-1..5)", "int(10) unsigned", None, "-1, and int(10) unsigned holds 0 to 4294967295")]
    #[case("zipf(3000000000, 0.9)", "int(11)", None, "3000000000, and int(11) holds")]
    #[case("int(0..9223372036854775807)", "bigint(20)", None, "")]
    #[case("seq(256)", "tinyint unsigned", None, "256, and")]
    #[case("decimal(0.00..999.99)", "decimal(5,2)", None, "")]
    #[case("decimal(0.00..1000.00)", "decimal(5,2)", None, "1000, and decimal(5,2) has 3 digits")]
    #[case("text(1..4)", "int(11)", None, "letters and digits, and int(11) holds numbers")]
    #[case("pick('1', '2.5')", "int(11)", None, "")]
    #[case("pick(a, 2)", "double", None, "'a', and double holds numbers")]
    #[case("date(2026-01-01..2026-02-01)", "int(11)", None, "a time, and int(11) holds numbers")]
    #[case("text(5..41)", "varchar(40)", Some(40), "41 characters, and varchar(40) holds 40")]
    #[case("text(5..40)", "varchar(40)", Some(40), "")]
    #[case("pick('ÅÅ')", "varchar(2)", Some(2), "")]
    #[case("pick('ÅÅ')", "varbinary(3)", Some(3), "4 bytes, and varbinary(3) holds 3")]
    #[case("uuid7", "char(32)", Some(32), "36 characters, and char(32) holds 32")]
    #[case("hex(32)", "char(32)", Some(32), "")]
    #[case("int(1..100000)", "char(5)", Some(5), "6 characters")]
    #[case("text(3..3)", "date", None, "letters and digits, and date holds a time")]
    #[case("datetime(1969-01-01..2026-01-01)", "timestamp", None, "a time before 1970")]
    #[case("pick(paid, open)", "enum('paid','open')", None, "")]
    #[case("pick(paid, shut)", "enum('paid','open')", None, "'shut', and the column is enum")]
    #[case("pick(1, null)", "int(11)", None, "NULL, and the column is NOT NULL")]
    #[case("text(1..9)", "json", None, "")]
    fn a_value_that_cannot_be_held_is_named(
        #[case] draw: &str,
        #[case] column_type: &str,
        #[case] length: Option<u64>,
        #[case] words: &str,
    ) {
        let draw = Draw::parse(draw).expect("a draw");
        let column = column(column_type, length, false);
        let found = reach_of(&draw, 0, None).iter().find_map(|reach| refusal(reach, &column));
        match found {
            None => assert_eq!(words, "", "{draw:?}"),
            Some(why) => assert!(!words.is_empty() && why.contains(words), "{why}"),
        }
    }
}
