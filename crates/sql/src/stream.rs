//! Statements of a text that is read piece by piece, so that it may be larger than memory.

use std::io::{self, Read};

use crate::letters::Letters;
use crate::split::{BYTE_ORDER_MARK, Cut, Cutter};
use crate::token::Token;

const CHUNK_BYTES: usize = 1 << 20;
/// The longest statement that any server takes (`max_allowed_packet`).
const LONGEST_BYTES: usize = 1 << 30;

/// A statement of a stream, or why there is no more of them.
#[derive(Debug, PartialEq, Eq)]
pub enum Streamed<'a> {
    /// A statement without its delimiter, the line on which it begins, from 1, and its offset in the whole text.
    Statement { text: &'a [u8], line: u64, at: u64 },
    /// The text ends within a quote or a comment that begins on this line.
    Unended { line: u64 },
    /// A statement is longer than any server takes.
    TooLong { line: u64 },
}

/// The statements of a text, in order; one at a time is in memory.
#[derive(Debug)]
pub struct Stream<R> {
    from: R,
    /// Bytes that are read at a time, at least.
    chunk: usize,
    text: Vec<u8>,
    /// Bytes before those of `text`.
    passed: u64,
    whole: bool,
    cutter: Cutter,
    /// The line of the byte at `counted`, from 1.
    line: u64,
    counted: usize,
    begun: bool,
    over: bool,
}

impl<R: Read> Stream<R> {
    pub fn new(from: R) -> Self {
        Self {
            from,
            chunk: CHUNK_BYTES,
            text: Vec::new(),
            passed: 0,
            whole: false,
            cutter: Cutter::default(),
            line: 1,
            counted: 0,
            begun: false,
            over: false,
        }
    }

    /// How quotes are read from the next statement on.
    pub fn set_letters(&mut self, letters: Letters) {
        self.cutter.letters = letters;
    }

    /// What the text is read from.
    pub fn source(&mut self) -> &mut R {
        &mut self.from
    }

    /// The next statement; `see` hears each of its tokens but spaces and comments. `None`: the text is at its end.
    ///
    /// # Errors
    /// The text cannot be read on.
    pub fn next(&mut self, see: &mut dyn FnMut(&Token<'_>)) -> io::Result<Option<Streamed<'_>>> {
        if !self.begun {
            self.begun = true;
            while !self.whole && self.text.len() < BYTE_ORDER_MARK.len() {
                self.read_on()?;
            }
            if self.text.starts_with(BYTE_ORDER_MARK) {
                self.cutter.at = BYTE_ORDER_MARK.len();
            }
        }
        while !self.over {
            match self.cutter.next(&self.text, self.whole, see) {
                Cut::Statement { from, to } => {
                    let (line, at) = (self.line_of(from), self.passed + from as u64);
                    return Ok(Some(Streamed::Statement { text: &self.text[from..to], line, at }));
                }
                Cut::Annotation { .. } => {}
                Cut::Unended { at } => {
                    self.over = true;
                    return Ok(Some(Streamed::Unended { line: self.line_of(at) }));
                }
                Cut::More => {
                    let kept = self.cutter.begun.unwrap_or(self.cutter.at);
                    if self.text.len() - kept > LONGEST_BYTES {
                        self.over = true;
                        return Ok(Some(Streamed::TooLong { line: self.line_of(kept) }));
                    }
                    self.line_of(kept);
                    self.text.drain(..kept);
                    self.passed += kept as u64;
                    self.counted -= kept;
                    self.cutter.shift(kept);
                    self.read_on()?;
                }
                Cut::End => self.over = true,
            }
        }
        Ok(None)
    }

    /// Reads as much again as there is, so that a long token is looked at a few times at most.
    fn read_on(&mut self) -> io::Result<()> {
        let before = self.text.len();
        let want = before.max(self.chunk) as u64;
        (&mut self.from).take(want).read_to_end(&mut self.text)?;
        self.whole = ((self.text.len() - before) as u64) < want;
        Ok(())
    }

    fn line_of(&mut self, at: usize) -> u64 {
        let passed = &self.text[self.counted..at];
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.counted = at;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split::{Lines, Piece, Pieces};

    fn streamed(text: &[u8], chunk: usize) -> Vec<(Vec<u8>, u64)> {
        let mut stream = Stream { chunk, ..Stream::new(text) };
        let mut found = Vec::new();
        while let Some(one) = stream.next(&mut |_| {}).expect("readable") {
            found.push(match one {
                Streamed::Statement { text: sql, line, at } => {
                    assert!(text[usize::try_from(at).expect("short")..].starts_with(sql));
                    (sql.to_vec(), line)
                }
                Streamed::Unended { line } => (Vec::new(), line),
                Streamed::TooLong { .. } => break,
            });
        }
        found
    }

    fn at_once(text: &[u8]) -> Vec<(Vec<u8>, u64)> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let lines = Lines::new(text);
        let line = |at| lines.place(at).line as u64;
        Pieces::new(text)
            .filter_map(|piece| match piece {
                Piece::Statement { text, at } => Some((text.to_vec(), line(at))),
                Piece::Unended { at } => Some((Vec::new(), line(at))),
                Piece::Annotation { .. } => None,
            })
            .collect()
    }

    #[test]
    fn a_statement_longer_than_what_is_read_at_a_time_is_whole() {
        let long = "x".repeat(3 * CHUNK_BYTES);
        let text = format!("\u{feff}SELECT 1;\nSELECT '{long}';\nDELIMITER $$\nSELECT 2$$");
        let found = streamed(text.as_bytes(), CHUNK_BYTES);
        assert_eq!(
            found.iter().map(|(sql, line)| (sql.len(), *line)).collect::<Vec<_>>(),
            [(8, 1), (9 + long.len(), 2), (8, 4)]
        );
    }

    proptest! {
        #[test]
        fn a_stream_is_cut_as_its_text_is(text in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"'\"`-*/#:@\\; \n1ea".to_vec())], 0..80), delimiter in any::<bool>(), chunk in 1..9usize) {
            let text = if delimiter { [&b"delimiter ;;\n"[..], &text].concat() } else { text };
            prop_assert_eq!(streamed(&text, chunk), at_once(&text));
        }
    }
}
