//! A client of a few lines: it knows just enough of the protocol to look at raw replies.

use std::io::{Read, Result, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const PROTOCOL_41: u32 = 1 << 9;
pub(crate) const MULTI_STATEMENTS: u32 = 1 << 16;
pub(crate) const DEPRECATE_EOF: u32 = 1 << 24;

/// Reads and writes packets over any stream.
pub(crate) struct Client<S> {
    pub(crate) stream: S,
    deprecate_eof: bool,
}

/// A reply, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Ok {
        affected_rows: u8,
        status: u16,
    },
    /// The payloads of the rows, and the status flags at their end.
    Rows {
        rows: Vec<Vec<u8>>,
        status: u16,
    },
    Error {
        code: u16,
        state: String,
        message: String,
    },
}

impl Answer {
    pub(crate) fn rows(self) -> Vec<Vec<u8>> {
        match self {
            Self::Rows { rows, .. } => rows,
            other => panic!("not a result set: {other:?}"),
        }
    }
}

fn error(payload: &[u8]) -> Answer {
    Answer::Error {
        code: u16::from_le_bytes([payload[1], payload[2]]),
        state: String::from_utf8_lossy(&payload[4..9]).into(),
        message: String::from_utf8_lossy(&payload[9..]).into(),
    }
}

impl Client<UnixStream> {
    /// Connects and logs in.
    pub(crate) fn connect(socket: &Path, capabilities: u32) -> Result<Self> {
        let mut client = Self::greeted(UnixStream::connect(socket)?, capabilities)?;
        assert!(matches!(client.log_in(capabilities)?, Answer::Ok { .. }));
        Ok(client)
    }
}

impl<S: Read + Write> Client<S> {
    /// Reads the greeting.
    pub(crate) fn greeted(stream: S, capabilities: u32) -> Result<Self> {
        let mut client = Self { stream, deprecate_eof: capabilities & DEPRECATE_EOF != 0 };
        let (_, greeting) = client.packet()?;
        assert_eq!(greeting[0], 10, "protocol version: {greeting:?}");
        Ok(client)
    }

    pub(crate) fn log_in(&mut self, capabilities: u32) -> Result<Answer> {
        let mut login = vec![0; 32];
        login[..4].copy_from_slice(&(PROTOCOL_41 | capabilities).to_le_bytes());
        login.extend_from_slice(b"tester\0\0");
        self.send(1, &login)?;
        self.answer()
    }

    /// One packet: sequence number and payload.
    pub(crate) fn packet(&mut self) -> Result<(u8, Vec<u8>)> {
        let mut header = [0; 4];
        self.stream.read_exact(&mut header)?;
        let mut payload = vec![0; u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize];
        self.stream.read_exact(&mut payload)?;
        Ok((header[3], payload))
    }

    fn send(&mut self, sequence: u8, payload: &[u8]) -> Result<()> {
        let mut bytes = Vec::with_capacity(payload.len() + 8);
        let mut chunks: Vec<&[u8]> = payload.chunks(0xFF_FFFF).collect();
        if chunks.last().is_none_or(|chunk| chunk.len() == 0xFF_FFFF) {
            chunks.push(&[]);
        }
        for (number, chunk) in chunks.iter().enumerate() {
            bytes.extend_from_slice(&(chunk.len() as u32).to_le_bytes()[..3]);
            bytes.push(sequence + number as u8);
            bytes.extend_from_slice(chunk);
        }
        self.stream.write_all(&bytes)
    }

    pub(crate) fn command(&mut self, command: u8, body: &[u8]) -> Result<()> {
        self.send(0, &[&[command], body].concat())
    }

    pub(crate) fn query(&mut self, sql: &str) -> Result<Answer> {
        self.command(0x03, sql.as_bytes())?;
        self.answer()
    }

    /// Prepares; returns the statement's number, columns and parameters.
    pub(crate) fn prepare(&mut self, sql: &str) -> Result<(u32, u16, u16)> {
        self.command(0x16, sql.as_bytes())?;
        let (_, head) = self.packet()?;
        assert_eq!(head[0], 0, "{head:?}");
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let (columns, parameters) = (number(5), number(7));
        for definitions in [parameters, columns] {
            for _ in 0..definitions {
                self.packet()?;
            }
            if definitions > 0 && !self.deprecate_eof {
                assert_eq!(self.packet()?.1[0], 0xFE);
            }
        }
        Ok((u32::from_le_bytes([head[1], head[2], head[3], head[4]]), columns, parameters))
    }

    pub(crate) fn execute(&mut self, statement: u32) -> Result<Answer> {
        self.command(0x17, &[&statement.to_le_bytes()[..], &[0, 1, 0, 0, 0]].concat())?;
        self.answer()
    }

    /// Reads one reply; packets must be numbered without a gap.
    pub(crate) fn answer(&mut self) -> Result<Answer> {
        let (mut sequence, first) = self.packet()?;
        let mut next = |client: &mut Self| -> Result<Vec<u8>> {
            let (number, payload) = client.packet()?;
            sequence = sequence.wrapping_add(1);
            assert_eq!(number, sequence, "packets out of order");
            Ok(payload)
        };
        match first[0] {
            0xFF => return Ok(error(&first)),
            0x00 => {
                let status = u16::from_le_bytes([first[3], first[4]]);
                return Ok(Answer::Ok { affected_rows: first[1], status });
            }
            _ => {}
        }
        for _ in 0..first[0] {
            assert!(next(self)?.starts_with(b"\x03def"));
        }
        if !self.deprecate_eof {
            assert_eq!(next(self)?[0], 0xFE);
        }
        let mut rows = Vec::new();
        loop {
            let payload = next(self)?;
            if payload[0] == 0xFE && payload.len() < 9 {
                return Ok(Answer::Rows { rows, status: u16::from_le_bytes([payload[3], payload[4]]) });
            }
            if payload[0] == 0xFF {
                return Ok(error(&payload));
            }
            rows.push(payload);
        }
    }

    /// A number from `SHOW GLOBAL STATUS`.
    pub(crate) fn status(&mut self, name: &str) -> Result<u64> {
        let rows = self.query(&format!("SHOW GLOBAL STATUS LIKE '{name}'"))?.rows();
        assert_eq!(rows.len(), 1, "{name}");
        let value = &rows[0][rows[0][0] as usize + 2..];
        Ok(String::from_utf8_lossy(value).parse().unwrap())
    }
}

/// A socket path of its own for each test.
pub(crate) fn socket_path() -> std::path::PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("assay-null-{}-{number}.sock", std::process::id()))
}
