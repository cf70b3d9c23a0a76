//! The text of a draw in an annotation: `int(1..100)`, `column(orders.id, zipf 0.9)`.

use assay_chance::Zipf;

use crate::own::draw::{Draw, Literal, SeqFrom, Source};
use crate::own::held::days_of;
use crate::own::rows_text::{column, rows, seq};
use crate::shares::Shares;

/// The most that a text may have: a packet of 4 MiB, as old servers take it.
const TEXT_MOST: u64 = 4 << 20;

impl Draw {
    /// The draw that a text says.
    ///
    /// # Errors
    /// What is wrong with it, and what could stand there.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return match text {
                "counter" => Ok(Self::Counter),
                "uuid4" => Ok(Self::Uuid4),
                "uuid7" => Ok(Self::Uuid7),
                "seq" => Ok(Self::Seq { from: SeqFrom::Number(1) }),
                _ => match literal(text) {
                    Some(value) => pick(&[(value, 1.0)]),
                    None => Err(format!("{text:?} draws nothing: {KNOWN}")),
                },
            };
        };
        let name = name.trim();
        let Some(inside) = rest.trim_end().strip_suffix(')') else {
            return Err(format!("{name}( is not closed by )"));
        };
        let arguments = Arguments { draw: name, list: cut(inside, ',')? };
        match name {
            "int" => int(&arguments),
            "decimal" => decimal(&arguments),
            "date" => {
                arguments.one().and_then(|text| range(text, day)).map(|(low, high)| Self::Date { low, high })
            }
            "datetime" => arguments
                .one()
                .and_then(|text| range(text, second))
                .map(|(low, high)| Self::DateTime { low, high }),
            "text" => text_of(&arguments),
            "hex" => match arguments.one().and_then(whole)? {
                digits @ 1..=1_000_000 => Ok(Self::Hex { digits: digits.unsigned_abs() }),
                _ => Err("hex has 1 to 1000000 digits".into()),
            },
            "uuid4" => arguments.none().map(|()| Self::Uuid4),
            "uuid7" => arguments.none().map(|()| Self::Uuid7),
            "counter" => arguments.none().map(|()| Self::Counter),
            "pick" => {
                let values: Result<Vec<_>, String> =
                    arguments.list.iter().map(|text| weighed(text)).collect();
                pick(&values?)
            }
            "zipf" => {
                let [n, theta] = arguments.exactly::<2>("zipf(1000, 0.9)")?;
                let high = whole(n).ok().filter(|n| *n > 0).ok_or("zipf: the first number is at least 1")?;
                Ok(Self::Int { low: 1, high, zipf: Some(Zipf::new(high.unsigned_abs(), theta_of(theta)?)) })
            }
            "permute" => match arguments.one().and_then(whole)? {
                n if n > 0 => Ok(Self::Permute { n: n.unsigned_abs() }),
                _ => Err("permute has at least one number".into()),
            },
            "seq" => seq(&arguments),
            "column" => column(&arguments),
            "row" => rows(&arguments, "row(TABLE: COLUMN, COLUMN)", |name, columns| Source::Table {
                name,
                columns,
            }),
            "csv" => {
                rows(&arguments, "csv(FILE: COLUMN, COLUMN)", |name, columns| Source::File { name, columns })
            }
            _ => Err(format!("{name} is no draw: {KNOWN}")),
        }
    }
}

const KNOWN: &str = "there are column, row, csv, int, decimal, date, datetime, text, hex, uuid4, uuid7, pick, zipf, permute, seq, \
                     counter, a number, or a text in quotes";

/// What stands between the parentheses of a draw.
pub(super) struct Arguments<'a> {
    pub(super) draw: &'a str,
    pub(super) list: Vec<&'a str>,
}

impl<'a> Arguments<'a> {
    fn none(&self) -> Result<(), String> {
        if self.list.iter().all(|text| text.is_empty()) {
            Ok(())
        } else {
            Err(format!("{} takes nothing", self.draw))
        }
    }

    fn one(&self) -> Result<&'a str, String> {
        match self.list[..] {
            [one] if !one.is_empty() => Ok(one),
            _ => Err(format!("{} takes one thing, not {}", self.draw, self.list.len())),
        }
    }

    fn exactly<const N: usize>(&self, example: &str) -> Result<[&'a str; N], String> {
        self.list.clone().try_into().map_err(|_| format!("{} is written like {example}", self.draw))
    }
}

/// Cuts a text at a letter that stands outside of quotes and parentheses.
///
/// # Errors
/// A quote or a parenthesis is not closed.
pub(super) fn cut(text: &str, at: char) -> Result<Vec<&str>, String> {
    let (mut parts, mut begun, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (place, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, _) if letter == at && depth == 0 => {
                parts.push(text[begun..place].trim());
                begun = place + letter.len_utf8();
            }
            _ => {}
        }
    }
    if let Some(open) = quote {
        return Err(format!("{open} is not closed in {text:?}"));
    }
    if depth != 0 {
        return Err(format!("parentheses are not closed in {text:?}"));
    }
    parts.push(text[begun..].trim());
    Ok(parts)
}

/// A value: a number, NULL, or a text in quotes.
fn literal(text: &str) -> Option<Literal> {
    if text.eq_ignore_ascii_case("null") {
        return Some(Literal::Null);
    }
    if let Ok(number) = text.parse() {
        return Some(Literal::Int(number));
    }
    let number = !text.is_empty()
        && text.parse::<f64>().is_ok_and(f64::is_finite)
        && !text.starts_with(['+', 'i', 'n']);
    if number {
        // The server reads it as the column's type.
        return Some(Literal::Text(text.into()));
    }
    let quote = text.chars().next().filter(|letter| matches!(letter, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote)).then(|| Literal::Text(inner.into()))
}

/// A value of a pick with its weight: `'paid': 70`, or a word without quotes.
fn weighed(text: &str) -> Result<(Literal, f64), String> {
    let parts = cut(text, ':')?;
    let value = |text: &str| {
        let word = !text.is_empty()
            && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-');
        literal(text).or_else(|| word.then(|| Literal::Text(text.into())))
    };
    let wrong = || format!("pick: {text:?} is not a value with a weight, such as paid: 70");
    match parts[..] {
        [one] => value(one).map(|value| (value, 1.0)).ok_or_else(wrong),
        [one, weight] => {
            let weight = weight.parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight >= 0.0);
            value(one).zip(weight).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

fn pick(values: &[(Literal, f64)]) -> Result<Draw, String> {
    let weights: Vec<f64> = values.iter().map(|(_, weight)| *weight).collect();
    let shares = Shares::new(&weights).map_err(|_| "pick: every weight is 0".to_owned())?;
    Ok(Draw::Pick { values: values.iter().map(|(value, _)| value.clone()).collect(), shares })
}

/// The two ends of `low..high`, each read alike, the low one not above the other.
fn range<T: PartialOrd>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<(T, T), String> {
    let ends = text.split_once("..").ok_or_else(|| format!("{text:?} is no range, such as 1..100"))?;
    let (low, high) = (read(ends.0.trim())?, read(ends.1.trim())?);
    if low <= high { Ok((low, high)) } else { Err(format!("{text}: the range ends before it begins")) }
}

fn whole(text: &str) -> Result<i64, String> {
    text.replace('_', "").parse().map_err(|_| format!("{text:?} is no whole number"))
}

pub(super) fn theta_of(text: &str) -> Result<f64, String> {
    let theta = text.trim().parse::<f64>().ok().filter(|theta| (0.0..=10.0).contains(theta));
    theta.ok_or_else(|| format!("{text:?} is no exponent of Zipf's law: 0 (all alike) to 10"))
}

/// A share of 1, in percent.
pub(super) fn share(text: &str) -> Option<f64> {
    let percent = text.trim_end_matches('%').trim().parse::<f64>().ok();
    percent.filter(|percent| (0.0..=100.0).contains(percent)).map(|percent| percent / 100.0)
}

/// A text of some length; how well it compresses is said by the share of its letters that are one and the same.
fn text_of(arguments: &Arguments<'_>) -> Result<Draw, String> {
    let wrong = || "text is written like text(5..20) or text(100..200, compressible 50%)".to_owned();
    let (ends, filler) = match arguments.list[..] {
        [ends] => (ends, 0.0),
        [ends, how] => {
            let filler = how.strip_prefix("compressible ").and_then(share);
            (ends, filler.ok_or_else(|| format!("{how:?}: {}", wrong()))?)
        }
        _ => return Err(wrong()),
    };
    let (low, high) = range(ends, whole)?;
    let bounds = u64::try_from(low).ok().zip(u64::try_from(high).ok());
    let (low, high) = bounds
        .filter(|(_, high)| *high <= TEXT_MOST)
        .ok_or_else(|| format!("text has 0 to {TEXT_MOST} letters"))?;
    Ok(Draw::Text { low, high, filler })
}

/// The exponent of the law that an argument says: `zipf 0.9`.
fn law(text: &str) -> Result<f64, String> {
    match text.split_once(char::is_whitespace) {
        Some(("zipf", theta)) => theta_of(theta),
        _ => Err(format!("{text:?} is no law: zipf 0.9")),
    }
}

/// A whole number of a range, by a law.
pub(super) fn int_of(range_text: &str, law_text: Option<&str>) -> Result<Draw, String> {
    let (low, high) = range(range_text, whole)?;
    let span = high.abs_diff(low).saturating_add(1);
    let zipf = law_text.map(law).transpose()?.map(|theta| Zipf::new(span, theta));
    Ok(Draw::Int { low, high, zipf })
}

fn int(arguments: &Arguments<'_>) -> Result<Draw, String> {
    match arguments.list[..] {
        [ends] => int_of(ends, None),
        [ends, law] => int_of(ends, Some(law)),
        _ => Err("int is written like int(1..100) or int(1..100, zipf 0.9)".into()),
    }
}

/// Digits after the point that a drawn number can have.
const MOST_DECIMALS: usize = 18;

/// An exact number; its ends say how many digits follow the point, two where they say none.
fn decimal(arguments: &Arguments<'_>) -> Result<Draw, String> {
    let text = arguments.one()?;
    let (low, high) =
        text.split_once("..").ok_or_else(|| format!("{text:?} is no range, such as 5.00..500.00"))?;
    let digits = |text: &str| text.trim().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let scale = digits(low).max(digits(high));
    let scale = if scale == 0 { 2 } else { scale };
    if scale > MOST_DECIMALS {
        return Err(format!("{text:?}: a decimal number has at most {MOST_DECIMALS} digits after the point"));
    }
    let read = |text: &str| {
        let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (units, fraction) = text.split_once('.').unwrap_or((text, ""));
        if units.is_empty() {
            return Err(format!("{text:?} is no decimal number: digits stand before the point"));
        }
        let joined = format!("{units}{fraction:0<scale$}");
        let number =
            joined.bytes().all(|byte| byte.is_ascii_digit()).then(|| joined.parse::<i64>().ok()).flatten();
        number
            .map(|number| sign * number)
            .ok_or_else(|| format!("{text:?} is no decimal number of 18 digits"))
    };
    let (low, high) = range(text, read)?;
    Ok(Draw::Decimal { low, high, scale: scale as u8 })
}

/// The numbers between separators; none at all where one of them is no number.
fn whole_parts(text: &str, separator: char) -> Vec<i64> {
    text.split(separator).map(|part| part.parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

fn day(text: &str) -> Result<i64, String> {
    let parts = whole_parts(text, '-');
    match parts[..] {
        [year @ 0..=9999, month @ 1..=12, day @ 1..=31] => {
            let days = days_of(year, month, day);
            // The day after the month's last is in another month.
            let last = if month == 12 { 31 } else { days_of(year, month + 1, 1) - days_of(year, month, 1) };
            if day <= last { Ok(days) } else { Err(format!("{text:?}: the month has {last} days")) }
        }
        _ => Err(format!("{text:?} is no date, such as 2026-01-31")),
    }
}

pub(super) fn second(text: &str) -> Result<i64, String> {
    let text = text.trim_matches(['\'', '"']);
    let (date, time) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let parts = whole_parts(time, ':');
    let seconds = match parts[..] {
        [hour @ 0..=23, minute @ 0..=59] => hour * 3600 + minute * 60,
        [hour @ 0..=23, minute @ 0..=59, second @ 0..=59] => hour * 3600 + minute * 60 + second,
        _ => return Err(format!("{text:?} is no time, such as 2026-01-31 12:00:00")),
    };
    Ok(day(date)? * 86_400 + seconds)
}
