//! Texts in UTF-16, as Windows' shells write what a program prints, read as UTF-8.

use std::io::{self, Read};

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 64 << 10;
/// Letters by which a text without a byte order mark is known: every other byte of them is zero.
const LETTERS: usize = 64;

/// What makes UTF-8 of UTF-16, piece by piece.
#[derive(Debug)]
pub(super) struct Utf16 {
    is_big: bool,
    begun: bool,
    /// Bytes of a letter that is not whole.
    rest: Vec<u8>,
    text: Vec<u8>,
    handed: usize,
}

impl Utf16 {
    /// The way to read a text that begins with these bytes; `None`: it is not in UTF-16.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let zeros = |from: usize| {
            head.len() >= 4 && head.iter().take(2 * LETTERS).skip(from).step_by(2).all(|byte| *byte == 0)
        };
        let is_big = match head {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            [first, second, ..] if *first != 0 && *second == 0 && zeros(1) => false,
            [first, second, ..] if *first == 0 && *second != 0 && zeros(0) => true,
            _ => return None,
        };
        Some(Self { is_big, begun: false, rest: Vec::new(), text: Vec::new(), handed: 0 })
    }

    /// The UTF-8 of the next bytes.
    ///
    /// # Errors
    /// Half of a letter stands alone.
    pub(super) fn text(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if self.is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
        };
        let mut units: Vec<u16> = all.chunks_exact(2).map(unit).collect();
        // The second half of a letter may follow in the next bytes.
        let is_half = units.last().is_some_and(|last| (0xd800..0xdc00).contains(last));
        if is_half {
            units.pop();
        }
        self.rest = all[2 * units.len()..].to_vec();
        let mut text = String::with_capacity(units.len());
        for letter in char::decode_utf16(units) {
            let letter = letter.map_err(|_| invalid())?;
            // The byte order mark is no letter of the text.
            if self.begun || letter != '\u{feff}' {
                text.push(letter);
            }
            self.begun = true;
        }
        Ok(text.into_bytes())
    }

    /// Reads on as UTF-8.
    ///
    /// # Errors
    /// The text cannot be read, or is no UTF-16.
    pub(super) fn read(&mut self, from: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
        while self.handed == self.text.len() {
            let mut bytes = vec![0; CHUNK_BYTES];
            let read = from.read(&mut bytes)?;
            if read == 0 {
                return if self.rest.is_empty() { Ok(0) } else { Err(invalid()) };
            }
            self.text = self.text(&bytes[..read])?;
            self.handed = 0;
        }
        let length = out.len().min(self.text.len() - self.handed);
        out[..length].copy_from_slice(&self.text[self.handed..self.handed + length]);
        self.handed += length;
        Ok(length)
    }
}

fn invalid() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is in UTF-16, and a letter of it is not whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads its bytes a few at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(3).min(out.len());
            out[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn read_of(bytes: &[u8]) -> io::Result<String> {
        let mut utf16 = Utf16::of(&bytes[..bytes.len().min(512)]).expect("UTF-16");
        let (mut from, mut all) = (Slowly(bytes), Vec::new());
        loop {
            let mut out = [0; 2];
            match utf16.read(&mut from, &mut out)? {
                0 => return Ok(String::from_utf8(all).expect("UTF-8")),
                length => all.extend_from_slice(&out[..length]),
            }
        }
    }

    #[test]
    fn both_orders_are_read_with_a_mark_and_without() {
        let text = "SELECT 'ä😀';\r\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let ascii =
            |bytes: fn(u16) -> [u8; 2]| "SELECT 1;".encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        assert_eq!(read_of(&[b"\xff\xfe", little.as_slice()].concat()).expect("read"), text);
        assert_eq!(read_of(&[b"\xfe\xff", big.as_slice()].concat()).expect("read"), text);
        assert_eq!(read_of(&ascii(u16::to_le_bytes)).expect("read"), "SELECT 1;");
        assert_eq!(read_of(&ascii(u16::to_be_bytes)).expect("read"), "SELECT 1;");
        assert!(read_of(&[b"\xff\xfe", &little[..little.len() - 1]].concat()).is_err());
        assert!(Utf16::of(b"SELECT 1;").is_none() && Utf16::of(b"").is_none());
    }
}
