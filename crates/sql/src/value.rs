//! Values as statements write them: what a number, a text in quotes, a text of hexadecimal digits stands for.

/// A value of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// A number, as it is written.
    Number(String),
    /// A text, its escapes resolved.
    Text(String),
    /// Bytes that are no text of UTF-8, or that are written as hexadecimal digits.
    Bytes(Vec<u8>),
    Null,
    /// `?`: the text does not have the value.
    Unknown,
}

/// The text that a quoted token stands for, by the rules of the MySQL manual ("String Literals").
pub(crate) fn unquoted(token: &[u8]) -> Vec<u8> {
    let (Some(quote), true) = (token.first().copied(), token.len() >= 2) else { return Vec::new() };
    let mut text = Vec::with_capacity(token.len());
    let mut bytes = token[1..token.len() - 1].iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => text.push(b'\n'),
                Some(b't') => text.push(b'\t'),
                Some(b'r') => text.push(b'\r'),
                Some(b'0') => text.push(0),
                Some(b'b') => text.push(8),
                Some(b'Z') => text.push(0x1a),
                // A pattern keeps its backslash.
                Some(mark @ (b'%' | b'_')) => text.extend([b'\\', mark]),
                Some(other) => text.push(other),
                None => {}
            },
            _ if byte == quote => {
                // Doubled inside of quotes.
                bytes.next_if_eq(&quote);
                text.push(quote);
            }
            other => text.push(other),
        }
    }
    text
}

/// A text, or bytes where it is no UTF-8.
pub(crate) fn text_or_bytes(bytes: Vec<u8>) -> Literal {
    String::from_utf8(bytes).map_or_else(|error| Literal::Bytes(error.into_bytes()), Literal::Text)
}

/// The bytes of hexadecimal digits, with a zero in front where one is missing; `None` of other letters.
pub(crate) fn of_hex(digits: &[u8]) -> Option<Literal> {
    let digit = |byte: &u8| (*byte as char).to_digit(16).map(|digit| digit as u8);
    let mut values = digits.iter().map(digit).collect::<Option<Vec<u8>>>()?;
    if values.len() % 2 == 1 {
        values.insert(0, 0);
    }
    Some(Literal::Bytes(values.chunks(2).map(|pair| (pair[0] << 4) | pair[1]).collect()))
}

/// The number of binary digits; `None` of other letters, and of more than 64.
pub(crate) fn of_bits(digits: &[u8]) -> Option<Literal> {
    let text = str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    u64::from_str_radix(text, 2).ok().map(|number| Literal::Number(number.to_string()))
}

/// What a token that begins with a digit or a point stands for; `None` where it is no number but a name, as `1st`.
pub(crate) fn of_number(token: &[u8]) -> Option<Literal> {
    if let Some(digits) = token.strip_prefix(b"0x").filter(|digits| !digits.is_empty()) {
        return of_hex(digits);
    }
    if let Some(digits) = token.strip_prefix(b"0b").filter(|digits| !digits.is_empty()) {
        return of_bits(digits);
    }
    let text = str::from_utf8(token).ok()?;
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    (plain && text.parse::<f64>().is_ok()).then(|| Literal::Number(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(r"'it''s'", "it's")]
    #[case(r#""a ""b"" 'c'""#, "a \"b\" 'c'")]
    #[case(r"'a\'b\\n\n\%'", "a'b\\n\n\\%")]
    #[case("''", "")]
    fn texts_lose_quotes_and_escapes(#[case] token: &str, #[case] text: &str) {
        assert_eq!(text_or_bytes(unquoted(token.as_bytes())), Literal::Text(text.into()));
    }

    #[test]
    fn digits_are_bytes_and_numbers() {
        assert_eq!(of_number(b"0x4D2"), Some(Literal::Bytes(vec![4, 0xd2])));
        assert_eq!(of_number(b"0b101"), Some(Literal::Number("5".into())));
        assert_eq!(of_number(b"1.5e-3"), Some(Literal::Number("1.5e-3".into())));
        assert_eq!((of_number(b"1st"), of_hex(b"xy"), of_bits(b"2")), (None, None, None));
        assert_eq!(text_or_bytes(unquoted(b"'\xff'")), Literal::Bytes(vec![0xff]));
    }
}
