//! What bytes are: whether a backslash in quotes escapes, which bytes are one letter together, what a program fills in.

/// How a session reads bytes, by its `sql_mode` and its `character_set_client`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letters {
    /// Whether a backslash is an escape: not with `NO_BACKSLASH_ESCAPES`.
    pub escapes: bool,
    /// The character set, where a letter of two bytes may end with one that looks like a backslash or a quote of a name.
    pub pairs: Option<Pairs>,
    /// Whether `#{name}` is a place that a program fills in, as in files of `MyBatis`, and no comment as for a server.
    pub templates: bool,
}

impl Default for Letters {
    fn default() -> Self {
        Self { escapes: true, pairs: None, templates: false }
    }
}

impl Letters {
    /// The rules for names: a backslash is a letter as any other.
    pub(crate) fn of_names(self) -> Self {
        Self { escapes: false, ..self }
    }

    /// The length of the place for a value that `rest` begins with: `#{id}`, `#{at, jdbcType=DATE}`.
    pub(crate) fn template(self, rest: &[u8]) -> Option<usize> {
        let inner = rest.strip_prefix(b"#{").filter(|_| self.templates)?;
        let ends = inner.iter().take(TEMPLATE_MOST).position(|byte| !is_of_template(*byte))?;
        (ends > 0 && inner[ends] == b'}').then_some(ends + 3)
    }

    /// The number of letters' bytes before the next quote or escape; `None`: there is no more of either.
    pub(crate) fn before_mark(self, rest: &[u8], quote: u8) -> Option<usize> {
        match (self.pairs, self.escapes) {
            (None, true) => memchr::memchr2(quote, b'\\', rest),
            (None, false) => memchr::memchr(quote, rest),
            (Some(pairs), escapes) => {
                let mut at = 0;
                while let Some(byte) = rest.get(at) {
                    let is_pair =
                        pairs.is_first(*byte) && rest.get(at + 1).is_some_and(|byte| pairs.is_second(*byte));
                    if is_pair {
                        at += 2;
                    } else if *byte == quote || (*byte == b'\\' && escapes) {
                        return Some(at);
                    } else {
                        at += 1;
                    }
                }
                None
            }
        }
    }
}

/// The most bytes in the braces of a place for a value.
const TEMPLATE_MOST: usize = 200;

fn is_of_template(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.,=[] ".contains(&byte)
}

/// A character set of which the second byte of a letter may be one of ASCII (MySQL manual, "Supported Character Sets and
/// Collations").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    Big5,
    /// And gb18030, whose letters of four bytes are two pairs with digits, which end nothing.
    Gbk,
    /// And cp932.
    Sjis,
}

impl Pairs {
    /// The pairs of a character set; `None` where no letter has a second byte of ASCII.
    pub fn of(charset: &str) -> Option<Self> {
        match charset.to_ascii_lowercase().as_str() {
            "big5" => Some(Self::Big5),
            "gbk" | "gb18030" => Some(Self::Gbk),
            "sjis" | "cp932" => Some(Self::Sjis),
            _ => None,
        }
    }

    fn is_first(self, byte: u8) -> bool {
        match self {
            Self::Big5 => matches!(byte, 0xa1..=0xf9),
            Self::Gbk => matches!(byte, 0x81..=0xfe),
            Self::Sjis => matches!(byte, 0x81..=0x9f | 0xe0..=0xfc),
        }
    }

    fn is_second(self, byte: u8) -> bool {
        match self {
            Self::Big5 => matches!(byte, 0x40..=0x7e | 0xa1..=0xfe),
            Self::Gbk => matches!(byte, 0x40..=0x7e | 0x80..=0xfe),
            Self::Sjis => matches!(byte, 0x40..=0x7e | 0x80..=0xfc),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::Tokens;

    #[rstest]
    #[case("gbk", b"'\xd5\x5c' b'", 4)]
    #[case("GB18030", b"'\x81\x30\x81\x30\x5c'' b'", 8)]
    #[case("big5", b"'\xa5\x5c', 'x'", 4)]
    #[case("sjis", b"'\x95\x5c', 'x'", 4)]
    #[case("cp932", b"'\xb1\x5c', 'x'", 7)]
    #[case("gbk", b"`\xd5\x60`.x", 4)]
    #[case("utf8mb4", b"'\xd5\x5c' b'", 7)]
    #[case("gbk", b"'\xd5", 2)]
    fn a_second_byte_is_no_mark(#[case] charset: &str, #[case] text: &[u8], #[case] length: usize) {
        let letters = Letters { pairs: Pairs::of(charset), ..Letters::default() };
        assert_eq!(Tokens::new(text).with(letters).next().map(|token| token.text.len()), Some(length));
    }
}
