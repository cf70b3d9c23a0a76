//! Bytes as SQL text: as rows of the load, and as the original writes them.

/// What follows the backslash where a byte must be escaped.
fn escape(byte: u8) -> Option<u8> {
    match byte {
        0 => Some(b'0'),
        b'\n' => Some(b'n'),
        b'\r' => Some(b'r'),
        0x1A => Some(b'Z'),
        b'\'' | b'\\' => Some(byte),
        _ => None,
    }
}

/// Appends a string in quotes whose bytes `write` appends.
pub(crate) fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'\'');
    let start = out.len();
    write(out);
    let mut read = out.len();
    let more = out[start..].iter().filter(|byte| escape(**byte).is_some()).count();
    out.resize(read + more, 0);
    // From the end, so that nothing is overwritten before it was read.
    let mut put = out.len();
    while read < put {
        read -= 1;
        put -= 1;
        match escape(out[read]) {
            Some(code) => {
                out[put] = code;
                put -= 1;
                out[put] = b'\\';
            }
            None => out[put] = out[read],
        }
    }
    out.push(b'\'');
}

/// What the original can write in quotes: the characters of Latin-1 that Java gives a numeric value, and those that it escapes.
fn has_quotes(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'\'' | b'\\' | 0 | 8 | b'\n' | b'\r' | b'\t' | 0xB2 | 0xB3 | 0xB9)
}

/// Appends a value as the original does: in quotes where all of it can be, else in hexadecimal, which is twice as long.
pub(crate) fn java(value: &[u8], out: &mut Vec<u8>) {
    if !value.iter().copied().all(has_quotes) {
        out.extend_from_slice(b"x'");
        for byte in value {
            out.extend([byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
        }
        out.push(b'\'');
        return;
    }
    out.push(b'\'');
    for byte in value {
        let code = match byte {
            8 => Some(b'b'),
            b'\t' => Some(b't'),
            _ => escape(*byte),
        };
        match code {
            Some(code) => out.extend([b'\\', code]),
            None => out.push(*byte),
        }
    }
    out.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_escaped_in_place() {
        let mut out = b"(1,".to_vec();
        quoted(&mut out, |out| out.extend_from_slice(b"a'b\\\\c\0\n\xff'"));
        quoted(&mut out, |_| {});
        assert_eq!(out, b"(1,'a\\'b\\\\\\\\c\\0\\n\xff\\''''");
    }

    #[test]
    fn the_original_writes_most_values_in_hexadecimal() {
        for (value, text) in [
            (&b""[..], "''"),
            (b"abc09Z", "'abc09Z'"),
            (b"a'\\\n\t", r"'a\'\\\n\t'"),
            (b"a b", "x'612062'"),
            (b"\xe4", "x'e4'"),
        ] {
            let mut out = Vec::new();
            java(value, &mut out);
            assert_eq!(String::from_utf8(out).expect("ASCII"), text);
        }
    }
}
