//! Named parameters of a statement: `:name` becomes `?`, `:name*20` twenty of them.

use crate::token::{Kind, Tokens};

/// A parameter of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Without the colon.
    pub name: String,
    /// How many values the parameter has, where it is a list: `IN (:ids*20)`.
    pub list: Option<u32>,
    /// The offset of its colon in the text.
    pub at: usize,
}

/// A statement as a server takes it, and what each `?` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    /// The text without comments; code in comments stays.
    pub sql: String,
    /// One for each parameter, in order; a list has as many `?` as values.
    pub parameters: Vec<Named>,
}

/// Values of one list.
const LIST_MOST: u32 = 10_000;

/// Takes the names out of a statement.
///
/// # Errors
/// A `?` that no name stands for, or a list of no value or of more than ten thousand; with the offset.
pub fn named(text: &str) -> Result<NamedText, (usize, String)> {
    let mut sql = String::with_capacity(text.len());
    let mut parameters = Vec::new();
    let mut tokens = Tokens::new(text.as_bytes());
    while let Some(token) = tokens.next() {
        let part = &text[token.at..token.at + token.text.len()];
        match token.kind {
            Kind::Comment if part.starts_with("/*+") => sql.push_str(part),
            // A comment separates words.
            Kind::Comment => sql.push(' '),
            Kind::Symbol if part == "?" => {
                return Err((token.at, "a ? has no name to draw for: write :name".into()));
            }
            Kind::Parameter => {
                let list = list_after(&text[tokens.at()..]);
                if let Some((count, length)) = list {
                    if count == 0 || count > LIST_MOST {
                        return Err((token.at, format!("a list has 1 to {LIST_MOST} values, not {count}")));
                    }
                    tokens.go_to(tokens.at() + length);
                }
                let count = list.map_or(1, |(count, _)| count);
                sql.push_str(&vec!["?"; count as usize].join(", "));
                parameters.push(Named {
                    name: part[1..].into(),
                    list: list.map(|(count, _)| count),
                    at: token.at,
                });
            }
            _ => sql.push_str(part),
        }
    }
    Ok(NamedText { sql: sql.trim().into(), parameters })
}

/// The number of values, and the length of `*20` that says it.
fn list_after(rest: &str) -> Option<(u32, usize)> {
    let digits = rest.strip_prefix('*')?;
    let length = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    // More digits than a number has: more values than a list may have.
    (length > 0).then(|| (digits[..length].parse().unwrap_or(u32::MAX), length + 1))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn list(name: &str, list: Option<u32>, at: usize) -> Named {
        Named { name: name.into(), list, at }
    }

    #[rstest]
    #[case("SELECT a FROM t WHERE id = :id", "SELECT a FROM t WHERE id = ?", &[list("id", None, 27)])]
    #[case("SELECT ':no', `:no`, \":no\" -- :no\n, :yes", "SELECT ':no', `:no`, \":no\"  \n, ?", &[list("yes", None, 36)])]
    #[case("IN (:ids*3)", "IN (?, ?, ?)", &[list("ids", Some(3), 4)])]
    #[case("SELECT :a*b", "SELECT ?*b", &[list("a", None, 7)])]
    #[case("SELECT /*+ MAX_EXECUTION_TIME(9) */ @x := :a", "SELECT /*+ MAX_EXECUTION_TIME(9) */ @x := ?", &[list("a", None, 42)])]
    fn names_become_marks(#[case] text: &str, #[case] sql: &str, #[case] parameters: &[Named]) {
        let found = named(text).expect("a statement");
        assert_eq!((found.sql.as_str(), found.parameters.as_slice()), (sql, parameters));
    }

    #[rstest]
    #[case("SELECT ?", 7)]
    #[case("IN (:a*0)", 4)]
    #[case("IN (:a*99999999999)", 4)]
    fn what_cannot_be_drawn_is_refused_where_it_stands(#[case] text: &str, #[case] at: usize) {
        assert_eq!(named(text).expect_err("refused").0, at);
    }
}
