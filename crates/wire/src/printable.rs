//! Texts of a server, made fit to be shown: a message is read in terminals, reports and logs.

use std::fmt::Write;

/// Longest message of a server that is kept, in bytes.
pub(crate) const MESSAGE_BYTES: usize = 4096;

/// A server's text, with everything escaped that steers a terminal or the direction of writing: control characters as
/// `\xNN`, marks of direction and line separators as `\u{...}`. Of what would take more than `limit` bytes the
/// beginning is left, and how much is missing.
#[must_use]
pub fn printable(bytes: &[u8], limit: usize) -> String {
    let mut out = String::new();
    put_printable(bytes, limit, &mut out);
    out
}

/// Appends to an empty text what [`printable`] makes of the bytes.
pub(crate) fn put_printable(bytes: &[u8], limit: usize, out: &mut String) {
    if bytes.len() <= limit && bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        // Nothing to escape, as nearly always.
        out.push_str(str::from_utf8(bytes).unwrap_or_default());
        return;
    }
    let mut taken = 0;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if !put(out, character, limit) {
                return cut(out, bytes.len() - taken);
            }
            taken += character.len_utf8();
        }
        if !chunk.invalid().is_empty() && !put(out, char::REPLACEMENT_CHARACTER, limit) {
            return cut(out, bytes.len() - taken);
        }
        taken += chunk.invalid().len();
    }
}

/// Appends a character, escaped where it must be, unless that takes the text past `limit` bytes; whether it fitted.
fn put(out: &mut String, character: char, limit: usize) -> bool {
    let before = out.len();
    // Writing to a string does not fail.
    let _ = match character {
        '\0'..='\x1F' | '\x7F'..='\u{9F}' => write!(out, "\\x{:02x}", u32::from(character)),
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            write!(out, "\\u{{{:04X}}}", u32::from(character))
        }
        shown => {
            out.push(shown);
            Ok(())
        }
    };
    let fits = out.len() <= limit;
    if !fits {
        out.truncate(before);
    }
    fits
}

/// Says at the end of a text how many bytes of it are missing.
fn cut(out: &mut String, left: usize) {
    // Writing to a string does not fail.
    let _ = write!(out, " ... ({left} bytes more)");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["Duplicate entry '5' for key 'PRIMARY'", "重复的键", "naïve \\x1B", ""] {
            assert_eq!(printable(text.as_bytes(), 100), text);
        }
    }

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        let hostile = "a\x1B]0;title\x07b\nc\rd\te\x7F\u{9B}31m\u{202E}f\u{2066}\u{2028}";
        let shown = "a\\x1b]0;title\\x07b\\x0ac\\x0dd\\x09e\\x7f\\x9b31m\\u{202E}f\\u{2066}\\u{2028}";
        assert_eq!(printable(hostile.as_bytes(), 100), shown);
        assert_eq!(printable(b"a\x9Bb", 100), "a\u{FFFD}b", "no character at all");
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(printable(b"abcdef", 4), "abcd ... (2 bytes more)");
        assert_eq!(printable("aé".as_bytes(), 2), "a ... (2 bytes more)", "not within a character");
        assert_eq!(printable(b"a\x1B\x1B", 5), "a\\x1b ... (1 bytes more)", "the escaped text counts");
        let long = printable(&vec![0x1B; 100_000], 4096);
        assert!(long.len() < 4200, "{}", long.len());
    }
}
